/** The pages of a TIFF, which scanners write into one file. */
import type { PageRange } from '../../language/page-range.ts';

const ENTRY_BYTES = 12;
/** The maximum number of directories followed; no scanner writes more, and a file can link them in a ring. */
const MAX_COUNTED = 100_000;

/** Returns the number of pages (TIFF 6.0, section 2: each has a directory, which points to the next one); 1 for any other file. */
export function tiffPageCount(bytes: Buffer): number {
  const order = bytes.toString('latin1', 0, 4);
  if (bytes.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return 1;
  const isLittle = order.startsWith('I');
  const short = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const seen = new Set<number>();
  let at = long(4);
  while (at >= 8 && at + 2 <= bytes.length && !seen.has(at) && seen.size < MAX_COUNTED) {
    seen.add(at);
    const next = at + 2 + ENTRY_BYTES * short(at);
    at = next + 4 <= bytes.length ? long(next) : 0;
  }
  return Math.max(1, seen.size);
}

/** Returns the chosen pages in order, out of this many; none if they are more than `most`. */
export function chosenPages(
  ranges: readonly PageRange[] | undefined,
  pageCount: number,
  most: number,
): number[] {
  const fromStart = (number: number): number => (number < 0 ? pageCount + 1 + number : number);
  const chosen = new Set<number>();
  for (const [from, to] of ranges ?? [[1, pageCount]]) {
    const last = Math.min(fromStart(to), pageCount);
    for (let number = Math.max(1, fromStart(from)); number <= last; number += 1) {
      chosen.add(number);
      if (chosen.size > most) return [];
    }
  }
  return [...chosen].sort((one, other) => one - other);
}
