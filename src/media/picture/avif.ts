/** Decodes large AVIF pictures with ffmpeg, which takes half the memory of sharp: 140 MB for 12 megapixels. */
import { ffmpegPath, runBounded } from '../child-process.ts';
import { DECODING, type Original } from './image-redraw.ts';

/** Sharp decodes a smaller one within its memory. */
const MIN_PIXELS = 8e6;
/** Of the result, which ffmpeg holds twice, and the bot once. */
const MAX_DRAWN_PIXELS = 9e6;
/**
 * Decoding a larger one takes most of the memory, so it is drawn in grey, as large as an A4 page in 220 dpi. 50 megapixels, 8 bits in 4:2:0
 * as phones write them, take ffmpeg 160 MB of RSS.
 */
const LARGE_PIXELS = 24e6;
const MAX_DRAWN_OF_LARGE = 4.5e6;
/** Writable memory of ffmpeg in kB. Its RSS is then at most 190 MB. */
const MAX_DATA_KB = 190_000;
const DECODE = '-v error -threads 1 -f obu -i pipe:0 -frames:v 1 -f rawvideo'.split(' ');

/** The main picture of the file, if it is one piece of AV1, and as it was taken. */
interface AvifItem {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** Returns the pixels of a large AVIF, scaled down if there are many; undefined if sharp is to try. Throws as `runBounded`. */
export async function decodeLargeAvif(
  bytes: Buffer,
  signal: AbortSignal | undefined,
): Promise<Original | undefined> {
  const item = mainItem(bytes);
  if (item === undefined) return undefined;
  const pixels = item.width * item.height;
  if (pixels < MIN_PIXELS || pixels > DECODING.maxPixels) return undefined;
  const isLarge = pixels > LARGE_PIXELS;
  const channels = isLarge ? 1 : 3;
  const scale = Math.min(1, Math.sqrt((isLarge ? MAX_DRAWN_OF_LARGE : MAX_DRAWN_PIXELS) / pixels));
  const [width, height] = [item.width, item.height].map((side) => Math.floor(side * scale));
  if (!width || !height) return undefined;
  const maxBytes = width * height * channels;
  const drawing = ['-pix_fmt', isLarge ? 'gray' : 'rgb24', '-vf', `scale=${width}:${height}`];
  const command = [ffmpegPath(), ...DECODE, ...drawing, 'pipe:1'];
  const bounds = { ...DECODING.bounds, dataKb: MAX_DATA_KB, maxBytes };
  const { output } = await runBounded(command, process.env, [item.data], bounds, signal);
  if (output.length < maxBytes) return undefined;
  return { bytes: output, format: 'raw', raw: { width, height, channels } };
}

/** ISO/IEC 14496-12 and 23008-12: where the main picture of a file is. Throws a RangeError where the file ends too early. */
function readMainItem(bytes: Buffer): AvifItem | undefined {
  const meta = boxes(bytes, 0, bytes.length).find(({ type }) => type === 'meta');
  if (meta === undefined) return undefined;
  const inMeta = boxes(bytes, meta.start + 4, meta.end);
  const boxOf = (type: string) => inMeta.find((box) => box.type === type);
  const [pitm, iloc, iprp] = ['pitm', 'iloc', 'iprp'].map(boxOf);
  if (!pitm || !iloc || !iprp) return undefined;
  const id =
    bytes[pitm.start] === 0 ? bytes.readUInt16BE(pitm.start + 4) : bytes.readUInt32BE(pitm.start + 4);
  const [ipco, ...ipma] = boxes(bytes, iprp.start, iprp.end);
  const own = ipma.flatMap((box) => propertiesOf(bytes, box.start, id));
  const all = ipco === undefined ? [] : boxes(bytes, ipco.start, ipco.end);
  const properties = own.flatMap((index) => all[index - 1] ?? []);
  const size = properties.find(({ type }) => type === 'ispe');
  const isPlain = properties.some(({ type }) => type === 'av1C');
  const isTurned = properties.some(({ type }) => ['irot', 'imir', 'clap'].includes(type));
  const data = dataOf(bytes, iloc.start, id);
  if (size === undefined || !isPlain || isTurned || data === undefined) return undefined;
  return { width: bytes.readUInt32BE(size.start + 4), height: bytes.readUInt32BE(size.start + 8), data };
}

function mainItem(bytes: Buffer): AvifItem | undefined {
  try {
    return readMainItem(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const MAX_BOXES = 1000;

function boxes(bytes: Buffer, from: number, to: number): Box[] {
  const found: Box[] = [];
  for (let at = from; at + 8 <= to && found.length < MAX_BOXES; ) {
    const length = bytes.readUInt32BE(at) || to - at;
    if (length < 8 || at + length > to) break;
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at + 8, end: at + length });
    at += length;
  }
  return found;
}

/** The properties of an item, as numbers from 1 (`ipma`). */
function propertiesOf(bytes: Buffer, start: number, id: number): number[] {
  const [isLongId, isLongIndex] = [bytes.readUInt8(start) > 0, (bytes.readUInt8(start + 3) & 1) === 1];
  const entries = Math.min(MAX_BOXES, bytes.readUInt32BE(start + 4));
  let at = start + 8;
  for (let entry = 0; entry < entries; entry += 1) {
    const item = isLongId ? bytes.readUInt32BE(at) : bytes.readUInt16BE(at);
    at += isLongId ? 4 : 2;
    const count = bytes.readUInt8(at);
    at += 1;
    const indices = Array.from({ length: count }, (_, index) =>
      isLongIndex ? bytes.readUInt16BE(at + 2 * index) & 0x7fff : bytes.readUInt8(at + index) & 0x7f,
    );
    if (item === id) return indices;
    at += count * (isLongIndex ? 2 : 1);
  }
  return [];
}

/** The bytes of an item that is stored in one piece (`iloc`). */
function dataOf(bytes: Buffer, start: number, id: number): Buffer | undefined {
  const version = bytes.readUInt8(start);
  const sizes = bytes.readUInt16BE(start + 4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version > 0 ? sizes & 15 : 0;
  let at = start + 6;
  const next = (size: number): number => {
    at += size;
    return size === 0
      ? 0
      : size <= 6
        ? bytes.readUIntBE(at - size, size)
        : Number(bytes.readBigUInt64BE(at - size));
  };
  const items = Math.min(MAX_BOXES, next(version < 2 ? 2 : 4));
  for (let item = 0; item < items; item += 1) {
    const itemId = next(version < 2 ? 2 : 4);
    const isInFile = version === 0 || (next(2) & 15) === 0;
    next(2);
    const base = next(baseBytes);
    const extents = next(2);
    for (let extent = 0; extent < extents; extent += 1) {
      next(indexBytes);
      const offset = base + next(offsetBytes);
      const length = next(lengthBytes);
      if (itemId !== id) continue;
      const isWhole = isInFile && extents === 1 && offset + length <= bytes.length;
      return isWhole ? bytes.subarray(offset, offset + length) : undefined;
    }
  }
  return undefined;
}
