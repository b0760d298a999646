/** The words that a message carries, without what addresses the bot; and the headings that the bot itself puts over and under texts. */
import type { MessageEntity, UserFromGetMe } from 'telegraf/types';
import { dominantLanguage } from '../../language/script.ts';
import { ELLIPSIS, truncate } from '../../language/truncate.ts';

/** Where a message has its words; a text has no caption. */
export interface Worded {
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

/** The text or caption without mentions of the bot, outer white space dropped. */
export function textWithoutMention(message: object | undefined, me: UserFromGetMe): string {
  let text = textIn(message);
  for (const { offset, length } of mentionsOf(message, me).reverse()) {
    text = `${text.slice(0, offset)}${text.slice(offset + length)}`;
  }
  return text.trim();
}

/** What a message says, or all captions of an album, without mentions of the bot; outer white space dropped. */
export function textOfAlbum({
  album,
  botInfo,
}: {
  album: readonly object[];
  botInfo: UserFromGetMe;
}): string {
  const texts = album.map((message) => textWithoutMention(message, botInfo));
  return texts.filter((text) => text !== '').join('\n\n');
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

/** Marks a voice note of ours: above the text stands the variety that it is spoken in, and above that why it is a file. */
const VOICE_HEADING = /^(?:[^\n]+\n\n)?🔊 [^\n]*\n/u;

/** What stands under a voice note: the variety, and the text spoken. */
export function voiceCaption(variety: string, text: string): string {
  return `🔊 ${variety}\n${text}`;
}

/** About as much as a phone shows in one line, in UTF-16 units. */
const LINE = 64;

/** At most the first line that is spoken of a text, marked with `…` where that is not all of it. */
export function firstLine(text: string): string {
  const whole = text.trim();
  const lines = whole.split('\n');
  const line = (lines.find((one) => dominantLanguage(one) !== undefined) ?? whole).trim();
  return line === whole ? truncate(line, LINE) : truncate(`${line}${ELLIPSIS}`, LINE);
}

/** Stands above the Wylie under a text of ours, in every language; the text is told from its Wylie by it. */
const WYLIE_HEADING = '🔤 Wylie';
const WYLIE = new RegExp(`\\n\\n${WYLIE_HEADING}\\n.*$`, 'su');

/** A text with its Wylie under it. */
export function withWylie(text: string, wylie: string): string {
  return `${text}\n\n${WYLIE_HEADING}\n${wylie}`;
}

/** Stands under the number of a photo of an album that could not be read, before the words that say why. */
const REMARK_SIGN = '⚠️';
const REMARK = `\\d+\\.\\n${REMARK_SIGN} [^\\n]*`;
const REMARKS = new RegExp(`^(?:${REMARK}(?:\\n\\n|$))+|\\n\\n${REMARK}(?=\\n\\n|$)`, 'gu');

/** Begins the line under a recognised text, in every language, that says what of it to check (`doubts` in `locales/`). */
const DOUBTS = /(?:^|\n\n)🔎 [^\n]*$/u;

/** A text of the bot's without the line under it that says what to check. */
export function withoutDoubts(text: string): string {
  return text.replace(DOUBTS, '');
}

/** What the bot itself has to say, in one line, among texts that were read. */
export function asRemark(words: string): string {
  return `${REMARK_SIGN} ${words}`;
}

/** Stands above each of two readings of the same picture. */
const READING_HEADING = /^👁 [^\n]*\n/gmu;

/** A text as it was read in a language. */
export function underHeading(language: string, text: string): string {
  return `👁 ${language}\n${text}`;
}

/** The texts of an album, or of two readings, without the headings of ours and the remarks among them. */
export function textsWithoutRemarks(text: string): string {
  return text.replace(READING_HEADING, '').replace(REMARKS, '');
}

/** The text of a message as it is meant: without the line of ours that names the variety, without its Wylie, and without remarks. */
export function textWithoutHeadings(message: object): string {
  return textsWithoutRemarks(textIn(message).replace(VOICE_HEADING, '').replace(WYLIE, ''));
}
