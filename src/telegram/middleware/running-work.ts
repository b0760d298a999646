/**
 * The work that runs in this process, and who stops it: a person who says /cancel or presses *Cancel*, and an edit of a message that was not
 * answered yet, which is answered as it reads now. Both are heeded as soon as they are received, beside the lane in which they wait.
 */
import type { Middleware } from 'telegraf';
import type { Message, Update } from 'telegraf/types';
import { Failure, isFailure } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { Work } from '../../queue/queue.ts';
import type { Cancellations } from '../../store/kept/cancellations.ts';
import { markup, tryAgainButton } from '../answer/buttons.ts';
import { editButtons } from '../answer/editing.ts';
import type { BotApi } from '../api/api.ts';
import { type ReceivedContext, SUPERSEDED } from '../context.ts';
import type { OnReceived, Received } from '../intake/intake.ts';
import { isUsable } from '../intake/usable-update.ts';
import { type Asked, stopsWork } from '../request/asked.ts';
import { callbackSenderId, refusalOf } from '../request/callback.ts';
import { keyOfMessage as keyOf } from '../request/ephemeral.ts';
import { senderId } from '../request/identity.ts';
import { contentOf } from '../request/request.ts';

interface RunningWorkOptions {
  readonly cancellations: Cancellations;
  readonly api: BotApi;
  readonly log: Log;
}

export interface RunningWork {
  /** Takes note of a /cancel and of an edit as soon as it is in the queue; everything else is ignored. */
  readonly onReceived: OnReceived;
  /**
   * Does the work, and where it was superseded does it again with the messages as they read now. `handle` handles the updates and
   * gives their context.
   */
  untilNewest(
    work: Work,
    handle: (updates: [Update, ...Update[]]) => Promise<ReceivedContext>,
  ): Promise<void>;
  /** Ends a /cancel when its turn has come, also one that is not answered as such: edited meanwhile, refused, not meant for the bot. */
  endsCancelWithItsTurn(): Middleware<ReceivedContext>;
  /**
   * Lets nothing pass, and stops what has passed: from a person's /cancel until their lane has come to it, and where the message has been edited
   * and was not answered yet.
   */
  stopsWhatIsUnwanted(): Middleware<ReceivedContext>;
}

type Edited = Update.EditedMessageUpdate['edited_message'];

/** Edits known at once. Of what is beyond them, or was taken in by another process, both texts are answered, one after the other. */
const MOST_EDITS = 1000;
/** How soon work in another process than the one that took the /cancel in is stopped, in ms: before its next paid call in any case. */
const LOOK_EVERY_MS = 1000;
/** A /cancel that cannot be noted is tried again that often: for as long as work may take. */
const MOST_TRIES = 1800;

