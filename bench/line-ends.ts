/**
 * `node bench/line-ends.ts [--seed N] [--lines N] [--keep FOLDER] [FILE...]`: how many line ends of recognised pages are read right.
 * Pages of texts that are known are set and photographed, recognised by the sandbox's engine, and joined as the bot joins them.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { ReadPage } from '../sandbox/service/engines.ts';
import { createRecognitionEngine } from '../sandbox/service/recognition-engine.ts';
import { readingOf } from '../src/language/reading.ts';
import { type Kind, type Page, type PrintedLine, startPress } from './line-ends/pages.ts';
import { composed, createDice, type Dice, type Text, textOf } from './line-ends/texts.ts';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    /** Of each kind of page in each language. */
    lines: { type: 'string', default: '230' },
    /** Where what was recognised is kept for the next time. */
    keep: { type: 'string' },
    /** Shows each line end that is read wrong. */
    wrong: { type: 'boolean', default: false },
    /** As if the service did not tell where lines stand. */
    blind: { type: 'boolean', default: false },
  },
});

const KINDS: readonly Kind[] = ['book', 'folio', 'newspaper', 'chat', 'verse'];
const CHARACTERS_OF_LINE = { bo: 30, zh: 18 } as const;

const location = z.object({ top: z.number(), left: z.number(), width: z.number(), height: z.number() });
const readPage = z.object({ lines: z.array(z.object({ words: z.string(), location })) });

/** A line end of a recognised page. */
interface LineEnd {
  readonly isEnd: boolean;
  readonly isKept: boolean;
  readonly line: string;
  readonly next: string;
}

const engine = createRecognitionEngine();
const press = await startPress();
try {
  await measure(Number(values.seed), Number(values.lines));
} finally {
  await press.close();
  await engine.close();
}

async function measure(seed: number, wanted: number): Promise<void> {
  const rows: string[] = [];
  const all: LineEnd[] = [];
  const dice = createDice(seed);
  for (const kind of KINDS) {
    for (const language of ['bo', 'zh'] as const) {
      if (kind === 'folio' && language === 'zh') continue;
      const isVerse = kind === 'verse';
      const given = files.map(textOf).filter((one) => one.language === language && one.isVerse === isVerse);
      const ends: LineEnd[] = [];
      let unmatched = 0;
      while (ends.length < wanted) {
        const characters = wanted * CHARACTERS_OF_LINE[language];
        const text =
          given.length > 0
            ? excerpt(dice.of(given), characters, dice)
            : composed(language, isVerse, characters, dice);
        for (const page of await press.print(text, kind, dice)) {
          if (ends.length >= wanted) break;
          const judged = judge(page, await recognised(page));
          ends.push(...judged.ends);
          unmatched += judged.unmatched;
        }
      }
      all.push(...ends);
      rows.push(row(`${kind}, ${language}`, ends, unmatched));
      console.error(rows.at(-1));
    }
  }
  console.log(
    [
      '| page | line ends | right | joined wrongly | parted wrongly | lines not matched |',
      '| --- | --- | --- | --- | --- | --- |',
      ...rows,
      row('all', all, 0),
    ].join('\n'),
  );
}

function excerpt(text: Text, characters: number, dice: Dice): Text {
  const start = dice.between(0, Math.max(0, text.units.length - 40));
  const units: string[] = [];
  let length = 0;
  for (const unit of text.units.slice(start)) {
    if (length > characters * 1.5) break;
    units.push(unit);
    length += unit.length;
  }
  return { ...text, units };
}

function row(name: string, ends: readonly LineEnd[], unmatched: number): string {
  const right = ends.filter(({ isEnd, isKept }) => isEnd === isKept).length;
  const joined = ends.filter(({ isEnd, isKept }) => isEnd && !isKept).length;
  const parted = ends.filter(({ isEnd, isKept }) => !isEnd && isKept).length;
  const share = ((100 * right) / ends.length).toFixed(2);
  return `| ${name} | ${ends.length} | ${right} (${share} %) | ${joined} | ${parted} | ${unmatched} |`;
}

async function recognised({ jpeg, language }: Page): Promise<ReadPage> {
  const folder = values.keep;
  if (folder === undefined) return engine.recognise(jpeg, language);
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256').update(jpeg).digest('hex').slice(0, 24);
  const file = join(folder, `${name}.json`);
  if (existsSync(file)) return readPage.parse(JSON.parse(readFileSync(file, 'utf8')));
  const page = await engine.recognise(jpeg, language);
  writeFileSync(file, JSON.stringify(page));
  writeFileSync(join(folder, `${name}.jpg`), jpeg);
  return page;
}

/** Each recognised line is that printed line which it covers most; judged are line ends between two that follow each other in print. */
function judge({ lines: printed }: Page, page: ReadPage): { ends: LineEnd[]; unmatched: number } {
  const texts = page.lines.map(({ words }) => words);
  const boxes = values.blind ? [] : page.lines.map(({ location }) => location);
  const kept = breaksKept(texts, readingOf(texts, { boxes }));
  const places = page.lines.map((line) => placeOf(line, printed));
  const ends: LineEnd[] = [];
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    const line = place === undefined ? undefined : printed[place];
    if (place === undefined || line === undefined || next !== place + 1) continue;
    ends.push({
      isEnd: line.isEnd,
      isKept: kept[index] === true,
      line: texts[index] ?? '',
      next: texts[index + 1] ?? '',
    });
  }
  if (values.wrong) {
    for (const { isEnd, isKept, line, next } of ends)
      if (isEnd !== isKept) console.error(`${isEnd ? 'joined' : 'parted'}: ${line} ⏎ ${next}`);
  }
  return { ends, unmatched: places.filter((place) => place === undefined).length };
}

function placeOf(
  { location }: ReadPage['lines'][number],
  printed: readonly PrintedLine[],
): number | undefined {
  if (location === undefined) return undefined;
  const { top, left, width, height } = location;
  const overlaps = printed.map((line) => {
    const high = Math.min(top + height, line.bottom) - Math.max(top, line.top);
    const wide = Math.min(left + width, line.right) - Math.max(left, line.left);
    return high > 0 && wide > 0 ? high * wide : 0;
  });
  const best = Math.max(...overlaps);
  return best > 0 ? overlaps.indexOf(best) : undefined;
}

/** For each line but the last whether its break is in the reading, in which no characters are lost but these. */
function breaksKept(lines: readonly string[], reading: string): boolean[] {
  const bare = (text: string): number => text.replace(/[\s་]/gu, '').length;
  let at = 0;
  return lines.slice(0, -1).map((line) => {
    let left = bare(line);
    while (left > 0) {
      if (!/[\s་]/u.test(reading[at] ?? '')) left -= 1;
      at += 1;
    }
    let end = at;
    while (/[\s་]/u.test(reading[end] ?? '')) end += 1;
    return reading.slice(at, end).includes('\n');
  });
}
