/**
 * The process that decodes one picture, to redraw it as a JPEG, or to find where a long one can be cut; the slices are JSON. `image-redraw.ts`
 * starts it with bounded memory and time, and gives it its task. It runs without V8's compilers, whose 512 MB of reserved memory would count
 * against its bound.
 */
import { existsSync, readFileSync } from 'node:fs';
import { constants, inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { file, task } from '../task.mjs';

/** Pixels of the original, to bound the time; no camera has more. */
const MAX_ORIGINAL_PIXELS = 150e6;

/** Qualities tried in turn. Below 60 thin strokes begin to smear, and a smaller picture is easier to read. */
const LOWEST_QUALITY = 60;
const QUALITIES = [85, 75, LOWEST_QUALITY];
/** Halves the area, repeatedly if no quality is small enough. */
const SHRINK = Math.SQRT1_2;

/**
 * The most pixels drawn, so that the memory suffices for pictures from cameras: a JPEG grows in it until it is known to be too large (A4 in
 * 360 dpi), a turned picture is held whole (300 dpi), a webp three times unless it is opened smaller (200 dpi).
 */
const MAX_PIXELS = 12.5e6;
const MAX_TURNED_PIXELS = 9e6;
const MAX_WEBP_PIXELS = 4e6;
/** EXIF's "as stored", and "mirrored left to right", which works row by row. */
const LAST_ORIENTATION_BY_ROWS = 2;

/** The longest side of the thumbnail by which the background is chosen. */
const SKETCH_SIDE = 128;

/** Messages of libvips and its decoders when they run out of memory, and of sharp for too many pixels. */
const TOO_LARGE = /memory|alloc|no space|limit|too (large|big)/i;

sharp.concurrency(1);
sharp.cache(false);

/**
 * If a decoder gets no memory for one of its small buffers, libvips goes on silently and repeats the previous row; such a picture must not
 * be paid for. These buffers have at most some hundred kB each, so the limit is nearly reached then.
 */
const MEMORY_FIGURES = '/proc/self/statm';
const SPARE_BYTES = 4e6;
const WATCH_EVERY_MS = 3;
let isStarved = false;
if (existsSync(MEMORY_FIGURES)) setInterval(watchMemory, WATCH_EVERY_MS).unref();

/** Of the rows, how many may be missing at the end, and how many above these are looked at. */
const MISSING = 0.05;
/** Of rows, that a JPEG has whole or not at all. */
const BLOCK = 16;
const LOOKED_AT = 0.02;
/** Of each colour type of a PNG, the number of channels. */
const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** To find where a long picture can be cut: the width to shrink to, in pixels, enough to tell a line of writing from the gap under it. */
const COLUMNS = 256;
/** Grey levels (of 256) between two neighbours; less is the noise of a JPEG. */
const STEP = 12;
/** Rows above and below a cut that should be as empty. */
const MARGIN = 4;
/** The least part of the longest slice. */
const LEAST = 0.75;

let isLargeWebp = false;
let slice;
let isCutOff = false;
try {
  const made = task.rowsToCut === undefined ? await redraw().catch(redrawCutOff) : await slices();
  await new Promise((written) => process.stdout.write(made, written));
} catch (error) {
  process.stderr.write(String(error));
  // libwebp names no reason.
  const isTooLarge = isStarved || isLargeWebp || TOO_LARGE.test(String(error));
  process.exitCode = isTooLarge ? task.exitCodes.tooLarge : task.exitCodes.unreadable;
}

/** Draws a picture that ends early, if nearly all of it is there. */
async function redrawCutOff(error) {
  if (isStarved || isLargeWebp || TOO_LARGE.test(String(error))) throw error;
  isCutOff = true;
  const { format, height, isProgressive } = await picture().metadata();
  // A cut-off progressive picture has all rows, in unknown quality.
  if (format !== task.format || isProgressive || height * MISSING < BLOCK) throw error;
  if (await lacksRows()) throw error;
  return redraw();
}

/** Whether the rows above the last few are already those with which a decoder fills up: all alike, but for libpng. */
async function lacksRows() {
  const { width, height } = await picture().metadata();
  if (task.format === 'png') return rowsOfPng() < height * (1 - MISSING);
  const pixelsOf = async (top, height) => picture().extract({ left: 0, top, width, height }).raw().toBuffer();
  const last = await pixelsOf(height - 1, 1);
  const top = Math.floor(height * (1 - MISSING - LOOKED_AT));
  const above = await pixelsOf(top, Math.max(1, Math.floor(height * LOOKED_AT)));
  for (let at = 0; at < above.length; at += last.length)
    if (!above.subarray(at, at + last.length).equals(last)) return false;
  return true;
}

/** How many rows of a PNG unpack. */
function rowsOfPng() {
  const parts = [];
  for (let at = 8; at + 8 < file.length; at += 12 + file.readUInt32BE(at))
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  const rows = inflateSync(Buffer.concat(parts), { finishFlush: constants.Z_SYNC_FLUSH });
  const rowBits = file.readUInt32BE(16) * file[24] * CHANNELS[file[25]];
  return rows.length / (1 + Math.ceil(rowBits / 8));
}

function watchMemory() {
  // In pages of 4 kB or more; the sixth figure is the data size (proc(5)).
  const pages = Number(readFileSync(MEMORY_FIGURES, 'latin1').split(' ')[5]);
  if (pages * 4096 > task.dataBytes - SPARE_BYTES) isStarved = true;
}

function picture() {
  // `truncated` refuses cut-off files but forgives the mistakes of cameras; for libtiff both are errors. Only the
  // first frame or page is ever read.
  const failOn = isCutOff ? 'none' : task.format === 'tiff' ? 'error' : 'truncated';
  return sharp(file, {
    failOn,
    limitInputPixels: MAX_ORIGINAL_PIXELS,
    raw: task.raw,
    page: task.page,
  });
}

function part() {
  const whole = picture();
  return slice === undefined ? whole : whole.extract(slice);
}

/** A JPEG within all limits of service-interface §8; of lower quality or size only if its bytes demand it. */
async function redraw() {
  const { format, hasAlpha, orientation = 1, autoOrient } = await picture().metadata();
  if (task.region !== undefined) slice = { left: 0, width: autoOrient.width, ...task.region };
  // sharp detects formats by its own rules: it must not find an SVG where we found a webp.
  if (format !== task.format) throw new Error(`a ${format} that begins like a ${task.format}`);
  const { width, height } = slice ?? autoOrient;
  isLargeWebp = format === 'webp' && width * height > MAX_WEBP_PIXELS;
  const background = hasAlpha ? await ground() : 'white';
  const largest = Math.min(
    1,
    task.limits.maxSide / Math.max(width, height),
    Math.sqrt(maxPixels(format, orientation) / (width * height)),
  );
  for (let tries = 0; ; tries += 1) {
    const quality = QUALITIES[tries] ?? LOWEST_QUALITY;
    const scale = largest * SHRINK ** Math.max(0, tries - QUALITIES.length + 1);
    const inner = { width: scaled(width, scale), height: scaled(height, scale) };
    let jpeg = await part()
      .autoOrient()
      .resize({ ...inner, fit: 'fill' })
      .flatten({ background })
      .extend({ ...padding(inner), background })
      .toColourspace('srgb')
      // Full chroma keeps thin coloured strokes apart from their ground. Optimised Huffman tables would hold
      // the whole picture in memory (108 Mpx: 630 MB instead of 54) to save 5 % of the file.
      .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: false })
      .toBuffer();
    if (!isStarved && jpeg.length <= task.limits.bytes) return jpeg;
    // A smaller picture takes less, but a decoder that needs it all will not do with less.
    if (isStarved && tries >= QUALITIES.length) throw new Error('memory nearly ran out');
    isStarved = false;
    // V8 does not notice that memory is short.
    jpeg = undefined;
    globalThis.gc();
  }
}

