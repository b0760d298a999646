/**
 * The process that finds where a long picture can be cut: the file on standard input, the slices on standard output as JSON. `image.ts`
 * starts it with bounded memory and time, and gives it its task. Plain JavaScript, as `redraw-process.mjs`.
 */
import sharp from 'sharp';

/** @type {import('./image.ts').SlicesTask} */
const task = JSON.parse(process.argv[2] ?? '');

/** The width to shrink to, in pixels: enough to tell a line of writing from the gap under it. */
const COLUMNS = 256;
/** Grey levels (of 256) between two neighbours; less is the noise of a JPEG. */
const STEP = 12;
/** Rows above and below a cut that should be as empty. */
const MARGIN = 4;
/** The least part of the longest slice. */
const LEAST = 0.75;

sharp.concurrency(1);
sharp.cache(false);

const file = await input();
const { data, info } = await sharp(file, { failOn: 'none', limitInputPixels: task.maxPixels })
  .resize({ width: COLUMNS, height: task.height, fit: 'fill' })
  .flatten({ background: 'white' })
  .toColourspace('b-w')
  .raw()
  .toBuffer({ resolveWithObject: true });
const busy = Uint16Array.from({ length: info.height }, (_, row) => edgesIn(row * COLUMNS * info.channels));
process.stdout.write(JSON.stringify(slices()));

async function input() {
  const bytes = Buffer.allocUnsafeSlow(task.bytes);
  let length = 0;
  for await (const piece of process.stdin) length += piece.copy(bytes, length);
  return bytes.subarray(0, length);
}

/** The edges along a row: a line of writing has many, a gap inside a speech bubble those of the bubble. */
function edgesIn(start) {
  let edges = 0;
  for (let column = 1; column < COLUMNS; column += 1) {
    const at = start + column * info.channels;
    if (Math.abs(data[at] - data[at - info.channels]) > STEP) edges += 1;
  }
  return edges;
}

function slices() {
  const found = [];
  let top = 0;
  while (info.height - top > task.longest) {
    const cut = emptiest(top + Math.ceil(task.longest * LEAST), top + task.longest);
    found.push({ top, height: cut - top });
    top = cut;
  }
  return [...found, { top, height: info.height - top }];
}

/** The row with the fewest edges around it; the last of several. */
function emptiest(from, to) {
  let best = to;
  let fewest = Number.POSITIVE_INFINITY;
  for (let row = from; row <= to; row += 1) {
    let edges = 0;
    for (let near = row - MARGIN; near < row + MARGIN; near += 1) edges = Math.max(edges, busy[near] ?? 0);
    if (edges > fewest) continue;
    fewest = edges;
    best = row;
  }
  return best;
}
