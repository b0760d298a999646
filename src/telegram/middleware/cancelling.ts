/** Stops what runs and what waits for a person who says /cancel, or presses *Cancel*: here at once, in other processes before their next paid call. */

import type { Middleware } from 'telegraf';
import type { CallbackQuery, Message } from 'telegraf/types';
import { Failure, isFailure } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { Cancellations } from '../../store/kept/cancellations.ts';
import type { BotApi } from '../api/api.ts';
import type { BotContext } from '../context.ts';
import { brings } from '../intake/brings.ts';
import { isUsable } from '../intake/usable-update.ts';
import { textCommandIn } from '../message/command-in.ts';
import { isGroupAdmin } from '../message/group-admin.ts';
import { personId } from '../message/identity.ts';
import { pressIn, refusalOf } from '../message/presses.ts';

export interface CancellingOptions {
  readonly cancellations: Cancellations;
  /** The bot's own: `/cancel@another_bot` is not meant for it. */
  readonly username: string;
  readonly api: BotApi;
  readonly log: Log;
}

export interface Cancelling {
  /** Takes note of a /cancel as soon as it is in the queue, beside the lane in which it waits; everything else is ignored. */
  onReceived(update: unknown): void;
  /** Ends a /cancel when its turn has come, also one that is not answered as such: edited meanwhile, refused, not meant for the bot. */
  endsWithItsTurn(): Middleware<BotContext>;
  /** Lets nothing pass, and stops what has passed, from a person's /cancel until their lane has come to it. */
  stopsWhatIsCancelled(): Middleware<BotContext>;
}

/** How soon work in another process than the one that took the /cancel in is stopped, in ms: before its next paid call in any case. */
const LOOK_EVERY_MS = 1000;
/** A /cancel that cannot be noted is tried again that often: for as long as work may take. */
const MOST_TRIES = 1800;

/** Knows the work that runs in this process; what other processes were told, it looks up in `cancellations`. */
export function createCancelling({ cancellations, username, api, log }: CancellingOptions): Cancelling {
  const running = new Map<string, Set<BotContext>>();

  const begin = async ({ updateId, person, press }: Cancel): Promise<void> => {
    const isAdmin = (chat: number, user: number) => isGroupAdmin(api, chat, user);
    if (press !== undefined && (await refusalOf(press, isAdmin)) !== undefined) return;
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
  const watch = (ctx: BotContext): (() => void) => {
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
      const cancel = cancelIn(update, username);
      if (cancel !== undefined) void insist(cancel);
    },

    endsWithItsTurn: () => async (ctx, next) => {
      const cancel = cancelIn(ctx.received, username);
      try {
        await next();
      } finally {
        if (cancel !== undefined) await cancellations.finish(cancel.updateId, cancel.person);
      }
    },

    stopsWhatIsCancelled: () => async (ctx, next) => {
      if (isCancel(ctx.message, username) || cancelIn(ctx.received, username) !== undefined) return next();
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
  /** Of the button, by which it was said. */
  readonly press?: CallbackQuery.DataQuery;
}

/** The /cancel that an update brings, or a press that says the same. */
function cancelIn(update: unknown, username: string): Cancel | undefined {
  if (brings(update, 'callback_query')) return cancelPressIn(update);
  // Looked at first, since most updates are none: a parse costs more.
  if (!brings(update, 'message') || !looksLikeCancel(update.message)) return undefined;
  if (!isUsable(update) || !('message' in update)) return undefined;
  const person = isCancel(update.message, username) ? personId(update.message) : undefined;
  return person === undefined ? undefined : { updateId: update.update_id, person };
}

function cancelPressIn(update: object): Cancel | undefined {
  if (!isUsable(update) || !('callback_query' in update)) return undefined;
  const { callback_query: press, update_id: updateId } = update;
  if (pressIn(press.data)?.kind !== 'cancel') return undefined;
  const { from, message, data } = press;
  return { updateId, person: personId({ from, chat: message.chat, data }), press };
}

function looksLikeCancel(message: unknown): boolean {
  return brings(message, 'text') && typeof message.text === 'string' && /\/cancel/i.test(message.text);
}

/** As the bot's handlers tell it: the same words in a code block, say, are no command. */
function isCancel(message: Message | undefined, username: string): boolean {
  return message !== undefined && textCommandIn(message, { username })?.name === 'cancel';
}
