/** Draws paid calls by day and kind as a PNG: bars on a light card, so that it reads alike in light and dark chats. */
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

/** Pixels: a phone shows the picture at about a third of this, so letters are three times their usual size. */
const WIDTH = 1200;
const HEIGHT = 760;
const PLOT = { left: 110, right: 56, top: 50, bottom: 90 };
const FONT_SIZE = 34;
/** Told apart by those who see colours differently, too (Okabe and Ito's palette); 🟦 🟧 🟩 stand for them in words. */
const COLOURS = { recognition: '#0072b2', translation: '#e69f00', speech: '#009e73' } as const;
const KINDS = ['recognition', 'translation', 'speech'] as const;
const LABEL_EVERY_DAYS = 7;

/** The picture of these days, oldest first. It has figures alone, no words: no font for Tibetan or Chinese is needed to draw it. */
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
      `<text x="${PLOT.left - 16}" y="${y(calls) + FONT_SIZE / 3}" text-anchor="end">${calls}</text>`
    );
  });
  const bars = days.map((day, index) => bar(day, PLOT.left + index * slot, slot, y));
  const labels = days.map(({ day }, index) => {
    const isLabelled = (days.length - 1 - index) % LABEL_EVERY_DAYS === 0;
    const x = PLOT.left + (index + 0.5) * slot;
    return isLabelled ? `<text x="${x}" y="${HEIGHT - 34}" text-anchor="middle">${day.slice(5)}</text>` : '';
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" ` +
    `font-size="${FONT_SIZE}" fill="#37404a"><rect width="100%" height="100%" fill="#fbfaf7"/>` +
    `${grid.join('')}${bars.join('')}${labels.join('')}</svg>`;
  const sharp = await loadSharp();
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
}

function total({ recognition, translation, speech, reused }: DailyCalls): number {
  return recognition + translation + speech + reused;
}

function bar(day: DailyCalls, x: number, slot: number, y: (calls: number) => number): string {
  const left = x + slot * 0.14;
  const width = slot * 0.72;
  let below = 0;
  const paid = KINDS.map((kind) => {
    const from = below;
    below += day[kind];
    return `<rect x="${left}" width="${width}" y="${y(below)}" height="${y(from) - y(below)}" fill="${COLOURS[kind]}"/>`;
  });
  const saved =
    day.reused > 0
      ? `<rect x="${left + 1.5}" width="${width - 3}" y="${y(below + day.reused)}" height="${y(below) - y(below + day.reused)}" fill="#eef0f2" stroke="#8a939c" stroke-width="3"/>`
      : '';
  return paid.join('') + saved;
}

/** 1, 2, 2.5 or 5 times a power of ten, so that there are at most seven lines and all at whole calls. */
function niceStep(most: number): number {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter(Number.isInteger);
  return steps.find((step) => step >= rough) ?? 10 * power;
}
