/** Varieties that can be spoken (three Tibetan dialects and Chinese), their voices, and the names that people use for them. */
import { createNameParser, folded, LONGEST_NAME } from './names.ts';
import type { Language } from './script.ts';

export const DIALECTS = ['utsang', 'khampa', 'amdo'] as const;
export const VARIETIES = [...DIALECTS, 'chinese'] as const;

/** A dialect of Tibetan that the service speaks. */
export type Dialect = (typeof DIALECTS)[number];
/** Everything that the service speaks. */
export type Variety = (typeof VARIETIES)[number];

/** The names in one script, and words that may stand beside them: `མདོ` + `འི` + `སྐད` + `ལ`. */
interface Wording {
  readonly names: Readonly<Record<Variety, readonly string[]>>;
  /** Words before a dialect's name, and after it (up to MOST_AFTER, in any order). */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Words after the name of Chinese. */
  readonly afterChinese: readonly string[];
}

const CASE_PARTICLES = [
  ...['འི', 'གི', 'ཀྱི', 'གྱི', 'ཡི', 'ས', 'གིས', 'ཀྱིས', 'གྱིས', 'ཡིས'],
  ...['ལ', 'ར', 'ན', 'རུ', 'སུ', 'ཏུ', 'དུ', 'ནས', 'ལས', 'ཐོག', 'ཐོག་ནས', 'ནང'],
];

/** The names of spec §2, also in traditional characters and Wylie, and others that people would expect. */
const WORDINGS: readonly Wording[] = [
  {
    names: {
      utsang: ['utsang', 'uetsang', 'lhasa', 'dbus gtsang', 'dbus', 'gtsang skad'],
      khampa: ['khampa', 'kham', 'khams', 'khams pa'],
      amdo: ['amdo', 'a mdo', 'am skad'],
      chinese: ['chinese', 'zh', 'mandarin', 'mandarin chinese', 'rgya skad', 'rgya yig'],
    },
    before: ['tibetan'],
    after: ['tibetan', 'dialect', 'language', 'speech', 'skad', 'yul skad', "'i skad", 'gi skad', 'kyi skad'],
    afterChinese: [],
  },
  {
    names: {
      utsang: ['卫藏', '衛藏', '拉萨', '拉薩'],
      khampa: ['康巴', '康'],
      amdo: ['安多'],
      chinese: [
        ...['中文', '普通话', '普通話', '汉', '漢', '汉语', '漢語', '汉话', '漢話'],
        ...['国语', '國語', '华语', '華語', '中国话', '中國話'],
      ],
    },
    before: ['藏语', '藏語', '藏话', '藏話'],
    after: [
      ...['话', '話', '语', '語', '方言', '藏语', '藏語', '藏话', '藏話'],
      ...['区', '區', '地区', '地區', '藏区', '藏區'],
    ],
    afterChinese: [],
  },
  {
    names: {
      utsang: ['དབུས་གཙང', 'དབུས', 'གཙང་སྐད', 'གཙང་གི་སྐད', 'ལྷ་ས'],
      khampa: ['ཁམས', 'ཁམས་པ'],
      amdo: ['ཨ་མདོ', 'ཨམ་སྐད'],
      chinese: [...['རྒྱ་སྐད', 'རྒྱའི་སྐད', 'རྒྱ་ནག་སྐད', 'རྒྱ་ནག་གི་སྐད', 'ཧན་སྐད'], ...['རྒྱ་ཡིག', 'རྒྱའི་ཡི་གེ', 'ཧན་ཡིག']],
    },
    before: [],
    after: [...CASE_PARTICLES, 'སྐད', 'སྐད་ཆ', 'ཡུལ་སྐད', 'བོད་སྐད'],
    afterChinese: [...CASE_PARTICLES, 'ཆ'],
  },
];

/** As in `ཨ་མདོ` + `འི` + `ཡུལ་སྐད` + `ཐོག་ནས`. Bounded, since each word that can be split in two ways doubles the search. */
const MOST_AFTER = 4;

const anyOf = (words: readonly string[]): string => `(?:${words.map(folded).join('|')})`;

function patternOf({ names, before, after, afterChinese }: Wording, variety: Variety): RegExp {
  const name = anyOf(names[variety]);
  if (variety === 'chinese') return new RegExp(`^${name}${anyOf(afterChinese)}{0,${MOST_AFTER}}$`, 'u');
  return new RegExp(`^${anyOf(before)}?${name}${anyOf(after)}{0,${MOST_AFTER}}$`, 'u');
}

const PATTERNS = VARIETIES.flatMap((variety) =>
  WORDINGS.map((wording) => ({ variety, pattern: patternOf(wording, variety) })),
);

/**
 * The variety that a word or a few words name, in Latin, Chinese or Tibetan script, in any case, with or without
 * diacritics: `Amdo Tibetan`, `藏语康方言`, `ཨ་མདོའི་ཡུལ་སྐད་ལ་`.
 */
