/**
 * What happens to the messages of a parked request at the end of its wait: buttons are shown that could not work earlier (*Try again*, while
 * calls are suspended), and orders go from a channel, with their answers.
 */
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { Ripe } from '../../queue/request-row.ts';
import type { BotApi } from '../api/api.ts';
import { isOutage } from '../api/api-errors.ts';

/** How long to wait while Telegram is unreachable, in ms. */
const AGAIN_AFTER_MS = 60_000;

/** Changes or removes the messages, as soon as Telegram can be reached. Logs a refusal. */
export async function endWait(
  { api, log }: { readonly api: BotApi; readonly log: Log },
  { chat, message, sent }: Ripe,
): Promise<void> {
  const change = (work: () => Promise<unknown>): Promise<unknown> =>
    patiently(work, (error) => (isOutage(error) ? AGAIN_AFTER_MS : undefined), { ref: false }).catch(
      (error: unknown) => log.debug({ error }, 'changing messages after a wait was refused'),
    );
  for (const { id, laterMarkup, isPassing } of sent) {
    if (typeof id !== 'number') continue;
    if (isPassing === true) await change(() => api.deleteMessage(chat, id));
    else if (laterMarkup !== undefined)
      await change(() => api.editMessageReplyMarkup(chat, id, undefined, JSON.parse(laterMarkup)));
  }
  const isOrder = sent.some(({ isPassing }) => isPassing === true);
  if (isOrder && message !== undefined) await change(() => api.deleteMessage(chat, message));
}
