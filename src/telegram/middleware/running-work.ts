/**
 * Work stops when its person sends /cancel or presses *Cancel*, or edits its message before it is answered; then the new text is answered.
 * Both take effect as soon as they are received, in whichever process, beside their lane.
 */
import { Failure, isFailure } from '../../errors.ts';
import { patiently } from '../../patience.ts';
import { CANCELLED } from '../../queue/request-table.ts';
import { type BotContext, type HandlerDeps, type ReceivedContext, SUPERSEDED } from '../context.ts';
import { answer } from '../reply/answer.ts';
import { restButton, tryAgainButton } from '../reply/buttons.ts';
import { type Press, refusalOf } from '../request/callback.ts';
import { albumOf, digestOf, stopsWork } from '../request/request.ts';
import { parseUpdate } from '../request/update.ts';

/** Time between tries to store what a press of *Cancel* stops, in ms. */
const AGAIN_AFTER_MS = 1000;

/** Cancels what an allowed press of *Cancel* (`request`, in this lane) stops. A /cancel has done so as it was stored. */
export function stopWork(
  { requests, api, log }: HandlerDeps,
  press: Press,
  lane: string,
  request: number,
): void {
  const cancel = async () => {
    if ((await refusalOf(press, api)) === undefined) await requests.cancel(lane, request);
  };
  const waitAfter = (error: unknown): number => {
    log.warn({ error }, 'storing a press of Cancel failed: retrying');
    return AGAIN_AFTER_MS;
  };
  // Keep trying: the work to be stopped may cost a call every minute.
  void patiently(cancel, waitAfter, { ref: false });
}

/** Stops cancelled or superseded work, before it begins and while it runs. */
export async function stopUnwantedWork(
  ctx: BotContext,
  work: (ctx: BotContext) => Promise<void>,
): Promise<void> {
  if (stopsWork(ctx.intent)) {
    try {
      return await work(ctx);
    } finally {
      // The handler has reported these; the next /cancel reports others.
      await ctx.bot.requests.countStopped(ctx.person);
    }
  }
  ctx.work.onChange(() => {
    stopIfUnwanted(ctx).catch((error: unknown) =>
      ctx.bot.log.warn({ error }, 'reading a changed request failed'),
    );
  });
  try {
    if (ctx.work.request.cancelled === CANCELLED) throw new Failure('cancelled', 'it was cancelled');
    await work(ctx);
    ctx.outbox.dropUnsaid();
  } catch (error) {
    if (ctx.stopping.aborted) throw error;
    if (ctx.isSuperseded) return;
    if (!ctx.cancelled.signal.aborted && !isFailure(error, 'cancelled')) throw error;
    ctx.ending = { state: 'done', isStopped: true };
    const { rest, outbox, edit } = ctx;
    // A question or a failure that was tried again has lost its buttons.
    const isRetry = edit === 'none' && outbox.former.length > 0 && outbox.given === 0;
    if (rest === undefined && !isRetry) return;
    const button = rest === undefined ? tryAgainButton(ctx) : restButton(ctx, rest);
    const sentence = rest === undefined ? 'costly-not-done' : 'stopped';
    await answer(ctx, ctx.words(sentence), { keyboard: () => [[button]], interim: 'text' });
  }
}

/**
 * Aborts on /cancel, and on an edit that changes the text under work: Telegram also reports link previews and reactions as edits. Once
 * something is answered, the request of the edit edits that answer.
 */
async function stopIfUnwanted(ctx: ReceivedContext): Promise<void> {
  const rows = await ctx.bot.requests.read(ctx.work.ids);
  if (rows.some(({ cancelled }) => cancelled !== 0)) {
    ctx.cancelled.abort(new Failure('cancelled', 'the person cancelled it'));
    return;
  }
  const { message, outbox, bot, album, isOverheard } = ctx;
  if (message === undefined || outbox.isBegun) return;
  const now = albumOf(
    rows.map(({ body }) => parseUpdate(body)),
    bot,
  );
  if (digestOf(now, isOverheard) !== digestOf(album, isOverheard)) ctx.cancelled.abort(SUPERSEDED);
}
