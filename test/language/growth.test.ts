/**
 * Work on a text grows with its length, and not with the square of it: a message, a file or an answer may hold one letter a million times. The
 * steps of a regular expression cannot be counted from outside (scripts/regular-expressions.ts judges them), so this is about time: of four
 * times the text a square takes sixteen times as long, and at this length seconds.
 */
import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { breaksOf } from '../../src/language/reading/line-breaks.ts';
import { beginningsOf } from '../../src/language/reading/list.ts';
import { markedLike } from '../../src/language/reading/page-marks.ts';
import { readingOf, readingsOfPages } from '../../src/language/reading/reading.ts';
import { pasted } from '../../src/language/split.ts';
import { byLines, fromWylie, toWylie } from '../../src/language/wylie.ts';
import { Subtitles, subtitlesIn } from '../../src/media/document/subtitles.ts';
import { decodeText } from '../../src/media/document/text-file.ts';

const [SHORT, LONG] = [16_000, 64_000];

/** What is repeated between two letters. */
const REPEATED = [
  ...'ཀ ་ ། \u0f71 \u0fb2 a 1 - . , 中 。 “ 《 ( 🇨🇳 👨\u200d \u0301'.split(' '),
  ...[' ', '\u3000', '\n', '\t'],
  ...['ཀ་', 'ཀ །', ' \n\n', 'a.', '1\n', 'ཀ\n', '\u0f72\u0f71'],
];
const runOf = (part: string, length: number): string => `ཀ${part.repeat(length / part.length)}ཀ`;

type Work = (text: string) => unknown;

/** Those that take something else than a text. */
const OTHERS: Record<string, Work> = {
  breaksOf: (text) => breaksOf(text.split('\n')),
  beginningsOf: (text) => beginningsOf(text.split('\n')),
  'readingOf, in lines': (text) => readingOf(text.split('\n')),
  readingsOfPages: (text) => readingsOfPages([{ lines: text.split('\n') }, { lines: [text] }]),
  markedLike: (text) =>
    markedLike(
      [
        { number: 1, text },
        { number: 2, text },
      ],
      text,
    ),
  pasted: (text) => pasted([text, text, 'ཀ']),
  'byLines, into Wylie': (text) => byLines(text, toWylie),
  'byLines, from Wylie': (text) => byLines(text, fromWylie),
  'decodeText, of UTF-8': (text) => decodeText(Buffer.from(text)),
  'decodeText, of UTF-16': (text) => decodeText(Buffer.from(text, 'utf16le')),
  'subtitlesIn, in a cue': (text) => subtitlesIn(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`),
  withTimes: (text) => new Subtitles([{ times: '', text }]).withTimes(text),
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = [
  'src/language/**/*.ts',
  'src/media/document/{text-file,subtitles}.ts',
  'src/media/document/sound-text.mjs',
];

/** Every function that a module exports, called with the text alone: what it refuses takes no time. */
async function exported(): Promise<[string, Work][]> {
  const works: [string, Work][] = [];
  for await (const path of glob(MODULES, { cwd: root, exclude: (name) => name.endsWith('.d.ts') })) {
    const module: Record<string, unknown> = await import(`${root}${path}`);
    for (const [name, value] of Object.entries(module))
      if (typeof value === 'function')
        works.push([name, (text) => Reflect.apply(value, undefined, [text, LIMIT])]);
  }
  return works;
}

/** Of what some of them give back, or cut into. */
const LIMIT = 3000;

/** In ms of this thread, so that others on the machine do not count. */
async function timeOf(work: Work, text: string): Promise<number> {
  const begun = process.threadCpuUsage();
  try {
    await work(text);
  } catch {
    // It takes something else.
  }
  return process.threadCpuUsage(begun).user / 1000;
}

/** Faster than any square of so many. */
const SURELY_LINEAR_MS = 150;
/** Four times the text. A square would be sixteen times the work. */
const MAX_GROWTH = 10;
const TRIES = 3;

async function growthOf(work: Work, part: string): Promise<number> {
  const ratios: number[] = [];
  while (ratios.length < TRIES && !ratios.some((ratio) => ratio <= MAX_GROWTH)) {
    const all = await timeOf(work, runOf(part, LONG));
    if (all < SURELY_LINEAR_MS) return 0;
    ratios.push(all / (await timeOf(work, runOf(part, SHORT))));
  }
  return Math.min(...ratios);
}

test.each([...(await exported()), ...Object.entries(OTHERS)])(
  '%s takes time in proportion to its text',
  async (_, work) => {
    const slow: string[] = [];
    for (const part of REPEATED) if ((await growthOf(work, part)) > MAX_GROWTH) slow.push(part);
    expect(slow).toEqual([]);
  },
);
