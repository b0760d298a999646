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

export interface Command {
  /** In lower case. */
  readonly name: string;
  /** What follows it, without outer white space. */
  readonly payload: string;
}

/** The command that a text begins with; undefined where there is none, or it names another bot. */
export function textCommandIn(message: object, me: Pick<UserFromGetMe, 'username'>): Command | undefined {
  const { text = '', entities }: Worded = message;
  return commandOf(text, entities, me.username);
}

/** The same of a caption. */
export function captionCommandIn(message: object, me: Pick<UserFromGetMe, 'username'>): Command | undefined {
  const { caption = '', caption_entities }: Worded = message;
  return commandOf(caption, caption_entities, me.username);
}

/** What may stand between a command and what it is about, with a space or without: `/speak：你好`. */
const SEPARATORS = /^[\s,:，：、]+/u;

function commandOf(words: string, entities: MessageEntity[] | undefined, me: string): Command | undefined {
  const command = commandAmong(entities);
  if (command === undefined) return undefined;
  const [name = '', addressee = me] = words.slice(1, command.length).toLowerCase().split('@');
  if (addressee.toLowerCase() !== me.toLowerCase()) return undefined;
  return { name, payload: words.slice(command.length).replace(SEPARATORS, '').trimEnd() };
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
