/** The pages of an OGG file (RFC 3533 §6), and the lengths of the Opus packets in them. */

export interface OggPage {
  /** The whole page, header included. */
  readonly bytes: Buffer;
  readonly body: Buffer;
  /** The position in the stream at the end of the page's last packet, in granules; -1 if no packet ends on it. */
  readonly granule: bigint;
  /** How many packets end on the page. */
  readonly packets: number;
  /** True for the last page of the stream. */
  readonly isEnd: boolean;
}

/** The new header fields of a page. */
interface PageFields {
  readonly granule: bigint;
  readonly serial: number;
  /** Its number in the stream, from 0. */
  readonly sequence: number;
  readonly isEnd: boolean;
}

/** The first bytes of a page. */
const CAPTURE_PATTERN = Buffer.from('OggS');
/** The fixed part of a page's header. */
const HEADER_BYTES = 27;
const FLAGS_AT = 5;
const GRANULE_AT = 6;
const SERIAL_AT = 14;
const SEQUENCE_AT = 18;
const CHECKSUM_AT = 22;
const SEGMENTS_AT = 26;
const END_OF_STREAM = 0x04;
/** A segment of this length continues in the next one; a shorter one ends its packet. */
const FULL_SEGMENT = 255;

/** The pages in order; does not check their checksums. Throws RangeError for anything but whole pages. */
export function pagesOf(ogg: Buffer): OggPage[] {
  const pages: OggPage[] = [];
  for (let at = 0; at < ogg.length; ) {
    const page = pageAt(ogg, at);
    pages.push(page);
    at += page.bytes.length;
  }
  return pages;
}

function pageAt(ogg: Buffer, at: number): OggPage {
  const isPage = ogg.subarray(at, at + CAPTURE_PATTERN.length).equals(CAPTURE_PATTERN);
  const bodyAt = HEADER_BYTES + (ogg[at + SEGMENTS_AT] ?? 0);
  const segments = ogg.subarray(at + HEADER_BYTES, at + bodyAt);
  const length = segments.reduce((sum, segment) => sum + segment, bodyAt);
  const bytes = ogg.subarray(at, at + length);
  if (!isPage || bytes.length < length) throw new RangeError('there is no whole OGG page');
  return {
    bytes,
    body: bytes.subarray(bodyAt),
    granule: granuleOf(bytes),
    packets: segments.reduce((count, segment) => (segment < FULL_SEGMENT ? count + 1 : count), 0),
    isEnd: endsStream(bytes),
  };
}

/** `OggPage.granule` of bytes that begin with a page's header. */
function granuleOf(page: Buffer): bigint {
  return page.readBigInt64LE(GRANULE_AT);
}

/** `OggPage.isEnd` of bytes that begin with a page's header. */
function endsStream(page: Buffer): boolean {
  return (page.readUInt8(FLAGS_AT) & END_OF_STREAM) !== 0;
}

/** The stream that a page belongs to. */
export function serialOf({ bytes }: OggPage): number {
  return bytes.readUInt32LE(SERIAL_AT);
}

/** Changes the header fields of a page in place, and its checksum. */
export function movePage(page: Buffer, { granule, serial, sequence, isEnd }: PageFields): void {
  const otherFlags = page.readUInt8(FLAGS_AT) & ~END_OF_STREAM;
  page.writeUInt8(isEnd ? otherFlags | END_OF_STREAM : otherFlags, FLAGS_AT);
  page.writeBigInt64LE(granule, GRANULE_AT);
  page.writeUInt32LE(serial, SERIAL_AT);
  page.writeUInt32LE(sequence, SEQUENCE_AT);
  page.writeInt32LE(0, CHECKSUM_AT);
  page.writeInt32LE(checksum(page), CHECKSUM_AT);
}

/** OGG's CRC: zlib's polynomial, highest bit first, with an initial value of 0 and no final inversion. */
const POLYNOMIAL = 0x04c11db7;
const REMAINDERS = Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) {
    remainder = (remainder << 1) ^ (remainder < 0 ? POLYNOMIAL : 0);
  }
  return remainder;
});

/** Loops by index, which is several times faster than an iterator. */
function checksum(bytes: Buffer): number {
  let crc = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    crc = (crc << 8) ^ (REMAINDERS[(crc >>> 24) ^ (bytes[at] ?? 0)] ?? 0);
  }
  return crc;
}

/** Granules (48 kHz) of the frames of each configuration (RFC 6716 §3.1): SILK, hybrid, then CELT. */
const SILK = [480, 960, 1920, 2880];
const HYBRID = [480, 960];
const CELT = [120, 240, 480, 960];
const FRAME_GRANULES = [...SILK, ...SILK, ...SILK, ...HYBRID, ...HYBRID, ...CELT, ...CELT, ...CELT, ...CELT];

/** In the header packet (RFC 7845 §5.1), little-endian. */
const PRE_SKIP_AT = 10;

/** The length of a packet, in granules (48 kHz). All packets of a voice note are alike. Throws RangeError for an empty one. */
export function packetGranules(packet: Buffer): number {
  const toc = packet.readUInt8(0);
  const frame = FRAME_GRANULES[toc >> 3] ?? 0;
  const frames = [1, 2, 2][toc & 3] ?? packet.readUInt8(1) & 0x3f;
  return frame * frames;
}

/** The number of granules at the beginning that are not played (the encoder's delay). Throws RangeError if it is no header. */
export function preSkipOf(header: Buffer): number {
  return header.readUInt16LE(PRE_SKIP_AT);
}

/** How long a whole file plays, in seconds. Throws RangeError if it is none. */
export function secondsOf(ogg: Buffer): number {
  const last = ogg.subarray(ogg.lastIndexOf(CAPTURE_PATTERN));
  return (Number(granuleOf(last)) - preSkipOf(pageAt(ogg, 0).body)) / GRANULES_PER_SECOND;
}

/** Opus counts in 48 kHz, whatever its input (RFC 7845 §4); our speech has 16 kHz. */
const GRANULES_PER_SECOND = 48_000;

const GRANULES_PER_SAMPLE = 3n;

/**
 * Whether the last page ends the stream, and not before `samples` of 16 kHz. An encoder that gets SIGTERM or loses its input writes a valid
 * file that ends too soon.
 */
export function isWholeOgg(ogg: Buffer, samples: number): boolean {
  if (!ogg.subarray(0, CAPTURE_PATTERN.length).equals(CAPTURE_PATTERN)) return false;
  const last = ogg.subarray(ogg.lastIndexOf(CAPTURE_PATTERN));
  if (last.length < HEADER_BYTES) return false;
  return endsStream(last) && granuleOf(last) >= BigInt(samples) * GRANULES_PER_SAMPLE;
}
