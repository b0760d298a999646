/** Words that mean a command beside a mention of the bot, or as a caption. */
import { MAX_NAME_LENGTH, simplified } from './names.ts';
import { documentWords } from './page-range.ts';
import { parseReadingLanguage } from './reading-language.ts';
import { dominantLanguage, type Language } from './script.ts';
import { takeVariety } from './variety.ts';

export interface Order {
  readonly name: 'translate' | 'speak' | Language;
  readonly payload: string;
}

/** Longer ones first: the first that fits counts. */
const WORDS = [
  ...['translate', '翻译', 'ཡིག་བསྒྱུར', 'ཡིག་སྒྱུར', 'བསྒྱུར', 'སྒྱུར'].map((word) => ['translate', word] as const),
  ...['speak', '朗读', 'ཀློག་འདོན'].map((word) => ['speak', word] as const),
];

/** What means nothing at either end; of Tibetan, whole syllables. */
const BESIDE = [
  String.raw`(?<![\s\p{P}])[\s\p{P}]+`,
  '(?<![a-z])(?:please|pls|this|it|for me)(?![a-z])',
  '请|請|帮我|幫我|帮忙|幫忙|一下|这个|這個|吧',
  String.raw`(?<![\u0f40-\u0fbc])(?:རོགས|གནང|བྱེད|ཞུ|དང|འདི)(?![\u0f40-\u0fbc])`,
].join('|');
const BEFORE = new RegExp(`^(?:${BESIDE})`, 'iu');
const AFTER = new RegExp(`(?:${BESIDE})$`, 'iu');
/** Into a language; without such a word it may be the language to read. */
const INTO = /(?<!\p{L})(?:into|in|to)(?!\p{L})|[译譯]?[成为為]|(?<=[\p{L}\p{M}]་)(?:ཏུ|དུ|ལ|ནང)$/giu;

/** `mayHaveText`: the text itself may follow the command. */
export function orderIn(words: string, mayHaveText: boolean): Order | undefined {
  const said = bare(words);
  for (const [name, word] of WORDS) {
    const rest = said.length > MAX_NAME_LENGTH ? undefined : without(said, word);
    const order = rest === undefined ? undefined : understood(name, bare(rest));
    if (order !== undefined) return order;
  }
  return mayHaveText ? withText(words.trim()) : undefined;
}

function without(said: string, word: string): string | undefined {
  const folded = simplified(said.toLowerCase());
  if (folded.startsWith(word)) return said.slice(word.length);
  return folded.endsWith(word) ? said.slice(0, -word.length) : undefined;
}

function bare(words: string): string {
  if (words.length > MAX_NAME_LENGTH) return words;
  let rest = words;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(BEFORE, '').replace(AFTER, '');
  }
  return rest;
}

/** The order that `rest` makes of a command; undefined if it says something else. */
function understood(name: 'translate' | 'speak', rest: string): Order | undefined {
  if (rest === '' || documentWords(rest).ranges !== undefined) return { name, payload: rest };
  if (name === 'speak') {
    const { variety, isSlow, text } = takeVariety(rest);
    const isHow = text === '' && (variety !== undefined || isSlow);
    return isHow ? { name, payload: rest } : undefined;
  }
  const language = bare(rest.replace(INTO, ' '));
  const named = parseReadingLanguage(language);
  if (named === undefined) return undefined;
  return rest === language ? { name, payload: language } : { name: named, payload: '' };
}

function withText(words: string): Order | undefined {
  for (const [name, word] of WORDS) {
    const rest = simplified(words.toLowerCase()).startsWith(word) ? words.slice(word.length) : '';
    const payload = rest.replace(/^[\s,:，：、།]+/u, '');
    if (payload !== rest && dominantLanguage(payload) !== undefined) return { name, payload };
  }
  return undefined;
}
