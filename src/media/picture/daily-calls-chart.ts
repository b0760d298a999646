/** Draws paid calls by day and kind as a PNG: bars on a light card, readable in light and dark chats. */
import { createRequire } from 'node:module';
import type { SharpConstructor } from 'sharp';

interface DailyCalls {
  /** UTC, `2026-01-31` */
  readonly day: string;
  readonly recognition: number;
  readonly translation: number;
  readonly speech: number;
  /** Calls saved by kept results; drawn on top, in outline. */
  readonly reused: number;
}

/** Pixels: a phone shows the picture at about a third of this, so figures are three times their usual size. */
const WIDTH = 1200;
const HEIGHT = 800;
const PLOT = { left: 110, right: 56, top: 130, bottom: 90 };
const FIGURE = { size: 26, colour: '#37404a' };
const LEGEND = { y: 56, swatch: 36, sign: 36, gap: 18 };
/** Okabe and Ito's palette, for colour-blind readers, too. */
const KINDS = [
  { kind: 'recognition', sign: 'read', fill: '#0072b2', edge: '#0072b2' },
  { kind: 'translation', sign: 'translate', fill: '#e69f00', edge: '#e69f00' },
  { kind: 'speech', sign: 'speak', fill: '#009e73', edge: '#009e73' },
  { kind: 'reused', sign: 'reuse', fill: '#eef0f2', edge: '#8a939c' },
] as const satisfies readonly { kind: keyof DailyCalls; sign: Sign; fill: string; edge: string }[];
const LABEL_EVERY_DAYS = 7;

/**
 * The chart of these days, oldest first. A legend above the bars has a sign and the sum for each colour. It has no words, so that no Tibetan
 * or Chinese font is needed; the words are in the caption, beside the same sums.
 */
