/** Answers messages that the bot cannot use: a sticker, a video, an unknown command. */
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/reply/answer.ts';

/**
 * Says in one line what the bot can do, or which documents it reads; in a group only if a text, caption or command (`/nonsense@bot`) names
 * the bot.
 */
export async function anythingElse(ctx: BotContext): Promise<void> {
  const { album, intent, isPrivate } = ctx;
  const isCommandByName = intent.kind === 'command' && intent.isByName;
  if (isPrivate || isCommandByName || album.some(({ mentionsBot }) => mentionsBot))
    await notice(ctx, isDocument(ctx) ? 'document-unknown' : 'anything-else');
}

/** A file of words or pictures, as it seems: Telegram turns most GIFs into silent videos. */
function isDocument({ message }: BotContext): boolean {
  if (message === undefined || !('document' in message)) return false;
  return !/^(?:video|audio)\//.test(message.document.mime_type ?? '');
}
