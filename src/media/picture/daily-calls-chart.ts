/** Draws paid calls by day and kind as a PNG: bars on a light card, so that it reads alike in light and dark chats. */
import { drawFigures, drawSign, type Sign } from './drawn-figures.ts';
import { loadSharp } from './load-sharp.ts';

export interface DailyCalls {
  /** UTC, `2026-01-31` */
  readonly day: string;
  readonly recognition: number;
  readonly translation: number;
  readonly speech: number;
  /** Calls that kept results saved: drawn on top, in outline. */
  readonly reused: number;
}

/** Pixels: a phone shows the picture at about a third of this, so figures are three times their usual size. */
const WIDTH = 1200;
const HEIGHT = 800;
const PLOT = { left: 110, right: 56, top: 130, bottom: 90 };
const FIGURE = { size: 26, colour: '#37404a' };
const LEGEND = { y: 56, swatch: 36, sign: 36, gap: 18 };
/** Told apart by those who see colours differently, too (Okabe and Ito's palette). */
const KINDS = [
  { kind: 'recognition', sign: 'read', fill: '#0072b2', edge: '#0072b2' },
  { kind: 'translation', sign: 'translate', fill: '#e69f00', edge: '#e69f00' },
  { kind: 'speech', sign: 'speak', fill: '#009e73', edge: '#009e73' },
  { kind: 'reused', sign: 'reuse', fill: '#eef0f2', edge: '#8a939c' },
] as const satisfies readonly { kind: keyof DailyCalls; sign: Sign; fill: string; edge: string }[];
const LABEL_EVERY_DAYS = 7;

/**
 * The picture of these days, oldest first. Above the bars stands what each colour means: a sign, and the sum of these days. It has no
 * words, so that no font for Tibetan or Chinese is needed to draw it; they stand in the caption, beside the same sums.
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

/** The edge lies within the area. */
function box(area: { x: number; y: number; width: number; height: number }, fill: string, edge: string) {
  const inset = Math.min(1.5, area.height / 2);
  return (
    `<rect x="${area.x + inset}" y="${area.y + inset}" width="${area.width - 2 * inset}" ` +
    `height="${area.height - 2 * inset}" fill="${fill}" stroke="${edge}" stroke-width="${2 * inset}"/>`
  );
}

/** 1, 2, 2.5 or 5 times a power of ten, so that there are at most seven lines and all at whole calls. */
function niceStep(most: number): number {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter(Number.isInteger);
  return steps.find((step) => step >= rough) ?? 10 * power;
}
