/** Shows the buttons of a parked request that could not work earlier (*Try again*, while calls are suspended). */
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { SentMessage } from '../../queue/request-row.ts';
import type { BotApi } from '../api/api.ts';
import { isOutage } from '../api/api-errors.ts';

/** How long to wait while Telegram is unreachable, in ms. */
const AGAIN_AFTER_MS = 60_000;

/** Gives the messages of a request all their buttons, as soon as Telegram can be reached. Logs a refusal. */
export async function showLaterButtons(
  { api, log }: { readonly api: BotApi; readonly log: Log },
  chat: number,
  sent: readonly SentMessage[],
): Promise<void> {
  for (const { id, laterMarkup } of sent) {
    if (typeof id !== 'number' || laterMarkup === undefined) continue;
    const edit = () => api.editMessageReplyMarkup(chat, id, undefined, JSON.parse(laterMarkup));
    await patiently(edit, (error) => (isOutage(error) ? AGAIN_AFTER_MS : undefined), { ref: false }).catch(
      (error: unknown) => log.debug({ error }, 'showing a button later was refused'),
    );
  }
}
