/** The text that is meant where somebody asks for something about a message. */
import type { Message } from 'telegraf/types';
import { isFailure } from '../../errors.ts';
import type { BotContext } from '../context.ts';
import { textsWithoutRemarks, textWithoutHeadings } from './own-headings.ts';

/** All of it, without what the bot has put around it. Throws `file-gone` or `file-unfetched` where it is in a file that could not be had. */
export function textOf({ wholeText }: BotContext, message: Message): string {
  if (wholeText?.messageId !== message.message_id) return textWithoutHeadings(message);
  if (isFailure(wholeText.text)) throw wholeText.text;
  return textsWithoutRemarks(wholeText.text);
}
