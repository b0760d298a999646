/** Stops what runs and what waits for a person who says /cancel, or presses *Cancel*: here at once, in other processes before their next paid call. */

import type { Middleware } from 'telegraf';
import type { CallbackQuery } from 'telegraf/types';
import { Failure, isFailure } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { Cancellations } from '../../store/kept/cancellations.ts';
import type { BotApi } from '../api/api.ts';
import type { ReceivedContext } from '../context.ts';
import { brings, isUsable } from '../intake/usable-update.ts';
import { type Asked, askedByMessage } from '../request/asked.ts';
import { type Pressed, pressedBy, presserId, refusalOf } from '../request/callback.ts';
import type { Known } from '../request/command.ts';
import { isGroupAdmin, senderId } from '../request/identity.ts';

export interface CancellingOptions {
  readonly cancellations: Cancellations;
  readonly known: Known;
  readonly api: BotApi;
  readonly log: Log;
}

export interface Cancelling {
  /** Takes note of a /cancel as soon as it is in the queue, beside the lane in which it waits; everything else is ignored. */
  onReceived(update: unknown): void;
  /** Ends a /cancel when its turn has come, also one that is not answered as such: edited meanwhile, refused, not meant for the bot. */
  endsWithItsTurn(): Middleware<ReceivedContext>;
  /** Lets nothing pass, and stops what has passed, from a person's /cancel until their lane has come to it. */
  stopsWhatIsCancelled(): Middleware<ReceivedContext>;
}

/** How soon work in another process than the one that took the /cancel in is stopped, in ms: before its next paid call in any case. */
const LOOK_EVERY_MS = 1000;
/** A /cancel that cannot be noted is tried again that often: for as long as work may take. */
const MOST_TRIES = 1800;

/** Knows the work that runs in this process; what other processes were told, it looks up in `cancellations`. */
export function createCancelling({ cancellations, known, api, log }: CancellingOptions): Cancelling {
  const running = new Map<string, Set<ReceivedContext>>();

  const begin = async ({ updateId, person, press }: Cancel): Promise<void> => {
    const isAdmin = (chat: number, user: number) => isGroupAdmin(api, chat, user);
    if (press !== undefined && (await refusalOf(press.pressed, press.query, isAdmin)) !== undefined) return;
    await cancellations.request(updateId, person);
    // Telegram delivers an update again whose receipt it missed: what was asked since then is not meant.
    if (!(await cancellations.isRequested(person))) return;
    for (const ctx of running.get(person) ?? []) ctx.cancelled.abort();
  };

  /** Until it is noted, or has had its turn for long: work that a /cancel waits behind may cost a call every minute. Never throws. */
  const insist = (cancel: Cancel): Promise<void> => {
    const waitAfter = (error: unknown, attempt: number): number | undefined => {
      if (attempt === 1) log.warn({ error }, 'a /cancel was not noted yet');
      return attempt < MOST_TRIES ? LOOK_EVERY_MS : undefined;
    };
    return patiently(() => begin(cancel), waitAfter, { ref: false }).catch(() => {});
  };

  /** Tells the context once its person has said /cancel, to whichever process; gives what ends that. */
  const watch = (ctx: ReceivedContext): (() => void) => {
    const { person } = ctx;
    const ofPerson = running.get(person) ?? new Set();
    running.set(person, ofPerson.add(ctx));
    const look = async (): Promise<void> => {
      if (await cancellations.isRequested(person)) ctx.cancelled.abort();
    };
    const timer = setInterval(() => {
      look().catch((error: unknown) => log.warn({ error }, 'a /cancel could not be looked for'));
    }, LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      ofPerson.delete(ctx);
      if (ofPerson.size === 0) running.delete(person);
    };
  };

  return {
    onReceived: (update) => {
      const cancel = cancelIn(update, known);
      if (cancel !== undefined) void insist(cancel);
    },

    endsWithItsTurn: () => async (ctx, next) => {
      try {
        await next();
      } finally {
        if (ctx.edit === 'none' && stopsWork(ctx.asked))
          await cancellations.finish(ctx.update.update_id, ctx.person);
      }
    },

    stopsWhatIsCancelled: () => async (ctx, next) => {
      if (stopsWork(ctx.asked)) return next();
      const unwatch = watch(ctx);
      try {
        if (await cancellations.isRequested(ctx.person)) throw new Failure('cancelled', 'it was cancelled');
        await next();
      } catch (error) {
        const isCancelled = ctx.cancelled.signal.aborted || isFailure(error, 'cancelled');
        if (ctx.stopping.aborted || !isCancelled) throw error;
        // Whoever said /cancel is told by its own handler.
        await cancellations.noteStopped(ctx.person);
      } finally {
        unwatch();
      }
    },
  };
}

interface Cancel {
  readonly updateId: number;
  /** Whose work is to stop. */
  readonly person: string;
  /** The button by which it was said. */
  readonly press?: { readonly query: CallbackQuery; readonly pressed: Pressed };
}

/** The /cancel that an update brings, or a press that says the same. */
function cancelIn(update: unknown, known: Known): Cancel | undefined {
  // Looked at first, since most updates are none: a parse costs more.
  if (!brings(update, 'callback_query') && !(brings(update, 'message') && looksLikeCommand(update.message)))
    return undefined;
  if (!isUsable(update)) return undefined;
  const { update_id: updateId } = update;
  if ('callback_query' in update) {
    const { callback_query: query } = update;
    const pressed = pressedBy(query.data, known.callbacks);
    if (!pressed?.callback.stopsWork) return undefined;
    const { from, message } = query;
    return { updateId, person: presserId({ from, chat: message.chat }, pressed), press: { query, pressed } };
  }
  if (!('message' in update)) return undefined;
  const { message } = update;
  return stopsWork(askedByMessage(message, [], known)) ? { updateId, person: senderId(message) } : undefined;
}

function looksLikeCommand(message: unknown): boolean {
  return brings(message, 'text') && typeof message.text === 'string' && message.text.includes('/');
}

/** As the bot's handlers tell it: the same words in a code block, say, are no command. */
function stopsWork(asked: Asked): boolean {
  if (asked.kind === 'command') return asked.command?.stopsWork === true;
  return asked.kind === 'callback' && asked.pressed?.callback.stopsWork === true;
}
