/** Deletes an order among a channel's posts, and what the bot said to it, once they have stayed for long enough (spec §2, Channels). */
import { patiently } from '../../patience.ts';
import { isOutage } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { repliedMessage } from '../request/intent.ts';

/** How long orders and what the bot said to them stay among a channel's posts, in ms; panels have buttons to be pressed. */
const STAYS_MS = { word: 10_000, panel: 120_000 };
/** Time between retries while Telegram is unreachable, in ms. */
const AGAIN_AFTER_MS = 60_000;

/**
 * Deletes the request's message and its answers after that time, as soon as Telegram is reachable, if it is an order in a channel that only
 * sets or shows something. They stay if the process ends before. Logs a refusal.
 */
export function deletePassingOrder(ctx: ReceivedContext): void {
  const { ending, outbox, message, chat, bot } = ctx;
  const staysMs = orderStaysMs(ctx);
  if (ending.state !== 'done' || outbox.shown.length === 0 || staysMs === undefined) return;
  const messages = [...outbox.shown.map(({ id }) => id), message?.message_id];
  const end = async (): Promise<void> => {
    for (const id of messages) {
      if (typeof id !== 'number') continue;
      const waitAfter = (error: unknown) => (isOutage(error) ? AGAIN_AFTER_MS : undefined);
      await patiently(() => bot.api.deleteMessage(chat.id, id), waitAfter, { ref: false }).catch(
        (error: unknown) => bot.log.debug({ error }, 'Telegram refused to delete an order among the posts'),
      );
    }
  };
  setTimeout(() => void end(), staysMs).unref();
}

/** How long a request and its answers stay: undefined, for good, unless it is an order in a channel that only sets or shows something. */
function orderStaysMs({ intent, chat, message }: ReceivedContext): number | undefined {
  if (chat.type !== 'channel' || intent.kind !== 'command') return undefined;
  const { command, payload } = intent;
  const isAboutText =
    command?.about !== undefined &&
    (intent.isAboutFile || payload !== '' || repliedMessage(message) !== undefined);
  if (isAboutText) return undefined;
  return command?.isEphemeral === true ? STAYS_MS.panel : STAYS_MS.word;
}
