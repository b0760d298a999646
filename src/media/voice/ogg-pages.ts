/** The pages of an OGG file (RFC 3533 §6): found, and put in another place. */

export interface OggPage {
  /** The whole page, header included. */
  readonly bytes: Buffer;
  readonly body: Buffer;
  /** How much sound there is up to the end of the page's last packet, from the beginning of the stream; -1 where no packet ends. */
  readonly granule: bigint;
  /** How many packets end on the page. */
  readonly packets: number;
  /** True for the last page of the stream. */
  readonly isEnd: boolean;
}

/** What a page is given in place of what it had. */
export interface PagePlace {
  readonly granule: bigint;
  readonly serial: number;
  /** Its number in the stream, from 0. */
  readonly sequence: number;
  readonly isEnd: boolean;
}

/** A page begins so. */
export const CAPTURE_PATTERN = Buffer.from('OggS');
/** The least that a page has. */
export const HEADER_BYTES = 27;
const FLAGS_AT = 5;
const GRANULE_AT = 6;
const SERIAL_AT = 14;
const SEQUENCE_AT = 18;
const CHECKSUM_AT = 22;
const SEGMENTS_AT = 26;
const END_OF_STREAM = 0x04;
/** A segment of so many bytes goes on in the next one; a shorter one ends its packet. */
const FULL_SEGMENT = 255;

/** The pages in order, without looking at their checksums. Throws RangeError where something else than a whole page stands. */
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

/** `OggPage.granule` of what begins with a page's header. */
export function granuleOf(page: Buffer): bigint {
  return page.readBigInt64LE(GRANULE_AT);
}

/** `OggPage.isEnd` of what begins with a page's header. */
export function endsStream(page: Buffer): boolean {
  return (page.readUInt8(FLAGS_AT) & END_OF_STREAM) !== 0;
}

/** Which stream a page belongs to. */
export function serialOf({ bytes }: OggPage): number {
  return bytes.readUInt32LE(SERIAL_AT);
}

/** Puts a page, given as its bytes, in another place: changes them, with the checksum that belongs there. */
export function movePage(page: Buffer, { granule, serial, sequence, isEnd }: PagePlace): void {
  const otherFlags = page.readUInt8(FLAGS_AT) & ~END_OF_STREAM;
  page.writeUInt8(isEnd ? otherFlags | END_OF_STREAM : otherFlags, FLAGS_AT);
  page.writeBigInt64LE(granule, GRANULE_AT);
  page.writeUInt32LE(serial, SERIAL_AT);
  page.writeUInt32LE(sequence, SEQUENCE_AT);
  page.writeInt32LE(0, CHECKSUM_AT);
  page.writeInt32LE(checksum(page), CHECKSUM_AT);
}

/** The CRC of OGG: that of zlib, but with each byte's highest bit first, begun with nothing and left as it is. */
const POLYNOMIAL = 0x04c11db7;
const REMAINDERS = Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) {
    remainder = (remainder << 1) ^ (remainder < 0 ? POLYNOMIAL : 0);
  }
  return remainder;
});

/** By index, which is several times as quick as an iterator. */
function checksum(bytes: Buffer): number {
  let crc = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    crc = (crc << 8) ^ (REMAINDERS[(crc >>> 24) ^ (bytes[at] ?? 0)] ?? 0);
  }
  return crc;
}