/** Knows the work that runs here, and the edits taken in here; which other processes took a /cancel in, it looks up in `cancellations`. */
export function createRunningWork({ cancellations, api, log }: RunningWorkOptions): RunningWork {
  const running = new Set<ReceivedContext>();
  /** The newest edit of each message whose turn has not come, in the order of their arrival. */
  const edits = new Map<string, Update.EditedMessageUpdate>();

  const noteCancel = async ({ updateId, person, callback }: Cancel): Promise<void> => {
    if (callback && (await refusalOf(callback.matched, callback.query, api)) !== undefined) return;
    await cancellations.request(updateId, person);
    // Telegram delivers an update again whose receipt it missed: what was asked since then is not meant.
    if (!(await cancellations.isRequested(person))) return;
    for (const ctx of running) if (ctx.person === person && !stopsWork(ctx.asked)) ctx.cancelled.abort();
  };

  /** Until it is noted, or has had its turn for long: work that a /cancel waits behind may cost a call every minute. Never throws. */
  const insist = (cancel: Cancel): Promise<void> => {
    const waitAfter = (error: unknown, attempt: number): number | undefined => {
      if (attempt === 1) log.warn({ error }, 'a /cancel was not noted yet');
      return attempt < MOST_TRIES ? LOOK_EVERY_MS : undefined;
    };
    return patiently(() => noteCancel(cancel), waitAfter, { ref: false }).catch(() => {});
  };

  /** Tells the context once its person has said /cancel to another process. */
  const lookForCancel = (ctx: ReceivedContext): NodeJS.Timeout => {
    const look = async (): Promise<void> => {
      if (await cancellations.isRequested(ctx.person)) ctx.cancelled.abort();
    };
    return setInterval(() => {
      look().catch((error: unknown) => log.warn({ error }, 'a /cancel could not be looked for'));
    }, LOOK_EVERY_MS);
  };

  /** The newest edit of a message that came later than this update. */
  const editOf = ({ update_id }: Update, message: Message): Edited | undefined => {
    const edit = edits.get(keyOf(message));
    return edit !== undefined && edit.update_id > update_id ? edit.edited_message : undefined;
  };

  const asItReadsNow = <U extends Update>(update: U): U => {
    if ('message' in update) {
      const edit = editOf(update, update.message);
      return edit === undefined ? update : { ...update, message: { ...edit, edit_date: undefined } };
    }
    if (!('edited_message' in update)) return update;
    const edit = editOf(update, update.edited_message);
    return edit === undefined ? update : { ...update, edited_message: edit };
  };

  /**
   * Only what this work has brought counts, each update with what came after it, just as in `asItReadsNow`: another part of an album
   * that was answered has a turn of its own. So work that was begun anew is not superseded by what it was begun anew for.
   */
  const stopIfSuperseded = (ctx: ReceivedContext): void => {
    const { message, updates, botInfo, isOverheard } = ctx;
    // What an earlier attempt has answered is edited by the edit itself.
    if (message === undefined || ctx.isPartlyAnswered || ctx.answering.given.length > 0) return;
    const now = updates.map(asItReadsNow);
    if (now.every((update, index) => update === updates[index])) return;
    const contentIn = (some: readonly Update[]): string =>
      contentOf({ album: messagesIn(some), isOverheard }, botInfo);
    // Telegram tells of link previews and reactions as edits, too.
    if (contentIn(updates) === contentIn(now)) return;
    ctx.cancelled.abort(SUPERSEDED);
  };

  const noteEdit = (update: Update.EditedMessageUpdate): void => {
    const key = keyOf(update.edited_message);
    edits.delete(key);
    edits.set(key, update);
    const [oldest] = edits.keys();
    if (edits.size > MOST_EDITS && oldest !== undefined) edits.delete(oldest);
    for (const ctx of running)
      if (messagesIn(ctx.updates).some((message) => keyOf(message) === key)) stopIfSuperseded(ctx);
  };

  /** Their turn has come. */
  const forgetEdits = (updates: readonly Update[]): void => {
    for (const update of updates) {
      if (!('edited_message' in update)) continue;
      const key = keyOf(update.edited_message);
      if ((edits.get(key)?.update_id ?? Number.POSITIVE_INFINITY) <= update.update_id) edits.delete(key);
    }
  };

  return {
    onReceived: (received) => {
      const { update } = received;
      if (update !== undefined && 'edited_message' in update) return noteEdit(update);
      const cancel = cancelIn(received);
      if (cancel !== undefined) void insist(cancel);
    },

    untilNewest: async ({ bodies }, handle) => {
      const received = bodies.filter(isUsable);
      forgetEdits(received);
      let isSuperseded = true;
      for (let updates = received; isSuperseded; updates = received.map(asItReadsNow)) {
        const [first, ...more] = updates;
        if (first === undefined) return;
        const ctx = await handle([first, ...more]);
        isSuperseded = ctx.isSuperseded && ctx.answering.given.length === 0;
      }
    },

    endsCancelWithItsTurn: () => async (ctx, next) => {
      try {
        await next();
      } finally {
        if (ctx.edit === 'none' && stopsWork(ctx.asked))
          await cancellations.finish(ctx.update.update_id, ctx.person);
      }
    },

    stopsWhatIsUnwanted: () => async (ctx, next) => {
      const isCancel = stopsWork(ctx.asked);
      running.add(ctx);
      const looking = isCancel ? undefined : lookForCancel(ctx);
      try {
        if (!isCancel && (await cancellations.isRequested(ctx.person)))
          throw new Failure('cancelled', 'it was cancelled');
        stopIfSuperseded(ctx);
        if (!ctx.isSuperseded) await next();
      } catch (error) {
        if (ctx.stopping.aborted) throw error;
        if (ctx.isSuperseded) return;
        const isCancelled = ctx.cancelled.signal.aborted || isFailure(error, 'cancelled');
        if (isCancel || !isCancelled) throw error;
        // The handler of /cancel tells the person.
        await cancellations.noteStopped(ctx.person);
        await offerAgain(ctx);
      } finally {
        clearInterval(looking);
        running.delete(ctx);
      }
    },
  };
}

/** The messages that updates bring, as they read in them. */
function messagesIn(updates: readonly Update[]): Message[] {
  return updates.flatMap((update): Message[] => {
    if ('message' in update) return [update.message];
    return 'edited_message' in update ? [update.edited_message] : [];
  });
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
