/**
 * What the bot puts around a text of its own (headings, remarks, numbers of photos, an original quoted above it), and what is meant out of
 * such a message: whatever is put there here is taken off here.
 */
import type { Message, MessageEntity } from 'telegraf/types';
import { readingsOfPages } from '../../language/reading.ts';
import { dominantLanguage } from '../../language/script.ts';
import { ELLIPSIS, truncate } from '../../language/truncate.ts';
import type { ReceivedContext } from '../context.ts';
import { textIn } from './text-in.ts';

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
function withoutDoubts(text: string): string {
  return text.replace(DOUBTS, '');
}

/** What the bot itself has to say, in one line, among texts that were read. */
export function asRemark(words: string): string {
  return `${REMARK_SIGN} ${words}`;
}

/** Stands above each of two recognitions of the same picture. */
const RECOGNITION_HEADING = /^👁 [^\n]*\n/gmu;

/** A text as it was recognised in a language. */
export function underHeading(language: string, text: string): string {
  return `👁 ${language}\n${text}`;
}

/** The texts of an album, or of two recognitions, without the headings of ours and the remarks among them. */
export function textsWithoutRemarks(text: string): string {
  return text.replace(RECOGNITION_HEADING, '').replace(REMARKS, '');
}

/** The text of a message as it is meant: without the line of ours that names the variety, without its Wylie, and without remarks. */
export function textWithoutHeadings(message: object): string {
  return textsWithoutRemarks(textIn(message).replace(VOICE_HEADING, '').replace(WYLIE, ''));
}

