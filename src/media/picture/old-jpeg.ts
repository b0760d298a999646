/**
 * The JPEG in a page of a TIFF with compression 6 ("old-style JPEG", TIFF 6.0, section 22), which older scanners write and sharp does not
 * read. As in libtiff's decoder, the stream that the page names and its strips count as one stream; what its header lacks is in the fields.
 */
import { Failure } from '../../errors.ts';
import {
  END,
  FRAMES,
  HUFFMAN,
  HUFFMAN_CODED,
  INTERVAL,
  QUANTIZATION,
  RESTART,
  SCAN,
  type Segment,
  START,
  segmentsOf,
} from './jpeg.ts';
import { Tiff } from './tiff.ts';

const FIELDS = {
  width: 256,
  height: 257,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  channels: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  stream: 513,
  streamBytes: 514,
  restartInterval: 515,
  quantization: 519,
  dcTables: 520,
  acTables: 521,
  subsampling: 530,
} as const;

/** The whole numbers of a field of the page; empty if it has none. */
type Fields = (name: keyof typeof FIELDS) => readonly number[];

const OLD_JPEG = 6;
const RGB = 2;
const SEPARATE_PLANES = 2;

/** Other segments hold previews and remarks. */
const NEEDED = [...HUFFMAN_CODED, HUFFMAN, SCAN, QUANTIZATION, INTERVAL];
/** Where a frame says its height and width, the number of its components, and in how many blocks the first one is sampled. */
const SIZE_AT = 5;
const COMPONENTS_AT = 9;
const SAMPLING_AT = 11;
/** Pixels of a block. */
const BLOCK = 8;
/** Grey, and colours. */
const CHANNELS = [1, 3];
/** Restart markers are numbered in turn. */
const RESTARTS = 8;

/** Returns the JPEG of a page (from 0); undefined if the page is no old-style JPEG. Throws `image-unreadable` if its parts make no whole. */
export function oldJpegOf(file: Buffer, page: number): Buffer | undefined {
  const tiff = new Tiff(file);
  const fields: Fields = (name) => tiff.valuesOf(page, FIELDS[name]);
  if (fields('compression')[0] !== OLD_JPEG) return undefined;
  const { strips, areWhole } = stripsIn(file, fields);
  const stream = isMarker(strips[0], 0, START) ? Buffer.alloc(0) : namedStream(file, fields);
  const { segments, end } = headerOf(stream);
  if (segments.some(({ kind }) => kind === SCAN) && end + 2 < stream.length) return stream;
  const [first = Buffer.alloc(0), ...more] = strips;
  const parts = Buffer.concat([stream, first]);
  const header = headerOf(parts);
  const isOdd = more.some((strip) => isMarker(strip, 0, START)) || fields('planes')[0] === SEPARATE_PLANES;
  if (isOdd || header.end >= parts.length || !CHANNELS.includes(fields('channels')[0] ?? 1))
    throw new Failure('image-unreadable', 'an old-style JPEG in a TIFF is incomplete or of an unknown form');
  const data = [parts.subarray(header.end), ...more].flatMap((strip, index) =>
    index === 0 ? [strip] : [marker(RESTART + ((index - 1) % RESTARTS)), strip],
  );
  // Without an end mark a decoder notices that rows are missing.
  const ending = areWhole ? [marker(END)] : [];
  return Buffer.concat([
    marker(START),
    ...completed(header, file, fields, more.length > 0),
    ...data,
    ...ending,
  ]);
}

/** The strips, without end marks, as more may follow, up to the first that is not whole. */
function stripsIn(file: Buffer, fields: Fields) {
  const lengths = fields('stripBytes');
  const offsets = fields('stripOffsets');
  const isWhole = (at: number, index: number) =>
    at < file.length && at + (lengths[index] ?? 0) <= file.length;
  const torn = offsets.findIndex((at, index) => !isWhole(at, index));
  const strips = (torn < 0 ? offsets : offsets.slice(0, torn + 1)).map((at, index) => {
    const strip = file.subarray(at, at + (lengths[index] ?? file.length));
    return isMarker(strip, strip.length - 2, END) ? strip.subarray(0, -2) : strip;
  });
  return { strips, areWhole: torn < 0 };
}

/** The stream that the page names, often only a header; some scanners leave out its length. */
function namedStream(file: Buffer, fields: Fields): Buffer {
  const [at = file.length] = fields('stream');
  const next = Math.min(file.length, ...fields('stripOffsets').filter((strip) => strip > at));
  const stream = file.subarray(at, at + (fields('streamBytes')[0] || next - at));
  return isMarker(stream, 0, START) ? stream : Buffer.alloc(0);
}

