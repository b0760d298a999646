/**
 * The work that runs in this process. It stops when its person sends /cancel or presses *Cancel*, or edits its message before it is
 * answered; then the new text is answered. Both take effect as soon as they are received, beside their lane.
 */
import type { MiddlewareFn } from 'telegraf';
import type { Message, Update } from 'telegraf/types';
import { dropOldest } from '../../bounded-memory.ts';
import { Failure, isFailure } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { Work } from '../../queue/queue.ts';
import type { Cancellations } from '../../store/kept/cancellations.ts';
import { markup, tryAgainButton } from '../answer/buttons.ts';
import { editButtons } from '../answer/editing.ts';
import type { BotApi } from '../api/api.ts';
import { type ReceivedContext, SUPERSEDED } from '../context.ts';
import type { OnReceived, Received } from '../intake/receipt.ts';
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
  /** Notes a /cancel and an edit as soon as it is in the queue; ignores everything else. */
  readonly onReceived: OnReceived;
  /**
   * Does the work, and again with the edited messages if an edit superseded it. `handle` handles the updates and gives their context.
   */
  untilNewest(
    work: Work,
    handle: (updates: [Update, ...Update[]]) => Promise<ReceivedContext>,
  ): Promise<void>;
  /** Ends a /cancel at its turn, also one that gets no answer: edited meanwhile, refused, not meant for the bot. */
  readonly endCancel: MiddlewareFn<ReceivedContext>;
  /**
   * Stops the person's running work, and lets no new work pass, from their /cancel until its turn; and work whose message was edited
   * before it was answered.
   */
  readonly stopUnwantedWork: MiddlewareFn<ReceivedContext>;
}

type Edited = Update.EditedMessageUpdate['edited_message'];

/** The most edits remembered. For more, and for those that another process received, both texts are answered one after the other. */
const MOST_EDITS = 1000;
/** How often work looks for a /cancel that another process received, in ms. The ledger also looks before each paid call. */
const LOOK_EVERY_MS = 1000;
/** How often a /cancel that cannot be stored is tried again: for as long as work may take. */
const MOST_TRIES = 1800;

/** Knows the work and the edits of this process; `cancellations` tells what other processes received. */
export function createRunningWork({ cancellations, api, log }: RunningWorkOptions): RunningWork {
  const running = new Set<ReceivedContext>();
  /** The newest edit of each message whose turn has not come, in the order of their arrival. */
  const edits = new Map<string, Update.EditedMessageUpdate>();

  const noteCancel = async ({ updateId, person, callback }: Cancel): Promise<void> => {
    if (callback && (await refusalOf(callback.matched, callback.query, api)) !== undefined) return;
    await cancellations.request(updateId, person);
    // Telegram repeats an update whose receipt it missed: a /cancel that has had its turn must not stop newer work.
    if (!(await cancellations.isRequested(person))) return;
    for (const ctx of running) if (ctx.person === person && !stopsWork(ctx.asked)) ctx.cancelled.abort();
  };

  /** Tries until the /cancel is stored: the work that it waits behind may cost a call every minute. Never throws. */
  const insist = (cancel: Cancel): Promise<void> => {
    const waitAfter = (error: unknown, attempt: number): number | undefined => {
      if (attempt === 1) log.warn({ error }, 'a /cancel is not stored yet');
      return attempt < MOST_TRIES ? LOOK_EVERY_MS : undefined;
    };
    return patiently(() => noteCancel(cancel), waitAfter, { ref: false }).catch(() => {});
  };

  /** Aborts the context once another process has received its person's /cancel. */
  const lookForCancel = (ctx: ReceivedContext): NodeJS.Timeout => {
    const look = async (): Promise<void> => {
      if (await cancellations.isRequested(ctx.person)) ctx.cancelled.abort();
    };
    return setInterval(() => {
      look().catch((error: unknown) => log.warn({ error }, 'cancellations could not be read'));
    }, LOOK_EVERY_MS);
  };

  /** The newest edit of a message, if it came later than this update. */
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
   * Compares each update of this work with the edits that came after it, as `asItReadsNow` does: so work that was begun anew because of an
   * edit is not superseded by that edit. An edit of another part of an answered album has a turn of its own.
   */
  const stopIfSuperseded = (ctx: ReceivedContext): void => {
    const { message, updates, botInfo, isOverheard } = ctx;
    // If an earlier attempt has answered, the edit itself edits that answer.
    if (message === undefined || ctx.isPartlyAnswered || ctx.answering.given.length > 0) return;
    const now = updates.map(asItReadsNow);
    if (now.every((update, index) => update === updates[index])) return;
    const contentIn = (some: readonly Update[]): string =>
      contentOf({ album: messagesIn(some), isOverheard }, botInfo);
    // Telegram also reports link previews and reactions as edits.
    if (contentIn(updates) === contentIn(now)) return;
    ctx.cancelled.abort(SUPERSEDED);
  };

  const noteEdit = (update: Update.EditedMessageUpdate): void => {
    const key = keyOf(update.edited_message);
    edits.delete(key);
    edits.set(key, update);
    dropOldest(edits, MOST_EDITS);
    for (const ctx of running)
      if (messagesIn(ctx.updates).some((message) => keyOf(message) === key)) stopIfSuperseded(ctx);
  };

  /** Forgets edits whose turn has come. */
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

    endCancel: async (ctx, next) => {
      try {
        await next();
      } finally {
        if (ctx.edit === 'none' && stopsWork(ctx.asked))
          await cancellations.finish(ctx.update.update_id, ctx.person);
      }
    },

    stopUnwantedWork: async (ctx, next) => {
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
        // The handler of /cancel will tell the person.
        await cancellations.noteStopped(ctx.person);
        await offerAgain(ctx);
      } finally {
        clearInterval(looking);
        running.delete(ctx);
      }
    },
  };
}

/** The messages of updates. */
function messagesIn(updates: readonly Update[]): Message[] {
  return updates.flatMap((update): Message[] => {
    if ('message' in update) return [update.message];
    return 'edited_message' in update ? [update.edited_message] : [];
  });
}

/** Puts *Try again* back under the message of a failure, if a repeated request was cancelled before it could replace that message. */
async function offerAgain(ctx: ReceivedContext): Promise<void> {
  const { former, given } = ctx.answering;
  const failure = former.at(-1);
  const isAnswered = given.some(({ id }) => id === failure?.id);
  if (ctx.edit !== 'none' || failure === undefined || isAnswered) return;
  try {
    const again = await tryAgainButton(ctx, ctx.updates, { isInPlace: true, earlier: former.slice(0, -1) });
    await editButtons(ctx, ctx.chat.id, failure.id, markup([[again]]));
  } catch (error) {
    // Throwing would make the queue try the cancelled work again.
    ctx.bot.log.debug({ error }, 'a button was not put back');
  }
}

interface Cancel {
  readonly updateId: number;
  /** The id of the person whose work stops. */
  readonly person: string;
  /** The button that was pressed. */
  readonly callback?: Extract<Asked, { kind: 'callback' }>;
}

/** The /cancel of an update, or a callback query that means the same. */
function cancelIn({ update, asked }: Received): Cancel | undefined {
  if (update === undefined || asked === undefined || !stopsWork(asked)) return undefined;
  const { update_id: updateId } = update;
  if ('message' in update) return { updateId, person: senderId(update.message) };
  if (asked.kind !== 'callback' || !('callback_query' in update)) return undefined;
  const { from, message } = update.callback_query;
  return { updateId, person: callbackSenderId({ from, chat: message.chat }, asked.matched), callback: asked };
}