/** The texts of pictures in one: each under the number of its photo where there are several; what is empty is left out. */
export function numbered(texts: readonly string[]): string {
  const [only = '', ...more] = texts;
  if (more.length === 0) return only;
  const parts = texts.map((text, index) => (text === '' ? '' : `${index + 1}.\n${text}`));
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The number of a photo of an album, above its text. */
const NUMBER = /(?:^|\n\n)(\d+)\.\n/gu;

/** The texts that `numbered` put into one, by the places of their photos. */
function textsIn(text: string): string[] {
  const texts: string[] = [];
  const numbers = [...text.matchAll(NUMBER)];
  const heads = numbers[0]?.index === 0 ? numbers : [];
  if (heads.length === 0) return [text];
  for (const [index, head] of heads.entries()) {
    const place = Number(head[1]);
    // A number that does not follow is a line of the text before it.
    if (!(place > texts.length) || place > MOST_PHOTOS) {
      const at = texts.length - 1;
      texts[at] = `${texts[at] ?? ''}${text.slice(head.index, heads[index + 1]?.index)}`;
      continue;
    }
    while (texts.length < place - 1) texts.push('');
    texts.push(text.slice(head.index + head[0].length, heads[index + 1]?.index));
  }
  // One that is left of several keeps its number.
  return texts.length === 1 ? [...texts, ''] : texts;
}

/** What an album holds (Telegram). */
const MOST_PHOTOS = 10;

/** What the texts of pictures mean, each as `recognise` gave it. A page that goes on from the one before it is joined to that, and then empty. */
export async function readingsOf(ctx: ReceivedContext, texts: readonly string[]): Promise<string[]> {
  const { interpreter } = ctx.bot;
  return readingsOfPages(await Promise.all(texts.map((text) => interpreter.pageOf(text))));
}

/** What a recognised text of the bot's means, as it stands in a message. */
export async function readingOfShown(ctx: ReceivedContext, shown: string): Promise<string> {
  return numbered(await readingsOf(ctx, textsIn(shown)));
}

/** Whether the bot read this message's text in a picture: only under such a text are buttons that read it again and translate it. */
export function isRecognised(message: Message): boolean {
  if (!('text' in message) || !('reply_markup' in message)) return false;
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  const has = (data: RegExp): boolean =>
    buttons.some((button) => 'callback_data' in button && data.test(button.callback_data));
  return has(/^read:/u) && has(/^translate$/u);
}

/** What of a text is set off. Telegraf's types end at Bot API 7.1, and know no quote that folds (7.4). */
export type TextEntity =
  | MessageEntity
  | { readonly type: 'expandable_blockquote'; readonly offset: number; readonly length: number };

interface Formatted {
  readonly text: string;
  readonly entities: readonly TextEntity[];
}

/** An original that is longer is folded, in UTF-16 units: about what a phone shows in six lines. */
const FOLDED_FROM = 240;

/** A quote; a long one shows its beginning until it is tapped. */
function quote(offset: number, { length }: string): TextEntity {
  const type = length > FOLDED_FROM ? 'expandable_blockquote' : 'blockquote';
  return { type, offset, length };
}

/** The whole text as a quote. */
export function quoted(text: string): Formatted {
  return { text, entities: [quote(0, text)] };
}

/** A result that is longer fills half a phone, in UTF-16 units. */
const RESULT_FOLDED_FROM = 500;

/** A long result among others' messages shows its beginning until it is tapped; `length` is that of the result, which `text` begins with. */
export function folded(length: number): TextEntity[] {
  return length > RESULT_FOLDED_FROM ? [fold(0, length)] : [];
}

function fold(offset: number, length: number): TextEntity {
  return { type: 'expandable_blockquote', offset, length };
}

/** A translation under its original, as `withOriginal`; a long one is folded, in one quote under that of all of the original. */
export function withOriginalFolded(original: string, translation: string): Formatted {
  if (folded(translation.length).length === 0) return withOriginal(original, translation);
  const above = original.trim();
  const start = above.length + 1;
  return {
    text: `${above}\n${translation}`,
    entities: [quote(0, above), fold(start, translation.length)],
  };
}

/** Each paragraph under its original where both have as many, else all of it under all; the quotes are told by entities, never by markup. */
export function withOriginal(original: string, translation: string): Formatted {
  const [parts, above] = inPairs(original.trim(), translation);
  let text = '';
  const entities: TextEntity[] = [];
  for (const [index, part] of parts.entries()) {
    const source = index % 2 === 0 ? above[index / 2] : undefined;
    if (source !== undefined) {
      entities.push(quote(text.length, source));
      text += `${source}\n`;
    }
    text += part;
  }
  return { text, entities };
}

/** A blank line ends a paragraph; where there is none, or the two differ in them, a line break does. */
const SEPARATORS = [/(\n[^\S\n]*\n\s*)/u, /(\n)/u];

/** The paragraphs of the translation, with what parts them in between, and the originals of the paragraphs. */
function inPairs(original: string, translation: string): [readonly string[], readonly string[]] {
  for (const separator of SEPARATORS) {
    const parts = translation.split(separator);
    const above = original.split(separator).filter((_, index) => index % 2 === 0);
    const isPaired = above.length > 1 && parts.length === above.length * 2 - 1;
    if (
      isPaired &&
      [...above, ...parts.filter((_, index) => index % 2 === 0)].every((one) => one.trim() !== '')
    )
      return [parts, above.map((one) => one.trim())];
  }
  return [[translation], [original]];
}

const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'expandable_blockquote']);

/**
 * What a message of the bot's means: its text without the originals quoted in it. Where all of it is quoted, the last quote is the result
 * itself, which is folded, or an original that stands alone. `entities` as Telegram tells them: offsets count UTF-16 units.
 */
export function withoutOriginals(
  text: string,
  entities: readonly Pick<TextEntity, 'type' | 'offset' | 'length'>[],
): string {
  const quotes = entities.filter(({ type }) => QUOTES.has(type));
  let rest = '';
  let end = 0;
  for (const { offset, length } of quotes) {
    rest += text.slice(end, offset);
    end = offset + length;
    if (text.charAt(end) === '\n') end += 1;
  }
  rest += text.slice(end);
  const last = quotes.at(-1);
  return last === undefined || rest.trim() !== '' ? rest : text.slice(last.offset, last.offset + last.length);
}

/** Of an answer that shows a translation under its original, the translation; of any, what stands above the line that says what to check. */
export function withoutAdditions(message: Message): object {
  const entities = ('text' in message && message.entities) || [];
  return { text: withoutOriginals(withoutDoubts(textIn(message)), entities) };
}
