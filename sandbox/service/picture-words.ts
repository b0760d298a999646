/** Text written into a picture's pixels as black and white squares, which outlast re-encoding, but not scaling. */
import sharp from 'sharp';

/** Pixels of a square, squares of a row, and bytes of these. */
const SQUARE = 4;
const COLUMNS = 240;
const ROW_BYTES = COLUMNS / 8;
const WIDTH = COLUMNS * SQUARE;
const MIN_ROWS = 16;
/** Of the squares, before the text: this mark, the length of the text in bytes, and the variant. */
const MARK = Buffer.from('WORD');
const VARIANT_AT = MARK.length + 4;
const HEADER_BYTES = VARIANT_AT + 4;
const MIDDLE_GREY = 128;

/** A JPEG that carries the text, as UTF-8; another one for each `variant`. */
export async function pictureSaying(text: string, variant = 0): Promise<Buffer> {
  const words = Buffer.from(text);
  const header = Buffer.alloc(HEADER_BYTES);
  MARK.copy(header);
  header.writeUInt32BE(words.length, MARK.length);
  header.writeUInt32BE(variant, VARIANT_AT);
  const rows = Math.ceil((HEADER_BYTES + words.length) / ROW_BYTES);
  const bytes = Buffer.concat([header, words], rows * ROW_BYTES);
  const squares = Buffer.alloc(COLUMNS * rows);
  for (let at = 0; at < squares.length; at += 1) squares[at] = bitAt(bytes, at) ? 0 : 255;
  return sharp(squares, { raw: { width: COLUMNS, height: rows, channels: 1 } })
    .resize({ width: WIDTH, height: rows * SQUARE, fit: 'fill', kernel: 'nearest' })
    .extend({ bottom: Math.max(0, MIN_ROWS - rows) * SQUARE, background: 'white' })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Returns the text that a picture carries; undefined if there is none, or no picture. */
export async function wordsInPicture(image: Buffer): Promise<string | undefined> {
  const { width, height } = await sharp(image)
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  if (width !== WIDTH) return undefined;
  const pixels = await sharp(image).toColourspace('b-w').extractChannel(0).raw().toBuffer();
  const bytes = Buffer.alloc(Math.floor(height / SQUARE) * ROW_BYTES);
  for (let at = 0; at < bytes.length * 8; at += 1) {
    const [x, y] = [at % COLUMNS, Math.floor(at / COLUMNS)].map((square) => square * SQUARE + SQUARE / 2);
    const isBlack = (pixels[(y ?? 0) * WIDTH + (x ?? 0)] ?? 0) < MIDDLE_GREY;
    if (isBlack) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (0x80 >> (at & 7));
  }
  if (!bytes.subarray(0, MARK.length).equals(MARK)) return undefined;
  return bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + bytes.readUInt32BE(MARK.length));
}

function bitAt(bytes: Buffer, at: number): boolean {
  return ((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0;
}
