/** Texts for pages: composed at random of common phrases, or read from files. */
import { readFileSync } from 'node:fs';
import { pick, seeded } from '../../bench/load/random.ts';
import type { Language } from '../../sandbox/service/engines.ts';

/** A text in units; exactly at the end of each unit a break is meant. */
export interface Text {
  readonly language: Language;
  readonly isVerse: boolean;
  /** Paragraphs, or lines of verse; an empty one is the space between stanzas. */
  readonly units: readonly string[];
}

/** A repeatable random generator. */
export interface Dice {
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  of<T>(choices: readonly T[]): T;
}

export function createDice(seed: number): Dice {
  const random = seeded(seed);
  return {
    between: (least, most) => least + Math.floor(random() * (most - least + 1)),
    of: (choices) => pick(random, choices),
  };
}

const TIBETAN_SYLLABLES =
  'རྒྱལ པོ དེ ནས ཡུལ མི ཚང མ དགའ བའི སེམས ཀྱིས ལྷ ས ར བྱོན ཏེ སློབ དཔོན ལ ཞུས པས བཀའ གནང བ ཆོས ཀྱི འཁོར ལོ བསྐོར ཞིང གནས སུ བྱམས སྙིང རྗེ ཆེན དང ལྡན གཅིག ཡོད པའི དུས བདག རིག ནག ཐག རང གི ཕྱག'.split(
    ' ',
  );
const CHINESE_PHRASES =
  '今天 天气 很好 我们 一起 到 拉萨 去 看 布达拉宫 他 说 这里 的 人 都 喜欢 喝茶 学校 老师 教 孩子 读书 写字 高原 上 阳光 非常 明亮 湖水 碧蓝 从前 有 一个 国王 两个 儿子 山下 住着 牧人 每天 早晨 放羊 晚上 回家 讲 故事 给 大家 听'.split(
    ' ',
  );

function tibetanPhrase(dice: Dice, syllables: number): string {
  const words = Array.from({ length: syllables }, () => dice.of(TIBETAN_SYLLABLES));
  const last = words.at(-1) ?? '';
  const text = words.join('་');
  // After these the shad is not written.
  if (/[ཀག]$/u.test(last)) return text;
  return `${text}${last.endsWith('ང') ? '་' : ''}།`;
}

function chineseClause(dice: Dice, phrases: number): string {
  return Array.from({ length: phrases }, () => dice.of(CHINESE_PHRASES)).join('');
}

function chineseSentence(dice: Dice): string {
  const clauses = Array.from({ length: dice.between(1, 4) }, () => chineseClause(dice, dice.between(2, 7)));
  return `${clauses.join('，')}${dice.of(['。', '。', '。', '！', '？', '；'])}`;
}

function chineseParagraph(dice: Dice): string {
  const count = dice.of([1, 1, 2, 3, 4, 6]);
  const sentences = Array.from({ length: count }, () => chineseSentence(dice)).join('');
  return dice.between(1, 4) === 1 ? `“${sentences}”` : sentences;
}

function tibetanParagraph(dice: Dice): string {
  const count = dice.of([1, 2, 3, 5, 8, 12]);
  return Array.from({ length: count }, () => tibetanPhrase(dice, dice.between(3, 17))).join(' ');
}

function stanzas(dice: Dice, count: number, lineOf: () => string): string[] {
  const lines = dice.of([4, 4, 8]);
  return Array.from({ length: count }, () => [...Array.from({ length: lines }, lineOf), '']).flat();
}

/** Prose or verse of about this many printed characters. */
export function composed(language: Language, isVerse: boolean, characters: number, dice: Dice): Text {
  const units: string[] = [];
  const long = (): number => units.reduce((sum, unit) => sum + unit.length, 0);
  while (long() < characters) {
    if (isVerse && language === 'bo') {
      const syllables = dice.of([7, 7, 9, 11]);
      units.push(...stanzas(dice, 3, () => tibetanPhrase(dice, syllables)));
    } else if (isVerse) {
      const length = dice.of([5, 7]);
      let odd = false;
      const line = (): string => {
        odd = !odd;
        return `${[...chineseClause(dice, length)].slice(0, length).join('')}${odd ? '，' : '。'}`;
      };
      units.push(...stanzas(dice, 3, line));
    } else units.push(language === 'bo' ? tibetanParagraph(dice) : chineseParagraph(dice));
  }
  return { language, isVerse, units };
}

/** A file whose lines are paragraphs, or lines of verse where its name says `verse`; blank lines part stanzas. */
export function readText(file: string): Text {
  const text = readFileSync(file, 'utf8');
  const isVerse = /verse/i.test(file);
  const language = /\p{Script=Tibetan}/u.test(text) ? 'bo' : 'zh';
  const units = text.split(/\r?\n/u).map((line) => line.trim());
  return { language, isVerse, units: isVerse ? units : units.filter((unit) => unit !== '') };
}
