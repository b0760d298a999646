/** The words that a message carries: its text or caption, without what only addresses the bot. */
import type { MessageEntity, UserFromGetMe } from 'telegraf/types';
import { commandAmong } from './command-in.ts';

interface Worded {
  readonly text?: string;
  readonly caption?: string;
  readonly entities?: MessageEntity[];
  readonly caption_entities?: MessageEntity[];
}

/** The text or caption of a message as it was written; empty when it has neither. */
export function textIn(message: object | undefined): string {
  const { text, caption }: Worded = message ?? {};
  return text ?? caption ?? '';
}

/** Marks a voice note of ours: above the text stands the variety that it is spoken in, and above that why it is a file. */
const VOICE_HEADING = /^(?:[^\n]+\n\n)?🔊 [^\n]*\n/u;

/** What stands under a voice note: the variety, and the text spoken. */
export function voiceCaption(variety: string, text: string): string {
  return `🔊 ${variety}\n${text}`;
}

/** Stands above the Wylie under a text of ours, in every language; the text is told from its Wylie by it. */
const WYLIE_HEADING = '🔤 Wylie';
const WYLIE = new RegExp(`\\n\\n${WYLIE_HEADING}\\n.*$`, 'su');

/** A text with its Wylie under it. */
export function withWylie(text: string, wylie: string): string {
  return `${text}\n\n${WYLIE_HEADING}\n${wylie}`;
}

/** The text of a message as it is meant: without the line of ours that names the variety, and without its Wylie. */
export function spokenTextIn(message: object): string {
  return textIn(message).replace(VOICE_HEADING, '').replace(WYLIE, '');
}

/** The text or caption without mentions of the bot, outer white space dropped. */
export function textWithoutMention(message: object | undefined, me: UserFromGetMe): string {
  let text = textIn(message);
  for (const { offset, length } of mentionsOf(message, me).reverse()) {
    text = `${text.slice(0, offset)}${text.slice(offset + length)}`;
  }
  return text.trim();
}

/** The command that a caption begins with, and what follows it; undefined where there is none, or it names another bot. */
export function captionCommandIn(
  message: object,
  me: UserFromGetMe,
): { readonly name: string; readonly payload: string } | undefined {
  const { caption = '', caption_entities = [] }: Worded = message;
  const command = commandAmong(caption_entities);
  if (command === undefined) return undefined;
  const [name = '', addressee = me.username] = caption.slice(1, command.length).toLowerCase().split('@');
  if (addressee.toLowerCase() !== me.username.toLowerCase()) return undefined;
  return { name, payload: caption.slice(command.length).trim() };
}

/** Whether a message mentions the bot by its username or by its id, in its text or caption. */
export function mentions(message: object, me: UserFromGetMe): boolean {
  return mentionsOf(message, me).length > 0;
}

/** Also without a username: a client can link any words to a user. Entity offsets count UTF-16 units, as JavaScript's strings do. */
function mentionsOf(message: object | undefined, me: UserFromGetMe): MessageEntity[] {
  const { entities, caption_entities }: Worded = message ?? {};
  const text = textIn(message);
  const mention = `@${me.username}`.toLowerCase();
  return (entities ?? caption_entities ?? []).filter((entity) => {
    if (entity.type === 'text_mention') return entity.user.id === me.id;
    const { offset, length } = entity;
    return entity.type === 'mention' && text.slice(offset, offset + length).toLowerCase() === mention;
  });
}