interface Header {
  /** Those that a decoder needs. */
  readonly segments: readonly Segment[];
  /** Where the compressed data begins. */
  readonly end: number;
}

function headerOf(stream: Buffer): Header {
  const all = [...segmentsOf(stream)];
  const last = all.at(-1);
  const end = last === undefined ? 0 : last.at + last.bytes.length;
  return { segments: all.filter(({ kind }) => NEEDED.includes(kind)), end };
}

/** The segments of a whole header, in the order that decoders want. */
function completed({ segments }: Header, file: Buffer, fields: Fields, isInStrips: boolean): Buffer[] {
  const given = (...kinds: number[]): Buffer[] =>
    segments.filter(({ kind }) => kinds.includes(kind)).map(({ bytes }) => bytes);
  const [tables, [frame = frameFrom(fields)], [scan = scanOf(frame)]] = [
    given(QUANTIZATION, HUFFMAN),
    given(...HUFFMAN_CODED).filter(({ length }) => length > SAMPLING_AT),
    given(SCAN),
  ];
  const [interval = isInStrips ? blocksOfStrip(frame, fields) : 0] =
    fields('restartInterval').filter(Boolean);
  const [restarts = segment(INTERVAL, [interval >> 8, interval & 255])] = given(INTERVAL);
  return [...(tables.length > 0 ? tables : tablesFrom(file, fields)), frame, restarts, scan];
}

function tablesFrom(file: Buffer, fields: Fields): Buffer[] {
  const quantization = fields('quantization').map((at, index) =>
    segment(QUANTIZATION, [index, ...file.subarray(at, at + 64)]),
  );
  const huffman = [fields('dcTables'), fields('acTables')].flatMap((tables, kind) =>
    tables.map((at, index) => {
      const codes = file.subarray(at, at + 16).reduce((sum, count) => sum + count, 0);
      return segment(HUFFMAN, [kind * 16 + index, ...file.subarray(at, at + 16 + codes)]);
    }),
  );
  return [...quantization, ...huffman];
}

/** Its components are named by decoders' custom: a decoder takes 1, 2, 3 for YCbCr. */
function frameFrom(fields: Fields): Buffer {
  const [height = 0, width = 0, channels = 1] = [
    fields('height')[0],
    fields('width')[0],
    fields('channels')[0],
  ];
  const isRgb = fields('photometric')[0] === RGB;
  const [across = 2, down = 2] = channels === 1 || isRgb ? [1, 1] : fields('subsampling');
  const tables = fields('quantization').length;
  const components = Array.from({ length: channels }, (_, index) => [
    isRgb ? 'RGB'.charCodeAt(index) : index + 1,
    index === 0 ? across * 16 + down : 0x11,
    Math.min(index, tables - 1),
  ]);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return segment(FRAMES.baseline, [8, ...size, channels, ...components.flat()]);
}

/** The scan of all components, with the tables of their numbers; there are at most two or three of each kind. */
function scanOf(frame: Buffer): Buffer {
  const channels = frame.readUInt8(COMPONENTS_AT);
  const components = Array.from({ length: channels }, (_, index) => {
    const id = frame[COMPONENTS_AT + 1 + 3 * index] ?? 0;
    const table = frame[COMPONENTS_AT + 3 + 3 * index] ?? 0;
    return [id, table * 0x11];
  });
  return segment(SCAN, [channels, ...components.flat(), 0, 63, 0]);
}

/** How many blocks, as a decoder counts them, a strip has. */
function blocksOfStrip(frame: Buffer, fields: Fields): number {
  const sampling = frame.readUInt8(COMPONENTS_AT) === 1 ? 0x11 : frame.readUInt8(SAMPLING_AT);
  const [rows = 0] = fields('rowsPerStrip');
  const across = frame.readUInt16BE(SIZE_AT + 2) / (BLOCK * (sampling >> 4));
  const down = rows / (BLOCK * (sampling & 15));
  return Math.ceil(across) * Math.ceil(down);
}

function isMarker(bytes: Buffer | undefined, at: number, kind: number): boolean {
  return bytes?.[at] === 0xff && bytes[at + 1] === kind;
}

function marker(kind: number): Buffer {
  return Buffer.from([0xff, kind]);
}

function segment(kind: number, body: readonly number[]): Buffer {
  const length = body.length + 2;
  return Buffer.from([0xff, kind, length >> 8, length & 255, ...body]);
}
