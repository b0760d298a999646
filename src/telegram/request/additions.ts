/** What the bot adds to a text in its messages (headings, remarks, photo numbers, a quoted original), and how it finds the text again. */
import type * as Telegram from '@grammyjs/types';
import type { Message } from 'telegraf/types';
import { PAGE_MARK } from '../../language/reading/page-marks.ts';
import { dominantLanguage } from '../../language/script.ts';
import { ELLIPSIS, truncate } from '../../language/split.ts';
import { callbackDataIn } from './callback.ts';
import { type FormattedText, textIn } from './text-in.ts';

/** The heading in a voice note's caption: the variety. In an audio file's caption, the reason for sending no voice note stands above it. */
const VOICE_HEADING = /^(?:[^\n]+\n\n)?🔊 [^\n]*\n/u;

export function voiceCaption(variety: string, text: string): string {
  return `🔊 ${variety}\n${text}`;
}

/** Telegram's limit for captions, in UTF-16 units after entity parsing. */
const CAPTION_LIMIT = 1024;

export function fitsCaption(text: string): boolean {
  return text.length <= CAPTION_LIMIT;
}

/** About one line on a phone, in UTF-16 units. */
const LINE = 64;

/** The first line with words is sought in so much of a text, in UTF-16 units. */
const MAX_SEARCHED = 4000;

/** The first line with words of a text, or its beginning; ends with `…` if there is more. */
export function firstLine(text: string): string {
  const whole = text.trim();
  const lines = whole.slice(0, MAX_SEARCHED).split('\n');
  const line = (lines.find((one) => dominantLanguage(one) !== undefined) ?? whole).trim();
  return line === whole ? truncate(line, LINE) : truncate(`${line}${ELLIPSIS}`, LINE);
}

/** The heading between a text and its Wylie, the same in every language. */
const WYLIE_HEADING = '🔤 Wylie';
const WYLIE = new RegExp(`\\n\\n${WYLIE_HEADING}\\n.*$`, 'su');

export function withWylie(text: string, wylie: string): string {
  return `${text}\n\n${WYLIE_HEADING}\n${wylie}`;
}

/** In an album, begins the remark that replaces the text of an unreadable photo. */
const REMARK_SIGN = '⚠️';
const REMARK = `\\d+\\.\\n${REMARK_SIGN} [^\\n]*`;
const REMARKS = new RegExp(`^(?:${REMARK}(?:\\n\\n|$))+|\\n\\n${REMARK}(?=\\n\\n|$)`, 'gu');

/** The line under a recognised text that names syllables to check (`doubts` in `locales/`); it begins alike in every language. */
const DOUBTS = /(?:^|\n\n)🔎 [^\n]*$/u;

function withoutDoubts(text: string): string {
  return text.replace(DOUBTS, '');
}

/** The line under the pages of a document that says how many were read. */
const PAGES_SIGN = '📄';
const PAGES_NOTE = new RegExp(`(?:^|\\n\\n)${PAGES_SIGN} [^\\n]*$`, 'u');

export function asPagesNote(words: string): string {
  return `${PAGES_SIGN} ${words}`;
}

/** Marks a remark of the bot among recognised texts. */
export function asRemark(words: string): string {
  return `${REMARK_SIGN} ${words}`;
}

export function isRemark(text: string): boolean {
  return text.startsWith(REMARK_SIGN);
}

export function textsWithoutRemarks(text: string): string {
  return text.replace(REMARKS, '');
}

/** The text of a message without the variety's heading, its Wylie, and remarks. */
export function textWithoutHeadings(message: object): string {
  return textsWithoutRemarks(textIn(message).replace(VOICE_HEADING, '').replace(WYLIE, ''));
}

