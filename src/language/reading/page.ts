/** A recognised page: where its lines stand (service-interface §2.4), and what recognition does to print: lone shads, spaced Chinese. */
import { edgeOf } from './edge.ts';
import { endsPhrase, type LinePosition, printedWidth, separatorBetween } from './line.ts';

/** The box around a printed line, in pixels from the top-left corner of the page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  /** Indices of the lines of each paragraph. */
  readonly paragraphs?: readonly (readonly number[])[] | undefined;
  /** One for each line. */
  readonly boxes?: readonly (Box | undefined)[] | undefined;
}

export interface Page extends Layout {
  readonly lines: readonly string[];
}

/** The page with each shad on the line that it ends, and without spaces between its Chinese characters. */
export function mended(page: Page): Page {
  return withoutLoneShads({ ...page, lines: withoutSpacing(page.lines) });
}

const LONE_SHAD = /^\s*[\u0f0d-\u0f12\u0f14|][\u0f0d-\u0f12\u0f14|\s]*$/u;
const ENDS_TIBETAN = /\p{Script=Tibetan}\s*$/u;

function withoutLoneShads(page: Page): Page {
  const lines: string[] = [];
  const places = page.lines.map((line, index) => {
    const before = lines.at(-1);
    // One for each line: a file of nothing but shads must not make one endless line, character by character.
    const isFirst = before === page.lines[index - 1];
    if (before === undefined || !isFirst || !LONE_SHAD.test(line) || !ENDS_TIBETAN.test(before))
      return lines.push(line) - 1;
    const [text, shad] = [before.trimEnd(), line.trim()];
    lines[lines.length - 1] = `${text}${separatorBetween(text, shad, false)}${shad}`;
    return undefined;
  });
  if (lines.length === page.lines.length) return page;
  return {
    lines,
    boxes: page.boxes?.filter((_, index) => places[index] !== undefined),
    paragraphs: page.paragraphs?.map((indices) => indices.flatMap((index) => places[index] ?? [])),
  };
}

const PAIR = /\p{Script=Han}(?=(\p{Zs}*)\p{Script=Han})/gu;
const SPACE_WITHIN =
  /(?<=[\p{Script=Han}\u3001-\u303f\uff00-\uff60“”‘’…—])\p{Zs}(?=[\p{Script=Han}\u3001-\u303f\uff00-\uff60“”‘’…—])/gu;
/** On a page that recognition has spaced, this share of the characters has one space between them. */
const SPACED = 0.8;
/** Fewer may be a title, or words of one character. */
const MIN_SPACED = 4;

function withoutSpacing(lines: readonly string[]): readonly string[] {
  const spaces = lines.flatMap((line) => Array.from(line.matchAll(PAIR), ([, space = '']) => space.length));
  const single = spaces.filter((length) => length === 1).length;
  if (single < MIN_SPACED || single < spaces.length * SPACED) return lines;
  return lines.map((line) => line.replace(SPACE_WITHIN, ''));
}

/** Lines that begin within this distance have the same left edge, in em. */
const ALIGNED = 0.6;
/** Lines that begin within this distance have the same edge, in em. */
const ALIKE = 0.05;

/** Undefined if a line has no box, or the boxes do not fit the lines. */
export function positionsOf(
  lines: readonly string[],
  boxes: readonly (Box | undefined)[],
): readonly LinePosition[] | undefined {
  const known = boxes.flatMap((box) => (box !== undefined && box.width > 0 && box.height > 0 ? [box] : []));
  if (lines.length < 2 || boxes.length !== lines.length || known.length < lines.length) return undefined;
  const em = median(known.map(({ width }, index) => width / Math.max(1, printedWidth(lines[index] ?? ''))));
  if (!(em > 0)) return undefined;
  const scaled = known.map(({ left, top, width, height }, index) => ({
    isBroken: !endsPhrase(lines[index] ?? ''),
    left: left / em,
    right: (left + width) / em,
    top: top / em,
    bottom: (top + height) / em,
  }));
  const middles = scaled.map(({ top, bottom }) => (top + bottom) / 2);
  const isNewColumn = scaled.map(({ bottom }, index) => bottom < (middles[index - 1] ?? 0));
  const pitches = middles.map((middle, index) => middle - (middles[index - 1] ?? Number.NaN));
  const pitch = median(pitches.filter((distance, index) => distance > 0 && !isNewColumn[index]));
  let column = 0;
  const columnOf = isNewColumn.map((isNew) => (isNew ? ++column : column));
  const columns = Map.groupBy(scaled, (_, index) => columnOf[index]);
  const lefts = new Map(
    Array.from(columns, ([name, own]) => [name, Math.min(...own.map((line) => line.left))]),
  );
  /** The edges found so far: of a thousand lines, most begin alike. */
  const edges = new Map<string, number>();
  const edgeAt = (left: number, name: number | undefined): number => {
    const beside = (columns.get(name) ?? []).filter((other) => Math.abs(other.left - left) < ALIGNED);
    return left + edgeOf(beside.map((other) => ({ width: other.right - left, isBroken: other.isBroken })));
  };
  return scaled.map(({ left, right }, index) => {
    const name = columnOf[index];
    const alike = `${name}:${Math.round(left / ALIKE)}`;
    const edge = edges.get(alike) ?? edgeAt(left, name);
    edges.set(alike, edge);
    return {
      left,
      right,
      edge,
      indent: left - (lefts.get(name) ?? left),
      gap: isNewColumn[index] ? 0 : (pitches[index] ?? 0) / pitch,
      isNewColumn: isNewColumn[index] === true,
    };
  });
}

function median(unsorted: readonly number[]): number {
  const sorted = [...unsorted].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
