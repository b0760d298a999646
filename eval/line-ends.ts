/**
 * `node eval/line-ends.ts [--seed N] [--lines N] [FILE...]` measures how many line ends of recognised pages are read right.
 * It sets known texts as pages, photographs them, recognises them with the sandbox's engine, and joins the lines as the bot does. With
 * `--wrapped` it breaks the texts at 20 to 80 columns instead, without a picture.
 */
import { parseArgs } from 'node:util';
import type { ReadPage } from '../sandbox/service/engines.ts';
import { createRecognitionEngine } from '../sandbox/service/recognition-engine.ts';
import { readingOf } from '../src/language/reading/reading.ts';
import { type Kind, type Page, type PrintedLine, startPress } from './line-ends/pages.ts';
import { composed, createDice, type Dice, readText, type Text } from './line-ends/texts.ts';
import { anyWrapping, type WrappedLine, wrapped } from './line-ends/wrapped.ts';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    /** Lines of each kind of page in each language. */
    lines: { type: 'string', default: '230' },
    /** Prints each line end that is read wrong. */
    wrong: { type: 'boolean', default: false },
    /** Ignores the positions of lines, as if the service gave none. */
    blind: { type: 'boolean', default: false },
    wrapped: { type: 'boolean', default: false },
  },
});

const KINDS: readonly Kind[] = ['book', 'folio', 'newspaper', 'chat', 'verse'];
/** Paragraphs of a text that a program breaks; of verse, lines. */
const PARAGRAPHS_OF_WRAPPED = 16;
/** A line narrower than this share of its print has lost more than half of a full stop. */
const MIN_RECOGNISED = 0.85;
const CHARACTERS_OF_LINE = { bo: 30, zh: 18 } as const;

/** A line end of a recognised page. */
interface LineEnd {
  readonly isEnd: boolean;
  readonly isKept: boolean;
  /** Undecidable: much of the line was not recognised, or it is full and its place is unknown. */
  readonly isUntold: boolean;
  readonly line: string;
  readonly next: string;
}

/** The counts for one kind of page. */
interface Count {
  readonly name: string;
  readonly ends: readonly LineEnd[];
  readonly unmatched: number;
}

const given = files.map(readText);
const [seed, wanted] = [Number(values.seed), Number(values.lines)];
console.log(tableOf(values.wrapped ? countWrapped() : await countPrinted()));

/** Measures photographed and recognised pages. */
async function countPrinted(): Promise<Count[]> {
  const engine = createRecognitionEngine();
  const press = await startPress();
  const counts: Count[] = [];
  const dice = createDice(seed);
  try {
    for (const kind of KINDS) {
      for (const language of ['bo', 'zh'] as const) {
        if (kind === 'folio' && language === 'zh') continue;
        const ends: LineEnd[] = [];
        let unmatched = 0;
        while (ends.length < wanted) {
          for (const page of await press.print(textIn(language, kind === 'verse', dice), kind, dice)) {
            if (ends.length >= wanted) break;
            const judged = judge(page, await engine.recognise(page.jpeg, page.language));
            ends.push(...judged.ends);
            unmatched += judged.unmatched;
          }
        }
        counts.push({ name: `${kind}, ${language}`, ends, unmatched });
        console.error(`${kind}, ${language}: ${ends.length}`);
      }
    }
  } finally {
    await press.close();
    await engine.close();
  }
  return counts;
}

/** Measures texts that a program has wrapped. */
function countWrapped(): Count[] {
  const dice = createDice(seed);
  return [false, true].flatMap((isVerse) =>
    (['bo', 'zh'] as const).map((language) => {
      const ends: LineEnd[] = [];
      while (ends.length < wanted) {
        const text = textIn(language, isVerse, dice);
        const start = dice.between(0, Math.max(0, text.units.length - PARAGRAPHS_OF_WRAPPED));
        const units = text.units.slice(start, start + PARAGRAPHS_OF_WRAPPED);
        ends.push(...judgeWrapped(wrapped({ ...text, units }, anyWrapping(dice))));
      }
      return { name: `${isVerse ? 'verse' : 'prose'}, ${language}`, ends, unmatched: 0 };
    }),
  );
}

function judgeWrapped(lines: readonly WrappedLine[]): LineEnd[] {
  const texts = lines.map(({ text }) => text);
  return breaksKept(texts, readingOf(texts)).map((isKept, index) => {
    const { text = '', isEnd = false, hasRoom = false } = lines[index] ?? {};
    return { isEnd, isKept, isUntold: isEnd && !hasRoom, line: text, next: texts[index + 1] ?? '' };
  });
}

function textIn(language: Text['language'], isVerse: boolean, dice: Dice): Text {
  const fit = given.filter((one) => one.language === language && one.isVerse === isVerse);
  const characters = wanted * CHARACTERS_OF_LINE[language];
  return fit.length > 0
    ? excerpt(dice.of(fit), characters, dice)
    : composed(language, isVerse, characters, dice);
}

function tableOf(counts: readonly Count[]): string {
  const all = { name: 'all', ends: counts.flatMap(({ ends }) => ends), unmatched: 0 };
  if (values.wrong) {
    for (const { isEnd, isKept, isUntold, line, next } of all.ends)
      if (isEnd !== isKept)
        console.error(`${isUntold ? 'untold, ' : ''}${isEnd ? 'joined' : 'parted'}: ${line} ⏎ ${next}`);
  }
  return [
    '| page | line ends | right | joined wrongly | parted wrongly | wrong where nothing tells | lines not matched |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...[...counts, all].map(row),
  ].join('\n');
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

function row({ name, ends, unmatched }: Count): string {
  const right = ends.filter(({ isEnd, isKept }) => isEnd === isKept).length;
  const joined = ends.filter(({ isEnd, isKept }) => isEnd && !isKept).length;
  const parted = ends.filter(({ isEnd, isKept }) => !isEnd && isKept).length;
  const share = ((100 * right) / ends.length).toFixed(2);
  const untold = ends.filter(({ isEnd, isKept, isUntold }) => isEnd !== isKept && isUntold).length;
  return `| ${name} | ${ends.length} | ${right} (${share} %) | ${joined} | ${parted} | ${untold} | ${unmatched} |`;
}

/** Matches each recognised line with the printed line that it covers most, and judges line ends between neighbours in print. */
function judge({ lines: printed }: Page, page: ReadPage): { ends: LineEnd[]; unmatched: number } {
  const texts = page.lines.map(({ words }) => words);
  const boxes = values.blind ? [] : page.lines.map(({ location }) => location);
  const kept = breaksKept(texts, readingOf(texts, { boxes }));
  const places = page.lines.map((line) => printedLineOf(line, printed));
  const ends: LineEnd[] = [];
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    const line = place === undefined ? undefined : printed[place];
    if (place === undefined || line === undefined || next !== place + 1) continue;
    ends.push({
      isEnd: line.isEnd,
      isKept: kept[index] === true,
      isUntold: isLost(page.lines[index], line) || isLost(page.lines[index + 1], printed[next]),
      line: texts[index] ?? '',
      next: texts[index + 1] ?? '',
    });
  }
  return { ends, unmatched: places.filter((place) => place === undefined).length };
}

/** Whether a part of the print was not recognised. */
function isLost(line: ReadPage['lines'][number] | undefined, printed: PrintedLine | undefined): boolean {
  if (line?.location === undefined || printed === undefined) return false;
  return line.location.width < (printed.right - printed.left) * MIN_RECOGNISED;
}

function printedLineOf(
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

/** For each line but the last, whether its break is in the reading, which has lost no other characters. */
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
