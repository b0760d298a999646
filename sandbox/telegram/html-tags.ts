/** The tags and character references of parse mode HTML, one at a time. */
import { type ApiError, badRequest } from './api-error.ts';
import type { MessageEntity } from './objects.ts';

/** The entity that each tag makes. */
export const ENTITY_OF_TAG: Record<string, MessageEntity['type']> = {
  a: 'text_link',
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  u: 'underline',
  ins: 'underline',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  pre: 'pre',
  code: 'code',
  blockquote: 'blockquote',
};

/** "can't parse entities: …" */
export function parseFault(what: string): ApiError {
  return badRequest(`can't parse entities: ${what}`);
}

/** " at byte offset N", as errors end. */
function position(raw: string, at: number): string {
  return ` at byte offset ${Buffer.byteLength(raw.slice(0, at))}`;
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/**
 * The character that `&…` at this index stands for, and how much of the text it takes. Telegram knows four named
 * references and the numeric ones; any other `&` stands for itself.
 */
export function characterReference(raw: string, at: number): { character: string; length: number } {
  const pattern = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(lt|gt|amp|quot)(?![a-z]));?/iy;
  pattern.lastIndex = at;
  const [whole = '&', hex, decimal, name] = pattern.exec(raw) ?? [];
  const code = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16);
  if (code > 0 && code < 0x10ffff) return { character: String.fromCodePoint(code), length: whole.length };
  const character = NAMED[name ?? ''];
  return character === undefined ? { character: '&', length: 1 } : { character, length: whole.length };
}

/** The index after `</name>`; `expected` is the innermost open tag. Throws ApiError for any other. */
export function closeTag(raw: string, at: number, expected: string | undefined): number {
  if (expected === undefined) throw parseFault(`Unexpected end tag${position(raw, at)}`);
  const pattern = /<\/([^\s>]*)\s*(>?)/y;
  pattern.lastIndex = at;
  const [whole = '', given = '', bracket] = pattern.exec(raw) ?? [];
  const found = given.toLowerCase();
  if (bracket !== '>') throw parseFault(`Unclosed end tag${position(raw, at)}`);
  if (found !== '' && found !== expected)
    throw parseFault(`Unmatched end tag${position(raw, at)}, expected "</${expected}>", found "</${found}>"`);
  return at + whole.length;
}

/** The tag that begins at this index; throws ApiError for one that Telegram does not know, or that is broken. */
export function startTag(raw: string, at: number): { name: string; argument: string; end: number } {
  const [, rest = ''] = /^<([^\s>]*)/.exec(raw.slice(at)) ?? [];
  const name = rest.toLowerCase();
  let end = at + 1 + rest.length;
  if (end >= raw.length) throw parseFault(`Unclosed start tag${position(raw, at)}`);
  if (ENTITY_OF_TAG[name] === undefined)
    throw parseFault(`Unsupported start tag "${name}"${position(raw, at)}`);
  let argument = '';
  for (;;) {
    end += /^\s*/.exec(raw.slice(end))?.[0].length ?? 0;
    if (raw[end] === '>') break;
    const attribute = readAttribute(raw, { name, at, from: end });
    argument = argumentOf(name, attribute) ?? argument;
    end = attribute.end;
  }
  if (name === 'span' && argument !== 'spoiler')
    throw parseFault(`Tag "span" must have class "tg-spoiler"${position(raw, at)}`);
  return { name, argument, end: end + 1 };
}

interface Attribute {
  attribute: string;
  value: string;
  end: number;
}

/** Reads `attribute`, `attribute=word` or `attribute="text"` of the tag `name` that begins at `at`. */
function readAttribute(
  raw: string,
  { name, at, from }: { name: string; at: number; from: number },
): Attribute {
  const pattern = /([^\s=>/"']*)(\s*=\s*(?:"([^"]*)("?)|'([^']*)('?)|([a-z0-9.-]*)))?/iy;
  pattern.lastIndex = from;
  const [whole = '', attribute = '', equals, double, doubleEnd, single, singleEnd, word] =
    pattern.exec(raw) ?? [];
  const end = from + whole.length;
  if (end >= raw.length || doubleEnd === '' || singleEnd === '')
    throw parseFault(`Unclosed start tag "${name}"${position(raw, at)}`);
  if (attribute === '') throw parseFault(`Empty attribute name in the tag "${name}"${position(raw, at)}`);
  if (word !== undefined && !/[\s>]/.test(raw[end] ?? ''))
    throw parseFault(`Unexpected end of name token${position(raw, end - word.length)}`);
  if (equals === undefined) return { attribute, value: '', end };
  const quoted = double ?? single;
  const value = quoted?.replaceAll(/&[^&]*/g, (part) => {
    const { character, length } = characterReference(part, 0);
    return character + part.slice(length);
  });
  return { attribute, value: value ?? (word ?? '').toLowerCase(), end };
}

/** What the tag makes of its attribute; undefined where it makes nothing of it. */
function argumentOf(name: string, { attribute, value }: Attribute): string | undefined {
  switch (`${name} ${attribute}`) {
    case 'a href':
      return value;
    case 'code class':
      return value.startsWith('language-') ? value.slice('language-'.length) : undefined;
    case 'span class':
      return value.startsWith('tg-') ? value.slice('tg-'.length) : undefined;
    case 'blockquote expandable':
      return 'expandable';
    default:
      return undefined;
  }
}
