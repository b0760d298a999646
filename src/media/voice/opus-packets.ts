/** What has to be known of Opus packets to count them: how long they are, and how much of a stream's beginning is not heard. */

/** Granules (48 kHz) of the frames of each configuration (RFC 6716 §3.1): SILK, hybrid, then CELT. */
const SILK = [480, 960, 1920, 2880];
const HYBRID = [480, 960];
const CELT = [120, 240, 480, 960];
const FRAME_GRANULES = [...SILK, ...SILK, ...SILK, ...HYBRID, ...HYBRID, ...CELT, ...CELT, ...CELT, ...CELT];

/** In the header packet (RFC 7845 §5.1), little-endian. */
const PRE_SKIP_AT = 10;

/** How long a packet is, in granules (48 kHz). All of a voice note's are alike. Throws RangeError for an empty one. */
export function packetGranules(packet: Buffer): number {
  const toc = packet.readUInt8(0);
  const frame = FRAME_GRANULES[toc >> 3] ?? 0;
  const frames = [1, 2, 2][toc & 3] ?? packet.readUInt8(1) & 0x3f;
  return frame * frames;
}

/** How many granules at the beginning are the encoder's own, and not played. Throws RangeError for what is no header. */
export function preSkipOf(header: Buffer): number {
  return header.readUInt16LE(PRE_SKIP_AT);
}
