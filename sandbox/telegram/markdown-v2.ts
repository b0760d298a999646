/** Parse mode MarkdownV2: a text with marks becomes text and entities, with the real server's errors. */
import type { FormattedText } from './formatted-text.ts';
import { parseFault } from './html-tags.ts';
import { linkEntity } from './link-entity.ts';
import type { MessageEntity } from './objects.ts';

/** A mark that opens an entity and, but for links, closes it too. */
interface Mark {
  type: MessageEntity['type'];
  mark: string;
  /** The entity's name in Telegram's errors. */
  name: string;
}

/** The longer of two that begin alike comes first. */
const MARKS: readonly Mark[] = [
  { type: 'pre', mark: '```', name: 'Pre' },
  { type: 'code', mark: '`', name: 'Code' },
  { type: 'underline', mark: '__', name: 'Underline' },
  { type: 'italic', mark: '_', name: 'Italic' },
  { type: 'bold', mark: '*', name: 'Bold' },
  { type: 'strikethrough', mark: '~', name: 'Strikethrough' },
  { type: 'spoiler', mark: '||', name: 'Spoiler' },
  { type: 'text_link', mark: '[', name: 'TextUrl' },
];

const RESERVED = '_*[]()~`>#+-=|{}.!';

interface Open extends Mark {
  /** Where the mark is in the raw text. */
  at: number;
  /** Where the entity begins in the text read so far. */
  offset: number;
  language?: string;
}

/** Throws ApiError "can't parse entities: …", with byte offsets as the real server counts them. */
export function parseMarkdownV2(raw: string): FormattedText {
  return new MarkdownReader(raw).read();
}

/** Within code only the back quote counts. */
function isMark(character: string, innermost: Open | undefined): boolean {
  if (innermost?.type === 'code' || innermost?.type === 'pre') return character === '`';
  return RESERVED.includes(character) || character === '\n';
}

class MarkdownReader {
  readonly #raw: string;
  readonly #open: Open[] = [];
  readonly #entities: MessageEntity[] = [];
  #quoteStart: number | undefined;
  #text = '';
  #at = 0;

  constructor(raw: string) {
    this.#raw = raw;
  }

  read(): FormattedText {
    while (this.#at < this.#raw.length) this.#step();
    this.#checkAllClosed();
    this.#endQuote();
    return { text: this.#text, entities: this.#entities };
  }

  #step(): void {
    const character = this.#raw.charAt(this.#at);
    const next = this.#raw.charAt(this.#at + 1);
    const innermost = this.#open.at(-1);
    if (character === '\\' && next > '\0' && next <= '~') this.#take(next, 2);
    else if (innermost && this.#closes(innermost)) this.#close(innermost);
    else if (!isMark(character, innermost)) this.#take(character, 1);
    else if (character === '\n') this.#newLine();
    else if (character === '>' && this.#at === 0) this.#beginQuote();
    else this.#begin(character);
  }

  #take(character: string, length: number): void {
    this.#text += character;
    this.#at += length;
  }

  /** `__` within italics opens underline; it does not close the italics. */
  #closes({ type, mark }: Open): boolean {
    if (type === 'italic' && this.#raw.startsWith('__', this.#at)) return false;
    return this.#raw.startsWith(type === 'text_link' ? ']' : mark, this.#at);
  }

  #begin(character: string): void {
    const mark = MARKS.find((one) => this.#raw.startsWith(one.mark, this.#at));
    if (!mark)
      throw parseFault(`Character '${character}' is reserved and must be escaped with the preceding '\\'`);
    const at = this.#at;
    this.#at += mark.mark.length;
    let language = '';
    if (mark.type === 'pre') {
      const [whole = '', word = ''] =
        /^([^\s`]*)(?=\s)(?:\r\n|\n\r|\n|\r)?/.exec(this.#raw.slice(this.#at)) ?? [];
      language = word;
      this.#at += whole.length;
    }
    this.#open.push({ ...mark, at, offset: this.#text.length, ...(language !== '' && { language }) });
  }

  #close({ type, mark, offset, language }: Open): void {
    this.#open.pop();
    this.#at += type === 'text_link' ? 1 : mark.length;
    const entity: MessageEntity = {
      type,
      offset,
      length: this.#text.length - offset,
      ...(language && { language }),
    };
    const address = type === 'text_link' ? this.#address(this.#text.slice(offset)) : undefined;
    if (entity.length === 0) return;
    this.#entities.push(...(address === undefined ? [entity] : linkEntity(entity, address)));
  }

  /** The address in parentheses after `]`; without one, the text is the address. */
  #address(text: string): string {
    if (this.#raw.charAt(this.#at) !== '(') return text;
    const begin = this.#at + 1;
    const [whole = '', address = '', end] = /^((?:\\[\s\S]|[^)\\])*)(\)?)/.exec(this.#raw.slice(begin)) ?? [];
    if (end !== ')') throw parseFault(`Can't find end of a URL at byte offset ${this.#bytesBefore(begin)}`);
    this.#at = begin + whole.length;
    return address.replaceAll(/\\([ -~])/g, '$1');
  }

  /** A block quotation goes on while its lines begin with `>`. */
  #newLine(): void {
    const goesOn = this.#raw.charAt(this.#at + 1) === '>';
    if (this.#quoteStart !== undefined && !goesOn) {
      this.#checkAllClosed();
      this.#endQuote();
    }
    this.#take('\n', 1);
    if (goesOn) this.#beginQuote();
  }

  #beginQuote(): void {
    this.#at += 1;
    this.#quoteStart ??= this.#text.length;
  }

  #endQuote(): void {
    const offset = this.#quoteStart;
    this.#quoteStart = undefined;
    if (offset !== undefined && this.#text.length > offset)
      this.#entities.push({ type: 'blockquote', offset, length: this.#text.length - offset });
  }

  #checkAllClosed(): void {
    const open = this.#open.at(-1);
    if (open)
      throw parseFault(`Can't find end of ${open.name} entity at byte offset ${this.#bytesBefore(open.at)}`);
  }

  #bytesBefore(at: number): number {
    return Buffer.byteLength(this.#raw.slice(0, at));
  }
}
