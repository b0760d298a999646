/**
 * The process that decodes one picture, and redraws it as a JPEG, or finds where a long one can be cut. `image-redraw.ts`
 * starts it with bounded memory and time, and gives it its task. It runs without V8's compilers, whose 512 MB of reserved memory would count
 * against its bound.
 */
import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { file, task } from '../task.mjs';
import { endedJpeg, endedPng, isNearlyFine, scansOf } from './cut-off-file.mjs';

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
/** EXIF's "as stored", and "mirrored left to right", which works row by row; from the fifth on rows are stored as columns, in some from the end. */
const LAST_ORIENTATION_BY_ROWS = 2;
const FIRST_LYING_ORIENTATION = 5;
const ORIENTATIONS_FROM_END = [3, 4, 7, 8];

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

/** The share of rows that may be missing at the end; a row of a JPEG's blocks may be, too, but never a quarter of the picture. */
const MISSING = 0.05;
const BLOCK = 16;
const MAX_MISSING = 0.25;
/** A picture narrower than this share of its height, and longer than the provider's limit, would be illegible in one piece. */
const NARROW = 1 / 3;
/** A picture with fewer pixels across holds no lines of writing. */
const MIN_WIDTH = 64;
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
let input = file;
/** `truncated` refuses cut-off files but forgives the mistakes of cameras; for libtiff both are errors. */
let failOn = task.format === 'tiff' ? 'error' : 'truncated';
try {
  const made = await redraw().catch(redrawCutOff);
  await new Promise((written) => process.stdout.write(made, written));
} catch (error) {
  process.stderr.write(String(error));
  process.exitCode = isTooLarge(error) ? task.exitCodes.tooLarge : task.exitCodes.unreadable;
}

/** libwebp names no reason. */
function isTooLarge(error) {
  return isStarved || isLargeWebp || TOO_LARGE.test(String(error));
}

/** Draws a picture that ends early, if nearly all of it is there. */
async function redrawCutOff(error) {
  if (isTooLarge(error)) throw error;
  // Decoders read ahead, and drop what is less than they asked for: before a mark of the end they miss only what is missing.
  if (task.format === 'jpeg') input = endedJpeg(file);
  if (task.format === 'png') input = endedPng(file);
  const complaint = task.format === 'jpeg' ? 'warning' : failOn;
  failOn = 'none';
  const { format, width, height } = await picture().metadata();
  if (format !== task.format) throw error;
  const missing = Math.min(Math.max(height * MISSING, BLOCK), height * MAX_MISSING);
  const sound = { width, height: Math.ceil(height - missing) };
  const scans = format === 'jpeg' ? scansOf(file) : [];
  const isNearlyWhole = scans.length > 1 ? isNearlyFine(scans) : await hasRows(sound, complaint);
  if (!isNearlyWhole) throw error;
  return redraw();
}

/** Whether a decoder reads the uppermost rows. That of GIFs never complains, and leaves those that are missing transparent. */
async function hasRows({ width, height }, complaint) {
  const isGif = task.format === 'gif';
  failOn = isGif ? 'none' : complaint;
  const top = isGif ? height - 1 : 0;
  const rows = picture().extract({ left: 0, top, width, height: height - top });
  const seen = await rows
    .ensureAlpha()
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer()
    .catch(() => undefined);
  failOn = 'none';
  return seen !== undefined && (!isGif || seen.at(-1) > 0);
}

function watchMemory() {
  // In pages of 4 kB or more; the sixth figure is the data size (proc(5)).
  const pages = Number(readFileSync(MEMORY_FIGURES, 'latin1').split(' ')[5]);
  if (pages * 4096 > task.dataBytes - SPARE_BYTES) isStarved = true;
}

function picture() {
  return sharp(input, {
    failOn,
    limitInputPixels: MAX_ORIGINAL_PIXELS,
    raw: task.raw,
    page: task.page,
  });
}

function part() {
  // Cut out first, so that no more must be held to be turned.
  return (slice === undefined ? picture() : picture().extract(slice)).autoOrient();
}

/** A JPEG within all limits of service-interface §8; of lower quality or size only if its bytes demand it. */
async function redraw() {
  const { format, hasAlpha, orientation = 1, autoOrient } = await picture().metadata();
  if (task.region !== undefined) slice = storedSlice(task.region, autoOrient, orientation);
  // sharp detects formats by its own rules: it must not find an SVG where we found a webp.
  if (format !== task.format) throw new Error(`a ${format} that begins like a ${task.format}`);
  const whole = task.size ?? autoOrient;
  const mostPixels = maxPixels(format, orientation);
  if (task.mayBeSliced && isLong(whole)) {
    const busy = await busyRows(whole.height, orientation);
    return slices(whole, busy, Math.min(mostPixels, task.maxPixels ?? mostPixels));
  }
  const { width, height } = { ...autoOrient, ...task.region };
  isLargeWebp = format === 'webp' && width * height > MAX_WEBP_PIXELS;
  const background = hasAlpha ? await ground() : 'white';
  const largest = Math.min(
    1,
    task.limits.maxSide / Math.max(width, height),
    Math.sqrt(mostPixels / (width * height)),
  );
  for (let tries = 0; ; tries += 1) {
    const quality = QUALITIES[tries] ?? LOWEST_QUALITY;
    const scale = largest * SHRINK ** Math.max(0, tries - QUALITIES.length + 1);
    const inner = { width: scaled(width, scale), height: scaled(height, scale) };
    let jpeg = await part()
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

function isLong({ width, height }) {
  return width >= MIN_WIDTH && height > task.limits.maxSide && width <= height * NARROW;
}

/** Where rows of the upright picture are stored. */
function storedSlice({ top, height }, whole, orientation) {
  const start = ORIENTATIONS_FROM_END.includes(orientation) ? whole.height - top - height : top;
  return orientation < FIRST_LYING_ORIENTATION
    ? { left: 0, top: start, width: whole.width, height }
    : { left: start, top: 0, width: height, height: whole.width };
}

/** How many edges each row of the upright picture has: a line of writing has many, a gap inside a speech bubble those of the bubble. */
async function busyRows(rows, orientation) {
  const isLying = orientation >= FIRST_LYING_ORIENTATION;
  // As it is stored: nothing is held to be turned.
  const data = await picture()
    .resize({ width: isLying ? rows : COLUMNS, height: isLying ? COLUMNS : rows, fit: 'fill' })
    .flatten({ background: 'white' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const [nextRow, nextColumn] = isLying ? [1, rows] : [COLUMNS, 1];
  const busy = Uint16Array.from({ length: rows }, (_, row) => {
    let edges = 0;
    for (let column = 1; column < COLUMNS; column += 1) {
      const at = row * nextRow + column * nextColumn;
      if (Math.abs(data[at] - data[at - nextColumn]) > STEP) edges += 1;
    }
    return edges;
  });
  return ORIENTATIONS_FROM_END.includes(orientation) ? busy.reverse() : busy;
}

/** As a list in JSON; each as wide as the picture, and small enough to be drawn in its size. */
function slices({ width, height }, busy, mostPixels) {
  const most = Math.min(task.limits.maxSide, Math.floor(mostPixels / width));
  const found = [];
  let top = 0;
  while (height - top > most) {
    const cut = emptiest(busy, top + Math.ceil(most * LEAST), top + most);
    found.push({ top, height: cut - top });
    top = cut;
  }
  return JSON.stringify([...found, { top, height: height - top }]);
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
