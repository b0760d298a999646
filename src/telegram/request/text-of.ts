/** The text that is meant where somebody asks for something about a message: all of it, also where the message shows only a part. */
import type { Document, Message } from 'telegraf/types';
import { ELLIPSIS } from '../../language/truncate.ts';
import { wholeId } from '../../store/kept/results.ts';
import { TEXT_FILE_NAME } from '../answer/posting.ts';
import { downloadFile } from '../api/files.ts';
import type { ReceivedContext } from '../context.ts';
import { textsWithoutRemarks, textWithoutHeadings } from './own-headings.ts';

/**
 * Without what the bot has put around it. Throws `file-gone` or `file-unfetched` where it is in a file of the bot's that could not be had.
 */
export async function textOf(ctx: ReceivedContext, message: Message): Promise<string> {
  const file = ownTextFile(ctx, message);
  const sound = cutSoundIn(message);
  const whole =
    file !== undefined
      ? (await downloadFile(ctx.bot.api, file.file_id, ctx.signal)).toString('utf8')
      : sound && (await ctx.bot.wholes.find(wholeId(sound)));
  return whole === undefined ? textWithoutHeadings(message) : textsWithoutRemarks(whole);
}

/** The text that a pressed button means: the whole that it names, else that of its message; undefined where the whole is kept no more. */
export async function textOfPressed(
  ctx: ReceivedContext,
  message: Message,
  whole: string | undefined,
): Promise<string | undefined> {
  if (whole === undefined) return textOf(ctx, message);
  const text = await ctx.bot.wholes.find(whole);
  return text === undefined ? undefined : textsWithoutRemarks(text);
}

function ownTextFile({ botInfo }: ReceivedContext, message: Message): Document | undefined {
  if (message.from?.id !== botInfo.id || !('document' in message)) return undefined;
  return message.document.file_name === TEXT_FILE_NAME ? message.document : undefined;
}

/** Which sound stands for its text (`voice-answer.ts`), where its caption shows only the beginning. */
function cutSoundIn(message: Message): string | undefined {
  const sound = 'voice' in message ? message.voice : 'audio' in message ? message.audio : undefined;
  if (sound === undefined || !('caption' in message)) return undefined;
  return message.caption?.endsWith(ELLIPSIS) ? sound.file_unique_id : undefined;
}
