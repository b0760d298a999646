/** The text that is meant where somebody asks for something about a message. */
import type { Message } from 'telegraf/types';
import { isFailure } from '../../errors.ts';
import type { BotContext } from '../context.ts';
import { textsWithoutRemarks, textWithoutHeadings } from './own-headings.ts';

/** Without what the bot has put around it, also where it is a file of the bot's own. Throws `file-gone` or `file-unfetched` where that could not be had. */
export function textOf({ fileText }: BotContext, message: Message): string {
  if (fileText?.messageId !== message.message_id) return textWithoutHeadings(message);
  if (isFailure(fileText.text)) throw fileText.text;
  return textsWithoutRemarks(fileText.text);
}
