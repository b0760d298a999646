/**
 * Changes the messages of a parked request at the end of its wait: shows the buttons that would not have worked earlier (*Try again*, while
 * calls were suspended), and removes commands and their answers from a channel.
 */
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { Ripe } from '../../queue/request-row.ts';
import type { BotApi } from '../api/api.ts';
import { isOutage } from '../api/api-errors.ts';

/** Time between retries while Telegram is unreachable, in ms. */
const AGAIN_AFTER_MS = 60_000;

/** Changes or removes the messages, as soon as Telegram is reachable. Logs a refusal. */
export async function endWait(
  { api, log }: { readonly api: BotApi; readonly log: Log },
  { chat, message, sent }: Ripe,
): Promise<void> {
  const change = (work: () => Promise<unknown>): Promise<unknown> =>
    patiently(work, (error) => (isOutage(error) ? AGAIN_AFTER_MS : undefined), { ref: false }).catch(
      (error: unknown) => log.debug({ error }, 'Telegram refused to change a message at the end of a wait'),
    );
  for (const { id, laterMarkup, isPassing } of sent) {
    if (typeof id !== 'number') continue;
    if (isPassing === true) await change(() => api.deleteMessage(chat, id));
    else if (laterMarkup !== undefined)
      await change(() => api.editMessageReplyMarkup(chat, id, undefined, JSON.parse(laterMarkup)));
  }
  const isCommand = sent.some(({ isPassing }) => isPassing === true);
  if (isCommand && message !== undefined) await change(() => api.deleteMessage(chat, message));
}
