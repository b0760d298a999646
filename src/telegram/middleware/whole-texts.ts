/** The whole of a text of the bot's that one message shows only in part: what is asked of that message is asked of all of it. */
import type { Middleware } from 'telegraf';
import type { Document, Message } from 'telegraf/types';
import { type Failure, isFailure } from '../../errors.ts';
import { ELLIPSIS } from '../../language/truncate.ts';
import { wholeId } from '../../store/kept/results.ts';
import { TEXT_FILE_NAME } from '../answer/posting.ts';
import { downloadFile } from '../api/files.ts';
import type { BotContext } from '../context.ts';
import { pressedMessage } from '../message/pressed-message.ts';

/** A button under the last of several messages names the whole that they hold. */
const OF_WHOLE = /^(?:speak:\w+|translate):([\w-]+)$/;

/** Fetches it where such a button was pressed, or one under a file of the bot's, or where a message replies to a file or a voice note. */
export function knowsWholeTexts(): Middleware<BotContext> {
  return async (ctx, next) => {
    const press = ctx.callbackQuery;
    const [, id] = (press !== undefined && 'data' in press && OF_WHOLE.exec(press.data)) || [];
    const { message } = ctx;
    const replied =
      message !== undefined && 'reply_to_message' in message ? message.reply_to_message : undefined;
    const source = pressedMessage(ctx) ?? replied;
    if (source !== undefined) {
      const text = id === undefined ? await wholeTextBehind(ctx, source) : await ctx.bot.wholes.find(id);
      // Who pressed has been told so (acknowledging.ts).
      if (id !== undefined && text === undefined) return;
      ctx.wholeText = text === undefined ? undefined : { messageId: source.message_id, text };
    }
    await next();
  };
}

async function wholeTextBehind(ctx: BotContext, message: Message): Promise<string | Failure | undefined> {
  const file = ownTextFile(ctx, message);
  if (file !== undefined) return fetchText(ctx, file);
  const sound = cutSoundIn(message);
  return sound === undefined ? undefined : ctx.bot.wholes.find(wholeId(sound));
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

/** Which sound stands for its text (`voice-answer.ts`), where its caption shows only the beginning. */
function cutSoundIn(message: Message): string | undefined {
  const sound = 'voice' in message ? message.voice : 'audio' in message ? message.audio : undefined;
  if (sound === undefined || !('caption' in message)) return undefined;
  return message.caption?.endsWith(ELLIPSIS) ? sound.file_unique_id : undefined;
}
