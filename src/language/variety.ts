/** What can be spoken (the three Tibetan dialects and Chinese) and the words people call it by. */
import { createNameParser } from './names.ts';
import type { Language } from './script.ts';

export const DIALECTS = ['utsang', 'khampa', 'amdo'] as const;
export const VARIETIES = [...DIALECTS, 'chinese'] as const;

/** A dialect of Tibetan that the service speaks. */
export type Dialect = (typeof DIALECTS)[number];
/** All that the service speaks. */
export type Variety = (typeof VARIETIES)[number];

/** Spec §2, with traditional characters and the names people would expect beside those. */
const NAMES: Record<Variety, readonly string[]> = {
  utsang: ['utsang', 'uetsang', 'lhasa', '卫藏', '衛藏', '拉萨', '拉薩', 'དབུས་གཙང', 'དབུས་སྐད', 'ལྷ་ས'],
  khampa: ['khampa', 'kham', 'khams', '康巴', '康', 'ཁམས', 'ཁམས་པ'],
  amdo: ['amdo', '安多', 'ཨ་མདོ'],
  chinese: [
    ...['chinese', 'zh', 'mandarin'],
    ...['中文', '普通话', '普通話', '汉语', '漢語', '国语', '國語', '华语', '華語'],
    ...['རྒྱ་སྐད', 'རྒྱ་ཡིག', 'རྒྱ་ནག་སྐད'],
  ],
};

/** "… speech", which may follow any of them: 安多话, 康巴方言, ཁམས་སྐད, ཨ་མདོའི་སྐད, དབུས་གཙང་གི་སྐད. */
const SPEECH = [
  ...['', '话', '話', '语', '語', '方言', '藏语', '藏語', '藏话', '藏話'],
  ...['སྐད', 'འི་སྐད', 'གི་སྐད', 'ཀྱི་སྐད', 'སྐད་ཆ', 'འི་སྐད་ཆ'],
];

/** The variety that a word names, in Latin, Chinese or Tibetan script, in any case, with or without diacritics. */
export const parseVariety = createNameParser(VARIETIES, (variety) =>
  NAMES[variety].flatMap((name) => SPEECH.map((speech) => name + speech)),
);

/** The Tibetan dialect that a word names; Chinese is none. */
export function parseDialect(word: string): Dialect | undefined {
  const variety = parseVariety(word);
  return variety === 'chinese' ? undefined : variety;
}

/** One word, two of one line (`ü tsang`), or what a colon sets apart (`安多：你好`). */
const LEADING_NAMES = [/^\S+/u, /^\S+[^\S\n]+\S+/u, /^[^\n:：]+[:：]/u];

/**
 * The arguments of /speak: the variety named first, if there is one, and the text that follows, without outer white
 * space. Only a whole word up to white space or a colon is a name, so `ཁམས་པ་ཚོ…` and `康定…` are text.
 */
export function takeVariety(args: string): { variety: Variety | undefined; text: string } {
  const text = args.trim();
  for (const pattern of LEADING_NAMES) {
    const name = pattern.exec(text)?.[0] ?? '';
    const variety = parseVariety(name);
    if (variety !== undefined) return { variety, text: text.slice(name.length).trimStart() };
  }
  return { variety: undefined, text };
}

/** The language in which a text must be to be spoken so. */
export function languageOf(variety: Variety): Language {
  return variety === 'chinese' ? 'chinese' : 'tibetan';
}
