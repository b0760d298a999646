/** The text files that long answers are: what is asked of such a file is asked of the text in it. */
import type { Middleware } from 'telegraf';
import type { Document, Message } from 'telegraf/types';
import { type Failure, isFailure } from '../../errors.ts';
import { TEXT_FILE_NAME } from '../answer/posting.ts';
import { downloadFile } from '../api/files.ts';
import type { BotContext } from '../context.ts';
import { pressedMessage } from '../message/pressed-message.ts';

/** Fetches the text of a file of the bot's own when one of its buttons was pressed, or a message replies to it. */
export function readsOwnTextFiles(): Middleware<BotContext> {
  return async (ctx, next) => {
    const { message } = ctx;
    const replied =
      message !== undefined && 'reply_to_message' in message ? message.reply_to_message : undefined;
    const source = pressedMessage(ctx) ?? replied;
    const file = source && ownTextFile(ctx, source);
    if (file !== undefined) {
      ctx.fileText = { messageId: source?.message_id, text: await fetchText(ctx, file) };
    }
    await next();
  };
}

/** Without the text, what is asked may be done all the same: a reply need not be about it. */
async function fetchText(ctx: BotContext, { file_id }: Document): Promise<string | Failure> {
  try {
    return (await downloadFile(ctx.bot.api, file_id, ctx.signal)).toString('utf8');
  } catch (error) {
    if (isFailure(error, 'file-gone') || isFailure(error, 'file-unfetched')) return error;
    throw error;
  }
}

function ownTextFile({ botInfo }: BotContext, message: Message): Document | undefined {
  if (message.from?.id !== botInfo.id || !('document' in message)) return undefined;
  return message.document.file_name === TEXT_FILE_NAME ? message.document : undefined;
}
