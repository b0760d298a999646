/** A translation that grows before one's eyes in a private chat while its pieces come (spec §2). */
import { setTimeout as delay } from 'node:timers/promises';
import { splitForTelegram } from '../../language/split.ts';
import type { ReceivedContext } from '../context.ts';
import { topicOf } from './posting.ts';

export interface Draft {
  /** Shows that the answer is under way, until `show`. */
  begin(): void;
  /** Shows the beginning of the answer, as far as one message holds it. */
  show(beginning: string): void;
  /** Wait for this before the answer: a draft that came after it would stay below it. */
  end(): Promise<void>;
}

/** Telegram shows a draft for 30 s; in ms. */
const RENEWED_EVERY_MS = 20_000;

/** The answer waits at most this long for a draft that is on its way, in ms. */
const PATIENCE_MS = 500;

/**
 * A draft of the answer to this request. The first failure, whatever its reason, ends it: `onFailure` is called, and nothing is tried
 * again.
 */
export function createDraft(ctx: ReceivedContext, onFailure: () => void): Draft {
  const { api, log } = ctx.bot;
  // Apps show changes of a draft with the same id as growth; the id must not be 0 (Bot API, sendMessageDraft).
  const id = ctx.update.update_id || 1;
  /** Made with the first draft: most answers come without one. */
  let sending: AbortController | undefined;
  let renewing: NodeJS.Timeout | undefined;
  let isStopped = false;
  let wanted: string | undefined;
  let shown: string | undefined;
  let underway: Promise<void> | undefined;

  const send = async (): Promise<void> => {
    sending ??= new AbortController();
    renewing ??= setInterval(renew, RENEWED_EVERY_MS).unref();
    const signal = AbortSignal.any([ctx.signal, sending.signal]);
    try {
      while (wanted !== undefined && wanted !== shown && !signal.aborted) {
        const text = wanted;
        await api.callRecent(
          'sendMessageDraft',
          { chat_id: ctx.chat.id, ...topicOf(ctx), draft_id: id, text, can_stop: true },
          { signal, isOnce: true },
        );
        shown = text;
      }
    } catch (error) {
      if (signal.aborted) return;
      log.debug({ error }, 'a draft was not shown');
      stop();
      onFailure();
    }
  };
  const push = (): void => {
    underway ??= send().finally(() => {
      underway = undefined;
    });
  };
  const renew = (): void => {
    shown = undefined;
    push();
  };
  const stop = (): void => {
    isStopped = true;
    clearInterval(renewing);
    sending?.abort();
  };
  return {
    begin: () => {
      // Apps show an empty text as "Thinking…" (Bot API, sendMessageDraft).
      if (wanted !== undefined || isStopped || ctx.signal.aborted) return;
      wanted = '';
      push();
    },
    show: (beginning) => {
      const first = splitForTelegram(beginning)[0] ?? '';
      // A text too long for one message is cut at a good place, which may come before what is shown already.
      if (isStopped || ctx.signal.aborted || first.length < (wanted ?? '').length) return;
      wanted = first;
      push();
    },
    end: async () => {
      const last = underway;
      stop();
      if (last !== undefined) await Promise.race([last, delay(PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}