export function parseVariety(words: string): Variety | undefined {
  const name = folded(words);
  return PATTERNS.find(({ pattern }) => pattern.test(name))?.variety;
}

/** The Tibetan dialect that a word names; Chinese is none. */
export function parseDialect(word: string): Dialect | undefined {
  const variety = parseVariety(word);
  return variety === 'chinese' ? undefined : variety;
}

/** Recognises words that ask for the three dialects one after another. */
const parseAll = createNameParser(['all'] as const, () => [
  ...[
    'all',
    'all three',
    'all dialects',
    'all three dialects',
    'the three dialects',
    'tshang ma',
    'thams cad',
  ],
  ...[
    '全部',
    '所有',
    '全部方言',
    '所有方言',
    '三种方言',
    '三種方言',
    '三个方言',
    '三個方言',
    '三大方言',
    '三方言',
  ],
  ...['ཚང་མ', 'ཐམས་ཅད', 'གསུམ་ག', 'གསུམ་ཀ', 'སྐད་ལུགས་གསུམ'],
  ...['ཡུལ་སྐད་ཚང་མ', 'ཡུལ་སྐད་གསུམ', 'ཡུལ་སྐད་གསུམ་ག', 'ཡུལ་སྐད་གསུམ་ཀ'],
]);

/** Separates a name from the text: white space, a comma, a colon. */
const SEPARATOR = /[\s,:，：、]/u;
const ENDS_A_SENTENCE = /[.。\u0f0d-\u0f14]$/u;
/** Particles need a word before them; alone they are words of the text (`ས` is "earth"). */
const PARTICLES_ALONE = new RegExp(`^${anyOf(CASE_PARTICLES)}{1,${MOST_AFTER}}$`, 'u');

/** Whether each is a word: signs that stand alone are text, though signs inside a name are ignored. */
function areWords(words: readonly string[]): boolean {
  return words.every((word) => /\p{L}/u.test(word) && !PARTICLES_ALONE.test(folded(word)));
}

/**
 * Parses the arguments of /speak: the variety named first, if any, or `all`, and the text that follows, without outer white space. The
 * longest name on the first line counts (`amdo tibetan`, not `amdo`), up to white space, a comma or a colon. So `ཁམས་པ་ཚོ…` and `康定…` are
 * text, and so is a place name before a shad: `ལྷ་ས། …` begins a report.
 */
export function takeVariety(args: string): { variety: Variety | 'all' | undefined; text: string } {
  const text = args.trim();
  const firstLine = /^.*/u.exec(text)?.[0] ?? '';
  for (let end = Math.min(firstLine.length, LONGEST_NAME); end > 0; end -= 1) {
    const next = text.charAt(end);
    if (next !== '' && !SEPARATOR.test(next)) continue;
    const name = text.slice(0, end);
    if (!areWords(name.split(/\s+/u)) || (next !== '' && ENDS_A_SENTENCE.test(name))) continue;
    const variety = parseVariety(name) ?? parseAll(name);
    if (variety === undefined) continue;
    const rest = text.slice(end).replace(/^[,:，：、]/u, '');
    return { variety, text: rest.trimStart() };
  }
  return { variety: undefined, text };
}

/** The language of a variety; `all` means the dialects of Tibetan. */
export function languageOf(variety: Variety | 'all'): Language {
  return variety === 'chinese' ? 'chinese' : 'tibetan';
}

/** The voices of Chinese (service-interface §4.4, `vcn`); each Tibetan dialect has one voice. */
export const VOICES = ['xiaoxiao', 'yunjian'] as const;

export type Voice = (typeof VOICES)[number];

/** The service's spellings, and the bot's in Chinese and Tibetan. */
const VOICE_NAMES: Record<Voice, readonly string[]> = {
  xiaoxiao: ['xiaoxiao', '晓晓', '曉曉', 'ཞའོ་ཞའོ'],
  yunjian: ['yunjian', '云健', '雲健', 'ཡུན་ཅན'],
};

/** The voice that a word names, in any case. */
export const parseVoice = createNameParser(VOICES, (voice) => VOICE_NAMES[voice]);

/** Decides how a text sounds, and so is part of a voice note's key. */
export type Speaker = { readonly variety: Dialect } | { readonly variety: 'chinese'; readonly voice: Voice };

/** All speakers of a language. */
export function speakersOf(language: Language): readonly Speaker[] {
  if (language === 'tibetan') return DIALECTS.map((variety) => ({ variety }));
  return VOICES.map((voice) => ({ variety: 'chinese', voice }));
}

/** The speaker of a variety; for Chinese with this voice. */
export function speakerOf(variety: Variety, voiceOfChinese: Voice): Speaker {
  return variety === 'chinese' ? { variety, voice: voiceOfChinese } : { variety };
}