export async function drawDailyCalls(days: readonly DailyCalls[]): Promise<Buffer> {
  const most = Math.max(1, ...days.map(total));
  const step = niceStep(most);
  const top = Math.ceil(most / step) * step;
  const plotHeight = HEIGHT - PLOT.top - PLOT.bottom;
  const y = (calls: number): number => HEIGHT - PLOT.bottom - (calls / top) * plotHeight;
  const slot = (WIDTH - PLOT.left - PLOT.right) / days.length;

  const grid = Array.from({ length: top / step + 1 }, (_, index) => {
    const calls = index * step;
    return (
      `<line x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${y(calls)}" y2="${y(calls)}" stroke="#d5d9de" stroke-width="2"/>` +
      drawFigures(String(calls), 'end', { ...FIGURE, x: PLOT.left - 18, y: y(calls) })
    );
  });
  const bars = days.map((day, index) => bar(day, PLOT.left + index * slot, slot, y));
  const labels = days.map(({ day }, index) => {
    const isLabelled = (days.length - 1 - index) % LABEL_EVERY_DAYS === 0;
    const x = PLOT.left + (index + 0.5) * slot;
    return isLabelled ? drawFigures(day.slice(5), 'middle', { ...FIGURE, x, y: HEIGHT - 46 }) : '';
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">` +
    `<rect width="100%" height="100%" fill="#fbfaf7"/>` +
    `${legend(days)}${grid.join('')}${bars.join('')}${labels.join('')}</svg>`;
  const sharp = await loadSharp();
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
}

function total({ recognition, translation, speech, reused }: DailyCalls): number {
  return recognition + translation + speech + reused;
}

function legend(days: readonly DailyCalls[]): string {
  const { y, swatch, sign: size, gap } = LEGEND;
  const slot = (WIDTH - PLOT.left - PLOT.right) / KINDS.length;
  return KINDS.map(({ kind, sign, fill, edge }, index) => {
    const x = PLOT.left + index * slot;
    const sum = days.reduce((total, day) => total + day[kind], 0);
    const signAt = x + swatch + gap;
    return (
      box({ x, y: y - swatch / 2, width: swatch, height: swatch }, fill, edge) +
      drawSign(sign, { x: signAt, y, size, colour: FIGURE.colour }) +
      drawFigures(String(sum), 'start', { ...FIGURE, x: signAt + size + gap, y })
    );
  }).join('');
}

function bar(day: DailyCalls, x: number, slot: number, y: (calls: number) => number): string {
  let below = 0;
  return KINDS.map(({ kind, fill, edge }) => {
    const from = below;
    below += day[kind];
    const area = { x: x + slot * 0.14, width: slot * 0.72, y: y(below), height: y(from) - y(below) };
    return day[kind] === 0 ? '' : box(area, fill, edge);
  }).join('');
}

/** A rectangle whose border lies within the area. */
function box(area: { x: number; y: number; width: number; height: number }, fill: string, edge: string) {
  const inset = Math.min(1.5, area.height / 2);
  return (
    `<rect x="${area.x + inset}" y="${area.y + inset}" width="${area.width - 2 * inset}" ` +
    `height="${area.height - 2 * inset}" fill="${fill}" stroke="${edge}" stroke-width="${2 * inset}"/>`
  );
}

/** The distance of the lines: 1, 2, 2.5 or 5 times a power of ten, for at most seven lines, all at whole calls. */
function niceStep(most: number): number {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter(Number.isInteger);
  return steps.find((step) => step >= rough) ?? 10 * power;
}

/** The box of a digit before scaling; `advance`: from the left edge of one to that of the next. */
const BOX = { width: 6, height: 10, advance: 8.6, stroke: 1.3 };

/** Strokes of the digits in that box, its top left corner at 0, 0. No font is needed: the container image has none. */
const FIGURES: Readonly<Record<string, string>> = {
  0: 'M3 0C1 0 0 2 0 5S1 10 3 10 6 8 6 5 5 0 3 0Z',
  1: 'M.8 2.2L3.6 0V10',
  2: 'M.2 2.6C.2 1 1.3 0 3 0S5.9 1.1 5.9 2.8C5.9 5 3.4 6.6 .1 10H6',
  3: 'M.2 1.7C.7.6 1.7 0 3 0 4.7 0 5.7 1 5.7 2.4 5.7 3.9 4.6 4.7 2.4 4.7 4.8 4.7 6 5.7 6 7.3 6 8.9 4.8 10 3 10 1.6 10 .5 9.4 0 8.2',
  4: 'M4.6 10V0L0 7.1H6.2',
  5: 'M5.5 0H1L.5 4.7C1.1 4 2 3.6 3 3.6 4.8 3.6 6 4.9 6 6.8S4.8 10 3 10C1.6 10 .5 9.4 0 8.3',
  6: 'M5.4 1.3C5 .4 4.2 0 3.2 0 1.2 0 0 2 0 5.6 0 8.4 1.2 10 3 10S6 8.7 6 6.8 4.8 3.8 3.1 3.8C1.4 3.8 0 5 0 6.8',
  7: 'M0 0H6L2.2 10',
  8: 'M3 4.6C1.5 4.6.4 3.8.4 2.3S1.5 0 3 0 5.6.9 5.6 2.3 4.5 4.6 3 4.6C1.2 4.6 0 5.7 0 7.3S1.2 10 3 10 6 8.9 6 7.3 4.8 4.6 3 4.6Z',
  9: 'M.6 8.7C1 9.6 1.8 10 2.8 10 4.8 10 6 8 6 4.4 6 1.6 4.8 0 3 0S0 1.3 0 3.2 1.2 6.2 2.9 6.2C4.6 6.2 6 5 6 3.2',
  '-': 'M1.2 5.2H4.8',
};

/** The signs, in a box of 10 × 10. */
const SIGNS = {
  /** A page with lines in the corners of a viewfinder. */
  read: 'M0 2.6V0H2.6M7.4 0H10V2.6M10 7.4V10H7.4M2.6 10H0V7.4M2.6 3.4H7.4M2.6 5H7.4M2.6 6.6H5.6',
  /** An arrow there and one back. */
  translate: 'M0 3H9.6M7 .4L9.6 3 7 5.6M10 7.4H.4M3 4.8L.4 7.4 3 10',
  /** A loudspeaker. */
  speak: 'M0 3.4H2L5 .8V9.2L2 6.6H0ZM6.8 3.2C7.6 4.2 7.6 5.8 6.8 6.8M8.4 1.4C10.4 3.4 10.4 6.6 8.4 8.6',
  /** Once around, to use it again. */
  reuse: 'M9.4 5A4.4 4.4 0 1 1 7.6 1.5M4.9 .9L7.9 1.4 7.2 4.4',
} as const;

type Sign = keyof typeof SIGNS;

interface At {
  readonly x: number;
  /** Of the middle. */
  readonly y: number;
  /** How high a figure is. */
  readonly size: number;
  readonly colour: string;
}

/** The figures (0 to 9 and `-`) as SVG, beginning, centred or ending at `x`. */
function drawFigures(figures: string, align: 'start' | 'middle' | 'end', at: At): string {
  const scale = at.size / BOX.height;
  const width = ((figures.length - 1) * BOX.advance + BOX.width) * scale;
  const left = at.x - { start: 0, middle: width / 2, end: width }[align];
  return [...figures]
    .map((figure, index) => drawPath(FIGURES[figure] ?? '', left + index * BOX.advance * scale, at))
    .join('');
}

/** The sign as SVG, its left edge at `x`. */
function drawSign(sign: Sign, at: At): string {
  return drawPath(SIGNS[sign], at.x, at);
}

function drawPath(path: string, x: number, { y, size, colour }: At): string {
  const scale = size / BOX.height;
  return (
    `<path d="${path}" transform="translate(${x} ${y - size / 2}) scale(${scale})" fill="none" ` +
    `stroke="${colour}" stroke-width="${BOX.stroke}" stroke-linecap="round" stroke-linejoin="round"/>`
  );
}

const require = createRequire(import.meta.url);

/**
 * Loads sharp when it is first needed, so that the start waits neither for libvips nor for its memory. The first call takes some 30 ms,
 * every other none. One thread per picture and no cache: both only grow memory here.
 *
 * `require` forgets what it could not load; for `import` one shortage of file descriptors lasts as long as the process.
 */
export async function loadSharp(): Promise<SharpConstructor> {
  const sharp: SharpConstructor = require('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
