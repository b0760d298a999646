/** TIFF files for the tests, built by hand: of grey pages, and what programs put between them. */

export interface TiffImage {
  /** In pixels; 32 by default. */
  side?: number;
  /** The field NewSubfileType: 1 for a smaller copy, 4 for a mask. */
  newSubfileType?: number;
  /** The old field SubfileType: 2 for a smaller copy. */
  subfileType?: number;
  /** Of all pixels, from 0 to 255. */
  grey?: number;
}

interface Layout {
  order?: 'II' | 'MM';
  isBig?: boolean;
}

const SHORT = 3;
const LONG = 4;

/** A TIFF of these images, one directory each; images of one shade and size share their pixels. */
export function tiff(images: readonly TiffImage[], { order = 'II', isBig = false }: Layout = {}): Buffer {
  const isLittle = order === 'II';
  const number = (value: number, size: number): Buffer => {
    const bytes = Buffer.alloc(size);
    const at = isLittle ? 0 : Math.max(0, size - 6);
    if (isLittle) bytes.writeUIntLE(value, at, Math.min(size, 6));
    else bytes.writeUIntBE(value, at, Math.min(size, 6));
    return bytes;
  };
  const [offsetBytes, countBytes] = isBig ? [8, 8] : [4, 2];
  const field = (name: number, type: number, value: number): Buffer => {
    const held = Buffer.alloc(offsetBytes);
    number(value, type === SHORT ? 2 : 4).copy(held);
    return Buffer.concat([number(name, 2), number(type, 2), number(1, offsetBytes), held]);
  };
  const header = isBig ? [number(43, 2), number(8, 2), number(0, 2)] : [number(42, 2)];
  let length = 2 + header.reduce((sum, part) => sum + part.length, 0) + offsetBytes;
  const body: Buffer[] = [];
  const places = new Map<string, number>();
  for (const { side = 32, grey = 200 } of images) {
    if (places.has(`${side} ${grey}`)) continue;
    places.set(`${side} ${grey}`, length);
    body.push(Buffer.alloc(side * side, grey));
    length += side * side;
  }
  const first = length;
  for (const [index, image] of images.entries()) {
    const { side = 32, grey = 200, newSubfileType, subfileType } = image;
    const fields = [
      ...(newSubfileType === undefined ? [] : [field(254, LONG, newSubfileType)]),
      ...(subfileType === undefined ? [] : [field(255, SHORT, subfileType)]),
      field(256, LONG, side),
      field(257, LONG, side),
      field(258, SHORT, 8),
      field(259, SHORT, 1),
      field(262, SHORT, 1),
      field(273, LONG, places.get(`${side} ${grey}`) ?? 0),
      field(277, SHORT, 1),
      field(278, LONG, side),
      field(279, LONG, side * side),
    ];
    const entries = Buffer.concat([number(fields.length, countBytes), ...fields]);
    length += entries.length + offsetBytes;
    body.push(entries, number(index === images.length - 1 ? 0 : length, offsetBytes));
  }
  return Buffer.concat([Buffer.from(order), ...header, number(first, offsetBytes), ...body]);
}
