/** Deletes an order among a channel's posts, and what the bot said to it, once they have stayed for long enough (spec §2, Channels). */
import type { Log } from '../../log.ts';
import { patiently } from '../../patience.ts';
import type { BotApi } from '../api/api.ts';
import { isOutage } from '../api/api-errors.ts';

/** Time between retries while Telegram is unreachable, in ms. */
const AGAIN_AFTER_MS = 60_000;

/** Deletes the messages after so many ms, as soon as Telegram is reachable; they stay if the process ends before. Logs a refusal. */
export function deleteLater(
  { api, log }: { readonly api: BotApi; readonly log: Log },
  chat: number,
  messages: readonly unknown[],
  staysMs: number,
): void {
  const end = async (): Promise<void> => {
    for (const id of messages) {
      if (typeof id !== 'number') continue;
      const waitAfter = (error: unknown) => (isOutage(error) ? AGAIN_AFTER_MS : undefined);
      await patiently(() => api.deleteMessage(chat, id), waitAfter, { ref: false }).catch((error: unknown) =>
        log.debug({ error }, 'Telegram refused to delete an order among the posts'),
      );
    }
  };
  setTimeout(() => void end(), staysMs).unref();
}
