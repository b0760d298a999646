/** A message that is edited before it was answered is answered as it reads now: what it said before is not paid for any more. */
import type { Middleware } from 'telegraf';
import type { Message, Update } from 'telegraf/types';
import type { Work } from '../../queue/queue.ts';
import { type ReceivedContext, SUPERSEDED } from '../context.ts';
import type { OnReceived } from '../intake/intake.ts';
import { isUsable } from '../intake/usable-update.ts';
import { keyOfMessage as keyOf } from '../request/ephemeral.ts';
import { contentOf } from '../request/request.ts';

export interface Superseding {
  /** Takes note of an edit as soon as it is in the queue, beside the lane in which it waits; everything else is ignored. */
  readonly onReceived: OnReceived;
  /**
   * Does the work, and where it was superseded does it again with the messages as they read now. `handle` handles the updates and
   * gives their context.
   */
  untilNewest(
    work: Work,
    handle: (updates: [Update, ...Update[]]) => Promise<ReceivedContext>,
  ): Promise<void>;
  /** Lets nothing pass, and stops what has passed, whose message has been edited since, and that was not answered yet. */
  stopsWhatIsSuperseded(): Middleware<ReceivedContext>;
}

type Edited = Update.EditedMessageUpdate['edited_message'];

/** Edits known at once. Of what is beyond them, or was taken in by another process, both texts are answered, one after the other. */
const MOST_KNOWN = 1000;

/** Knows the edits that this process has taken in, and the work that runs in it. */
export function createSuperseding(): Superseding {
  /** The newest edit of each message whose turn has not come, in the order of their arrival. */
  const edits = new Map<string, Update.EditedMessageUpdate>();
  const running = new Set<ReceivedContext>();

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
    if (ctx.answering.given.length > 0) return;
    const { updates, botInfo, isOverheard } = ctx;
    const now = updates.map(asItReadsNow);
    if (now.every((update, index) => update === updates[index])) return;
    const contentIn = (some: readonly Update[]): string =>
      contentOf({ album: messagesIn(some), isOverheard }, botInfo);
    // Telegram tells of link previews and reactions as edits, too.
    if (contentIn(updates) === contentIn(now)) return;
    ctx.cancelled.abort(SUPERSEDED);
  };

  /** Their turn has come. */
  const forget = (updates: readonly Update[]): void => {
    for (const update of updates) {
      if (!('edited_message' in update)) continue;
      const key = keyOf(update.edited_message);
      if ((edits.get(key)?.update_id ?? Number.POSITIVE_INFINITY) <= update.update_id) edits.delete(key);
    }
  };

  return {
    onReceived: ({ update }) => {
      if (update === undefined || !('edited_message' in update)) return;
      const key = keyOf(update.edited_message);
      edits.delete(key);
      edits.set(key, update);
      const [oldest] = edits.keys();
      if (edits.size > MOST_KNOWN && oldest !== undefined) edits.delete(oldest);
      for (const ctx of running)
        if (messagesIn(ctx.updates).some((message) => keyOf(message) === key)) stopIfSuperseded(ctx);
    },

    untilNewest: async ({ bodies }, handle) => {
      const received = bodies.filter(isUsable);
      forget(received);
      let isSuperseded = true;
      for (let updates = received; isSuperseded; updates = received.map(asItReadsNow)) {
        const [first, ...more] = updates;
        if (first === undefined) return;
        const ctx = await handle([first, ...more]);
        isSuperseded = ctx.isSuperseded && ctx.answering.given.length === 0;
      }
    },

    stopsWhatIsSuperseded: () => async (ctx, next) => {
      // What an earlier attempt has answered is edited by the edit itself.
      if (ctx.message === undefined || ctx.isPartlyAnswered) return next();
      stopIfSuperseded(ctx);
      if (ctx.isSuperseded) return;
      running.add(ctx);
      try {
        await next();
      } catch (error) {
        if (!ctx.isSuperseded || ctx.stopping.aborted) throw error;
      } finally {
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
