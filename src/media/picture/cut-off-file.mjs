/** What a file that ends early has, and the same with its end, for decoders that drop the last bytes without one. */
import { crc32 } from 'node:zlib';

/** Markers of a JPEG: of its frame (baseline, extended, progressive), of a scan, and of its end. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const SCAN = 0xda;
const END = Buffer.from([0xff, 0xd9]);
const PNG_SIGNATURE_BYTES = 8;

export function endedJpeg(file) {
  return Buffer.concat([file, END]);
}

/** The chunks of a PNG, of the last as much as there is, and its end. */
export function endedPng(file) {
  let at = PNG_SIGNATURE_BYTES;
  while (at + 12 <= file.length && at + 12 + file.readUInt32BE(at) <= file.length)
    at += 12 + file.readUInt32BE(at);
  const last = file.subarray(at + 4, file.length);
  return Buffer.concat([
    file.subarray(0, at),
    last.length < 4 ? Buffer.alloc(0) : chunk(last),
    chunk(Buffer.from('IEND')),
  ]);
}

/** A chunk of a PNG, from its type and data. */
function chunk(body) {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** The scans of a JPEG that have begun: their components, coefficients, and bits (ITU-T T.81, B.2.3); each with all components. */
export function scansOf(jpeg) {
  const scans = [];
  let all = [];
  for (let at = 2; at + 4 <= jpeg.length && at > 1; ) {
    const kind = jpeg[at + 1];
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    const ids = (from, step) =>
      Array.from({ length: jpeg[from] }, (_, index) => jpeg[from + 1 + index * step]);
    if (FRAMES.includes(kind)) all = ids(at + 9, 3);
    if (kind === SCAN && end < jpeg.length) {
      const [first, last, bits] = jpeg.subarray(end - 3, end);
      scans.push({
        all,
        components: ids(at + 4, 2),
        first,
        last,
        isRefining: bits >= 16,
        isLastBit: bits % 16 === 0,
      });
    }
    at = kind === SCAN ? markerAfter(jpeg, end) : end;
  }
  return scans;
}

/** Steps over coded data, and over the marks for starting anew in it; 0 if nothing follows. */
function markerAfter(jpeg, start) {
  for (let at = jpeg.indexOf(0xff, start); at >= 0 && at + 1 < jpeg.length; at = jpeg.indexOf(0xff, at + 1))
    if (jpeg[at + 1] !== 0 && jpeg[at + 1] !== 0xff && (jpeg[at + 1] < 0xd0 || jpeg[at + 1] > 0xd7))
      return at;
  return 0;
}

/** Whether all scans have begun, and the last, which ends early, brings but the last bit of what is there, or colours. */
export function isNearlyFine(scans) {
  const { all, components, isRefining } = scans.at(-1);
  const open = new Set(
    all.flatMap((component) => Array.from({ length: 64 }, (_, at) => component * 64 + at)),
  );
  for (const { components, first, last, isLastBit } of scans)
    for (const component of isLastBit ? components : [])
      for (let at = first; at <= last; at += 1) open.delete(component * 64 + at);
  return open.size === 0 && (isRefining || !components.includes(all[0]));
}
