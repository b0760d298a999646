/** Finds a file's type by its first bytes, whatever its sender claims; names only types that are harmless in a page. */

const MAGIC: ReadonlyArray<{ readonly type: string; readonly at: number; readonly bytes: string }> = [
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/png', at: 0, bytes: '\x89PNG' },
  { type: 'image/gif', at: 0, bytes: 'GIF8' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
  { type: 'audio/ogg', at: 0, bytes: 'OggS' },
  { type: 'audio/mpeg', at: 0, bytes: 'ID3' },
  { type: 'audio/mpeg', at: 0, bytes: '\xff\xfb' },
  { type: 'audio/wav', at: 8, bytes: 'WAVE' },
  { type: 'audio/mp4', at: 4, bytes: 'ftypM4A' },
  { type: 'video/mp4', at: 4, bytes: 'ftyp' },
  { type: 'video/webm', at: 0, bytes: '\x1a\x45\xdf\xa3' },
];

/** The media type to show a file inline, or `undefined`: it is only to be downloaded. */
export function inlineType(file: Buffer): string | undefined {
  const begins = file.subarray(0, 12).toString('latin1');
  return MAGIC.find(({ at, bytes }) => begins.startsWith(bytes, at))?.type;
}
