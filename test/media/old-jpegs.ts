/** Pictures as TIFFs with old-style JPEG (TIFF 6.0, section 22), in the forms in which scanners wrote it. */
import type { Sharp } from 'sharp';

/**
 * `stream`: a whole JPEG that the page names; `header`: it names only the header, and strips hold the data; `tables`: it names each table;
 * `strip`: its only strip is a whole JPEG.
 */
export type Form = 'stream' | 'header' | 'tables' | 'strip';

interface Options {
  readonly form: Form;
  readonly isLittle?: boolean;
  /** The lengths of the stream, which some scanners leave out. */
  readonly hasLength?: boolean;
  readonly fields?: Readonly<Record<number, readonly number[]>>;
}

const [HEIGHT_OF_STRIP, LONG] = [16, 4];

/** A picture of this size, whose height is divisible by 16. */
export async function anOldJpeg(
  picture: Sharp,
  [width, height]: readonly [width: number, height: number],
  { form, isLittle = true, hasLength = true, fields = {} }: Options,
): Promise<Buffer> {
  const whole = await picture.clone().removeAlpha().jpeg({ optimiseCoding: false }).toBuffer();
  const { tables, headerBytes } = partsOf(whole);
  const bands = Array.from({ length: height / HEIGHT_OF_STRIP }, (_, index) =>
    picture
      .clone()
      .removeAlpha()
      .extract({ left: 0, top: index * HEIGHT_OF_STRIP, width, height: HEIGHT_OF_STRIP })
      .jpeg({ optimiseCoding: false })
      .toBuffer(),
  );
  const strips = (await Promise.all(bands)).map((jpeg) => jpeg.subarray(partsOf(jpeg).headerBytes, -2));
  const parts: Buffer[] = [];
  let length = 8;
  const put = (part: Buffer): number => {
    parts.push(part);
    length += part.length;
    return length - part.length;
  };
  const named = form === 'stream' ? whole : whole.subarray(0, headerBytes);
  const isNamed = form === 'stream' || form === 'header';
  const stored = form === 'strip' ? [whole] : strips;
  const all: Record<number, readonly number[] | undefined> = {
    256: [width],
    257: [height],
    258: [8, 8, 8],
    259: [6],
    262: [6],
    277: [3],
    278: [form === 'strip' ? height : HEIGHT_OF_STRIP],
    512: [1],
    ...(isNamed && { 513: [put(named)] }),
    ...(isNamed && hasLength && { 514: [named.length] }),
    ...(form === 'tables' && {
      519: tables.filter(({ kind }) => kind === 'quantization').map(({ bytes }) => put(bytes)),
      520: tables.filter(({ kind }) => kind === 'dc').map(({ bytes }) => put(bytes)),
      521: tables.filter(({ kind }) => kind === 'ac').map(({ bytes }) => put(bytes)),
    }),
    ...(form !== 'stream' && { 273: stored.map(put), 279: stored.map((strip) => strip.length) }),
    ...fields,
  };
  const long = (value: number): Buffer => {
    const bytes = Buffer.alloc(LONG);
    if (isLittle) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  const short = (value: number): Buffer => (isLittle ? long(value).subarray(0, 2) : long(value).subarray(2));
  const entries = Object.entries(all).map(([field, values = []]) => {
    const bytes = Buffer.concat(values.map(long));
    const value = values.length === 1 ? bytes : long(put(bytes));
    return Buffer.concat([short(Number(field)), short(LONG), long(values.length), value]);
  });
  const directory = put(Buffer.concat([short(entries.length), ...entries, long(0)]));
  return Buffer.concat([Buffer.from(isLittle ? 'II*\0' : 'MM\0*'), long(directory), ...parts]);
}

interface Table {
  readonly kind: 'quantization' | 'dc' | 'ac';
  readonly bytes: Buffer;
}

/** The tables of a JPEG as sharp writes it (one in each segment), and the length of its header. */
function partsOf(jpeg: Buffer): { readonly tables: Table[]; readonly headerBytes: number } {
  const tables: Table[] = [];
  let at = 2;
  for (;;) {
    const kind = jpeg.readUInt8(at + 1);
    const next = at + 2 + jpeg.readUInt16BE(at + 2);
    const bytes = jpeg.subarray(at + 5, next);
    if (kind === 0xdb) tables.push({ kind: 'quantization', bytes });
    if (kind === 0xc4) tables.push({ kind: jpeg.readUInt8(at + 4) < 16 ? 'dc' : 'ac', bytes });
    at = next;
    if (kind === 0xda) return { tables, headerBytes: at };
  }
}