/** Joins the texts of pictures, each under its photo's number if there are several. Empty texts are left out. */
export function numbered(texts: readonly string[]): string {
  const [only = '', ...more] = texts;
  if (more.length === 0) return only;
  const parts = texts.map((text, index) => (text === '' ? '' : `${index + 1}.\n${text}`));
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The number of a photo of an album, above its text. */
const NUMBER = /(?:^|\n\n)(\d+)\.\n/gu;

/** Undoes `numbered`: the texts, each at the index of its photo. */
export function textsIn(text: string): string[] {
  const texts: string[] = [];
  const numbers = [...text.matchAll(NUMBER)];
  const heads = numbers[0]?.index === 0 ? numbers : [];
  if (heads.length === 0) return [text];
  for (const [index, head] of heads.entries()) {
    const number = Number(head[1]);
    // A number out of order is a line of the text before it.
    if (!(number > texts.length) || number > MAX_PHOTOS) {
      const at = texts.length - 1;
      texts[at] = `${texts[at] ?? ''}${text.slice(head.index, heads[index + 1]?.index)}`;
      continue;
    }
    while (texts.length < number - 1) texts.push('');
    texts.push(text.slice(head.index + head[0].length, heads[index + 1]?.index));
  }
  // A second, empty text makes `numbered` keep the number of a single one.
  return texts.length === 1 ? [...texts, ''] : texts;
}

/** The texts without the numbers of their photos, for speech. */
export function withoutNumbers(text: string): string {
  return textsIn(text)
    .filter((one) => one !== '')
    .join('\n\n');
}

/** The most photos in an album (Telegram). */
const MAX_PHOTOS = 10;

export function showsPages(message: Message): boolean {
  const text = textIn(message);
  return PAGES_NOTE.test(withoutDoubts(text)) || text.search(PAGE_MARK) >= 0;
}

/** Whether the bot recognised this message's text in a picture: only such texts have buttons to read again and to translate. */
export function isRecognised(message: Message): boolean {
  if (!('text' in message)) return false;
  const buttons = callbackDataIn(message);
  return buttons.includes('translate') && buttons.some((data) => data.startsWith('read:'));
}

/** Formatting of a text. Telegraf's types end at Bot API 7.1 and have neither expandable quotes (7.4) nor times (9.5). */
export type TextEntity = Telegram.MessageEntity;

/** Originals above this length, in UTF-16 units, are folded: about six lines on a phone. */
const FOLDED_FROM = 240;

/** A quote; apps show only the beginning of a long one until it is tapped. */
function quote(offset: number, length: number, foldedFrom: number): TextEntity {
  return { type: length > foldedFrom ? 'expandable_blockquote' : 'blockquote', offset, length };
}

export function quoted({ length }: string): TextEntity[] {
  return [quote(0, length, FOLDED_FROM)];
}

/** Results above this length, in UTF-16 units, are folded in groups: half a phone's screen. */
const RESULT_FOLDED_FROM = 500;

/** Folds a long result in a group; `length`: that of the result, which begins at `offset` in the message. */
export function folded(length: number, offset = 0): TextEntity[] {
  return length > RESULT_FOLDED_FROM ? [quote(offset, length, RESULT_FOLDED_FROM)] : [];
}

/** A translation under its original. `isFolded`: a long translation is folded, too. */
export function withOriginal(original: string, translation: string, isFolded: boolean): FormattedText {
  const fold = isFolded ? folded(translation.length, original.length + 1) : [];
  return { text: `${original}\n${translation}`, entities: [...quoted(original), ...fold] };
}

const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'expandable_blockquote']);

/** The text of a bot's message without the original quoted above it. A quote with nothing under it is the text itself: a folded result. */
function withoutOriginal(text: string, entities: readonly Pick<TextEntity, 'type' | 'length'>[]): string {
  const [first] = entities.filter(({ type }) => QUOTES.has(type));
  const rest = first === undefined ? '' : text.slice(first.length + 1);
  return rest.trim() === '' ? text : rest;
}

/** A message of the bot without the original above a translation, and without the lines under its text. */
export function withoutAdditions(message: Message): object {
  const entities = ('text' in message && message.entities) || [];
  return { text: withoutOriginal(withoutDoubts(textIn(message)).replace(PAGES_NOTE, ''), entities) };
}
