/** Deletes what a request leaves behind in its chat: an answer that an edit has outdated, and orders among a channel's posts. */
import type { ReceivedContext } from '../context.ts';
import { repliedMessage } from '../request/parsed-message.ts';

/**
 * Deletes what the new answer does not replace of the former one. After an edit without an answer it deletes all, so that it does not pass
 * for an answer to the new text; what was read in a file stays.
 */
export async function removeFormerAnswer(ctx: ReceivedContext): Promise<void> {
  const { outbox, edit, album } = ctx;
  const isOutdated = edit === 'changed' && !ctx.isSuperseded && !album.some(({ hasFile }) => hasFile);
  if (outbox.given === 0 && !isOutdated) return;
  await removeMessages(ctx, outbox.former);
  outbox.former = [];
}

/** How long orders and what the bot said to them stay among a channel's posts, in ms; panels have buttons to be pressed. */
const STAYS_MS = { word: 10_000, panel: 120_000 };

/** Deletes a channel's order that only sets or shows something, and its answers, after that time. They stay if the process ends before. */
export function deletePassingOrder(ctx: ReceivedContext): void {
  const { intent, message, ending, outbox } = ctx;
  if (intent.kind !== 'command' || message === undefined) return;
  const { command, payload, isAboutFile } = intent;
  const isAboutText =
    command?.about !== undefined && (isAboutFile || payload !== '' || repliedMessage(message) !== undefined);
  if (isAboutText || ending.state !== 'done' || outbox.shown.length === 0) return;
  const messages = [...outbox.shown, { id: message.message_id }];
  const staysMs = command?.isEphemeral === true ? STAYS_MS.panel : STAYS_MS.word;
  setTimeout(() => void removeMessages(ctx, messages), staysMs).unref();
}

/** Deletes messages, as far as they are still there and Telegram allows it. */
async function removeMessages(
  { bot, chat }: ReceivedContext,
  messages: readonly { readonly id: number | string }[],
): Promise<void> {
  for (const { id } of messages) {
    if (typeof id !== 'number') continue;
    await bot.api.deleteMessage(chat.id, id).catch((error: unknown) => {
      bot.log.debug({ error }, 'Telegram refused to delete a message');
    });
  }
}
