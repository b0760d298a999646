/** Figures and signs drawn as strokes, so that a picture with them needs no font: an image of the bot has none. */

const HEIGHT = 10;
const WIDTH = 6;
const ADVANCE = 8.6;
const STROKE = 1.3;

/** In a box of 6 × 10, its top left corner at 0, 0. */
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

/** In a box of 10 × 10. */
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

export type Sign = keyof typeof SIGNS;

export interface At {
  readonly x: number;
  /** Of the middle. */
  readonly y: number;
  /** How high a figure is. */
  readonly size: number;
  readonly colour: string;
}

/** The figures (0 to 9 and `-`) as SVG, beginning, centred or ending at `x`. */
export function drawFigures(figures: string, align: 'start' | 'middle' | 'end', at: At): string {
  const scale = at.size / HEIGHT;
  const width = ((figures.length - 1) * ADVANCE + WIDTH) * scale;
  const left = at.x - { start: 0, middle: width / 2, end: width }[align];
  return [...figures]
    .map((figure, index) => drawPath(FIGURES[figure] ?? '', left + index * ADVANCE * scale, at))
    .join('');
}

/** The sign as SVG, its left edge at `x`. */
export function drawSign(sign: Sign, at: At): string {
  return drawPath(SIGNS[sign], at.x, at);
}

function drawPath(path: string, x: number, { y, size, colour }: At): string {
  const scale = size / HEIGHT;
  return (
    `<path d="${path}" transform="translate(${x} ${y - size / 2}) scale(${scale})" fill="none" ` +
    `stroke="${colour}" stroke-width="${STROKE}" stroke-linecap="round" stroke-linejoin="round"/>`
  );
}
