/** Stops what runs and what waits for a person who says /cancel, or presses *Cancel*: here at once, in other processes before their next paid call. */

import type { Middleware } from 'telegraf';
import { Failure, isFailure } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { Cancellations } from '../../store/kept/cancellations.ts';
import { markup, tryAgainButton } from '../answer/buttons.ts';
import { editButtons } from '../answer/editing.ts';
import type { BotApi } from '../api/api.ts';
import type { ReceivedContext } from '../context.ts';
import type { OnReceived, Received } from '../intake/intake.ts';
import { type Asked, stopsWork } from '../request/asked.ts';
import { callbackSenderId, refusalOf } from '../request/callback.ts';
import { isGroupAdmin, senderId } from '../request/identity.ts';

export interface CancellingOptions {
  readonly cancellations: Cancellations;
  readonly api: BotApi;
  readonly log: Log;
}

export interface Cancelling {
  /** Takes note of a /cancel as soon as it is in the queue, beside the lane in which it waits; everything else is ignored. */
  readonly onReceived: OnReceived;
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
export function createCancelling({ cancellations, api, log }: CancellingOptions): Cancelling {
  const running = new Map<string, Set<ReceivedContext>>();

  const begin = async ({ updateId, person, callback }: Cancel): Promise<void> => {
    const isAdmin = (chat: number, user: number) => isGroupAdmin(api, chat, user);
    if (callback && (await refusalOf(callback.matched, callback.query, isAdmin)) !== undefined) return;
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
    onReceived: (received) => {
      const cancel = cancelIn(received);
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
        // The handler of /cancel tells the person.
        await cancellations.noteStopped(ctx.person);
        await offerAgain(ctx);
      } finally {
        unwatch();
      }
    },
  };
}

/** What was tried again has left the message of its failure without a button, and that is all there is again. */
async function offerAgain(ctx: ReceivedContext): Promise<void> {
  const { former, given } = ctx.answering;
  const failure = former.at(-1);
  const isAnswered = given.some(({ id }) => id === failure?.id);
  if (ctx.edit !== 'none' || failure === undefined || isAnswered) return;
  try {
    const again = await tryAgainButton(ctx, ctx.updates, { isInPlace: true, earlier: former.slice(0, -1) });
    await editButtons(ctx, ctx.chat.id, failure.id, markup([[again]]));
  } catch (error) {
    // To throw would have the queue try what was cancelled.
    ctx.bot.log.debug({ error }, 'a button was not put back');
  }
}

interface Cancel {
  readonly updateId: number;
  /** Whose work is to stop. */
  readonly person: string;
  /** The button by which it was said. */
  readonly callback?: Extract<Asked, { kind: 'callback' }>;
}

/** The /cancel that an update brings, or a callback query that says the same. */
function cancelIn({ update, asked }: Received): Cancel | undefined {
  if (update === undefined || asked === undefined || !stopsWork(asked)) return undefined;
  const { update_id: updateId } = update;
  if ('message' in update) return { updateId, person: senderId(update.message) };
  if (asked.kind !== 'callback' || !('callback_query' in update)) return undefined;
  const { from, message } = update.callback_query;
  return { updateId, person: callbackSenderId({ from, chat: message.chat }, asked.matched), callback: asked };
}