function maxPixels(format, orientation) {
  if (format === 'webp') return MAX_WEBP_PIXELS;
  return orientation > LAST_ORIENTATION_BY_ROWS ? MAX_TURNED_PIXELS : MAX_PIXELS;
}

/** Black behind light pictures, white behind all others: writing needs contrast. */
async function ground() {
  const { data, info } = await part()
    .resize({ width: SKETCH_SIDE, height: SKETCH_SIDE, fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let brightness = 0;
  let opacity = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    const alpha = data[at + 3];
    brightness += alpha * (0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2]);
    opacity += alpha;
  }
  return brightness > 127.5 * opacity ? 'black' : 'white';
}

function scaled(side, scale) {
  return Math.max(1, Math.round(side * scale));
}

/** Pixels to add on each side, so that no side is below the provider's shortest. */
function padding({ width, height }) {
  const across = Math.max(0, task.limits.minSide - width);
  const down = Math.max(0, task.limits.minSide - height);
  return {
    left: Math.floor(across / 2),
    right: Math.ceil(across / 2),
    top: Math.floor(down / 2),
    bottom: Math.ceil(down / 2),
  };
}

async function slices() {
  const { data, info } = await sharp(file, { failOn: 'none', limitInputPixels: MAX_ORIGINAL_PIXELS })
    .resize({ width: COLUMNS, height: task.rowsToCut, fit: 'fill' })
    .flatten({ background: 'white' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const busy = Uint16Array.from({ length: info.height }, (_, row) =>
    edgesIn(data.subarray(row * COLUMNS, (row + 1) * COLUMNS)),
  );
  const { maxSide } = task.limits;
  const found = [];
  let top = 0;
  while (info.height - top > maxSide) {
    const cut = emptiest(busy, top + Math.ceil(maxSide * LEAST), top + maxSide);
    found.push({ top, height: cut - top });
    top = cut;
  }
  return JSON.stringify([...found, { top, height: info.height - top }]);
}

/** The edges along a row: a line of writing has many, a gap inside a speech bubble those of the bubble. */
function edgesIn(row) {
  let edges = 0;
  for (let at = 1; at < COLUMNS; at += 1) if (Math.abs(row[at] - row[at - 1]) > STEP) edges += 1;
  return edges;
}

/** The row with the fewest edges around it; the last of several. */
function emptiest(busy, from, to) {
  let best = to;
  let fewest = Number.POSITIVE_INFINITY;
  for (let row = from; row <= to; row += 1) {
    const edges = Math.max(...busy.subarray(row - MARGIN, row + MARGIN));
    if (edges > fewest) continue;
    fewest = edges;
    best = row;
  }
  return best;
}
