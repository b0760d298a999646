/**
 * Work stops when its person sends /cancel or presses *Cancel*, or edits its message before it is answered; then the new text is answered.
 * Both take effect as soon as they are received, in whichever process, beside their lane.
 */
import { Failure, isFailure } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { RequestRow } from '../../queue/request-row.ts';
import type { Requests } from '../../queue/requests.ts';
import { markup, restButton, tryAgainButton } from '../answer/buttons.ts';
import type { BotApi } from '../api/api.ts';
import { type ReceivedContext, SUPERSEDED } from '../context.ts';
import { answer } from '../outbox/answer.ts';
import { editButtons, editText } from '../outbox/editing.ts';
import { refusalOf } from '../request/callback.ts';
import { type Intent, stopsWork } from '../request/intent.ts';
import { digestOf, digestOfUpdates } from '../request/request.ts';
import { parseUpdate } from '../request/update.ts';

/** How often storing a /cancel is retried: for as long as work may take. */
const MAX_TRIES = 1800;
const AGAIN_AFTER_MS = 1000;

/** Cancels what a /cancel (`request`, in this lane), or an allowed press of *Cancel*, stops. */
export function stopWork(
  { requests, api, log }: { readonly requests: Requests; readonly api: BotApi; readonly log: Log },
  intent: Intent,
  lane: string,
  request: number,
): void {
  const cancel = async () => {
    const isRefused =
      intent.kind === 'callback' && (await refusalOf(intent.matched, intent.query, api)) !== undefined;
    if (!isRefused) await requests.cancel(lane, request);
  };
  const waitAfter = (error: unknown, attempt: number): number | undefined => {
    if (attempt === 1) log.warn({ error }, 'storing a /cancel failed: retrying');
    return attempt < MAX_TRIES ? AGAIN_AFTER_MS : undefined;
  };
  // Keep trying: the work to be stopped may cost a call every minute.
  void patiently(cancel, waitAfter, { ref: false }).catch(() => {});
}

/** Stops cancelled or superseded work, before it begins and while it runs. */
export async function stopUnwantedWork(ctx: ReceivedContext, next: () => Promise<void>): Promise<void> {
  if (stopsWork(ctx.intent)) {
    try {
      return await next();
    } finally {
      // The handler has reported these; the next /cancel reports others.
      await ctx.bot.requests.countStopped(ctx.person);
    }
  }
  ctx.work.onChange((rows) => stopIfUnwanted(ctx, rows));
  try {
    if (ctx.work.request.isCancelled) throw new Failure('cancelled', 'it was cancelled');
    await next();
  } catch (error) {
    if (ctx.stopping.aborted) throw error;
    if (ctx.isSuperseded) return;
    if (!ctx.cancelled.signal.aborted && !isFailure(error, 'cancelled')) throw error;
    ctx.ending = { state: 'done', isStopped: true };
    const { rest } = ctx;
    if (rest === undefined) return offerAgain(ctx);
    await answer(ctx, ctx.words('stopped'), { keyboard: () => [[restButton(ctx, rest)]], interim: 'text' });
  }
}

/**
 * Aborts on /cancel, and on an edit that changes the text under work: Telegram also reports link previews and reactions as edits. Once
 * something is answered, the request of the edit edits that answer.
 */
function stopIfUnwanted(ctx: ReceivedContext, rows: readonly RequestRow[]): void {
  if (rows.some(({ isCancelled }) => isCancelled)) {
    ctx.cancelled.abort(new Failure('cancelled', 'the person cancelled it'));
    return;
  }
  const { message, outbox, bot, isOverheard } = ctx;
  if (message === undefined || outbox.isPartlyAnswered || outbox.given.length > 0) return;
  const parsed = rows.map(({ body }) => parseUpdate(body));
  const now = parsed.flatMap((one) => (one?.kind === 'request' ? one.update : []));
  if (digestOf(ctx) !== digestOfUpdates(now, isOverheard, bot)) ctx.cancelled.abort(SUPERSEDED);
}

/** Restores *Try again* under a failure whose retry was cancelled before it could replace it; marks an open question as dropped. */
async function offerAgain(ctx: ReceivedContext): Promise<void> {
  const [before] = ctx.outbox.former.toReversed();
  if (ctx.edit !== 'none' || before === undefined || ctx.outbox.given.length > 0) return;
  try {
    if (before.kind === 'question') {
      await editText(ctx, ctx.chat.id, before.id, ctx.words('costly-not-done'));
      return;
    }
    await editButtons(ctx, ctx.chat.id, before.id, markup([[tryAgainButton(ctx)]]));
  } catch (error) {
    // Do not throw: the queue would retry the cancelled work.
    ctx.bot.log.debug({ error }, 'restoring a button failed');
  }
}
