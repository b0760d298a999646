/** Parse mode Markdown, the first of that name, which many bots still write: nothing is nested in it, and only four characters mark. */
import type { FormattedText } from './formatted-text.ts';
import { parseFault } from './html-tags.ts';
import { linkEntity } from './link-entity.ts';
import type { MessageEntity } from './objects.ts';

const TYPES = { _: 'italic', '*': 'bold', '`': 'code', '[': 'text_link' } as const;
const isMark = (character: string): character is keyof typeof TYPES => character in TYPES;

/** Throws ApiError "can't parse entities: …" for an entity without an end. A backslash frees a mark outside of entities alone. */
export function parseMarkdown(raw: string): FormattedText {
  const entities: MessageEntity[] = [];
  let text = '';
  let at = 0;
  while (at < raw.length) {
    const character = raw.charAt(at);
    if (character === '\\' && isMark(raw.charAt(at + 1))) {
      text += raw.charAt(at + 1);
      at += 2;
    } else if (!isMark(character)) {
      text += character;
      at += 1;
    } else {
      const marked = readMarked(raw, at, character);
      const entity: MessageEntity = { type: marked.type, offset: text.length, length: marked.text.length };
      if (entity.length > 0)
        entities.push(
          ...(marked.type === 'text_link'
            ? linkEntity(entity, marked.argument)
            : [{ ...entity, ...(marked.argument !== '' && { language: marked.argument }) }]),
        );
      text += marked.text;
      at = marked.end;
    }
  }
  return { text, entities };
}

interface Marked {
  type: MessageEntity['type'];
  text: string;
  /** An address, or the language of a block of code. */
  argument: string;
  end: number;
}

/** What the mark at this index begins, up to behind its end. */
function readMarked(raw: string, begin: number, mark: keyof typeof TYPES): Marked {
  const isBlock = raw.startsWith('```', begin);
  const [head = mark, language = ''] =
    (isBlock && /^```(?:([^\s`]+)(?=\s))?(?:\n\r|\r\n|\n|\r)?/.exec(raw.slice(begin))) || [];
  const closing = isBlock ? '```' : mark === '[' ? ']' : mark;
  const from = begin + head.length;
  const to = raw.indexOf(closing, from);
  if (to < 0)
    throw parseFault(
      `Can't find end of the entity starting at byte offset ${Buffer.byteLength(raw.slice(0, begin))}`,
    );
  const text = raw.slice(from, to);
  const end = to + closing.length;
  if (isBlock) return { type: 'pre', text, argument: language, end };
  if (mark !== '[') return { type: TYPES[mark], text, argument: '', end };
  const [whole, address] = /^\(([^)]*)\)?/.exec(raw.slice(end)) ?? ['', text];
  return { type: 'text_link', text, argument: address ?? text, end: end + whole.length };
}
