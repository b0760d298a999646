/** Translation by a phrasebook; a clause it does not know becomes a word-by-word gloss that says so. */
import type { Language } from './engines.ts';
import { glossChinese, glossTibetan } from './gloss.ts';
import { PHRASES } from './phrasebook.ts';

interface Direction {
  /** Clauses with the marks that close them. Tibetan parts clauses by a mere space too, after ག. */
  readonly clause: RegExp;
  /** A letter of the language translated from. */
  readonly letter: RegExp;
  readonly phrases: ReadonlyMap<string, string>;
  readonly gloss: (clause: string) => string;
  /** What becomes of a clause without such letters. */
  readonly keep: (clause: string) => string;
  /** Says, before a gloss, that it goes word by word. */
  readonly label: string;
  /** The clauses of a line, put together again. */
  readonly join: (clauses: readonly string[]) => string;
}

const DIRECTIONS: Readonly<Record<Language, Direction>> = {
  bo: {
    clause: /[^།༎༏༑༔\s]+[།༎༏༑༔]*|[།༎༏༑༔]+/gu,
    letter: /[\u0F40-\u0FBC]/u,
    phrases: phrasesByKey(PHRASES),
    gloss: (clause) => `${glossTibetan(clause)}${/[།༎༏༑༔]$/u.test(clause) ? '。' : ''}`,
    keep: (clause) => clause.replace(/[\u0F01-\u0F14]/gu, '').replace(/[\u0F20-\u0F29]/gu, arabicDigit),
    label: '〔逐词〕',
    join: (clauses) =>
      clauses.join(' ').replace(/(?<=[\p{Script=Han}。！？》]) | (?=[\p{Script=Han}〔《])/gu, ''),
  },
  zh: {
    clause: /[^。！？，；、!?,;\s]+[。！？，；、!?,;]*|[。！？，；、!?,;]+/gu,
    letter: /\p{Script=Han}/u,
    phrases: phrasesByKey(PHRASES.map(([bo, zh]) => [zh, bo])),
    gloss: (clause) =>
      withShad(glossChinese(clause.replace(/(?<![。！？，；、!?,;])[。！？，；、!?,;]+$/u, ''))),
    keep: (clause) => clause,
    label: '〔ཚིག་རེ་〕',
    join: (clauses) => clauses.join(' '),
  },
};

/** Translates clause by clause; line breaks and indents stay. The same text always gives the same translation. */
export function translateByPhrasebook(text: string, from: Language): string {
  return text
    .split(/(\r?\n)/u)
    .map((line) => translateLine(line, DIRECTIONS[from]))
    .join('');
}

function translateLine(line: string, direction: Direction): string {
  let isGlossing = false;
  const clauses = line.match(direction.clause) ?? [];
  if (clauses.length === 0) return line;
  const translated = clauses.map((clause) => {
    const phrase = direction.phrases.get(phraseKey(clause));
    const wasGlossing = isGlossing;
    isGlossing = phrase === undefined && direction.letter.test(clause);
    if (!isGlossing) return phrase ?? direction.keep(clause);
    return `${wasGlossing ? '' : direction.label}${direction.gloss(clause)}`;
  });
  const [indent = ''] = line.match(/^\s*/u) ?? [];
  return indent + direction.join(translated.filter((clause) => clause !== ''));
}

function phrasesByKey(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(pairs.toReversed().map(([source, target]) => [phraseKey(source), target]));
}

/** Marks, spaces and the politeness of 您 make no other sentence. */
function phraseKey(clause: string): string {
  return clause
    .normalize('NFC')
    .replaceAll('\u0F0C', '\u0F0B')
    .replaceAll('您', '你')
    .replace(/(?<![\p{P}\s])[\p{P}\s]+$|^[\p{P}\s]+/gu, '');
}

function arabicDigit(tibetan: string): string {
  return String((tibetan.codePointAt(0) ?? 0) - 0x0f20);
}

/** Tibetan spelling: no shad after ག, a tsheg before it after ང. */
function withShad(clause: string): string {
  if (clause.endsWith('ག')) return clause;
  return clause.endsWith('ང') ? `${clause}་།` : `${clause}།`;
}
