/** HEIC pictures for the tests, made of one of six tiles, and libheif's own decoding of the whole. */
import { readFileSync } from 'node:fs';
import libheif from 'libheif-js/wasm-bundle';

/** 3 × 2 tiles of 64 pixels, of which the picture shows any part. */
const TILES = readFileSync(new URL('../fixtures/tiles.heic', import.meta.url));
const TILED = { width: 192, height: 128 };

/** Places in its list of properties (`ipco`), from 1. */
const PROPERTIES = { size: 3, rotation: 4, mirror: 5, crop: 6 } as const;

export interface HeicOptions {
  /** Of the canvas, before it is turned; the rest of the tiles is padding. */
  width?: number;
  height?: number;
  /** Quarter turns to the left. */
  turns?: 0 | 1 | 2 | 3;
  /** 0 swaps above and below, 1 left and right. */
  axis?: 0 | 1;
  /** What is cut out of the middle. */
  crop?: { width: number; height: number };
  /** In this order; by default none. */
  properties?: readonly ('rotation' | 'mirror' | 'crop')[];
}

/** The fixture with other values in its boxes. */
export function heic(options: HeicOptions): Buffer {
  const { width, height } = { ...TILED, ...options };
  const { turns = 0, axis = 0, crop = TILED, properties = [] } = options;
  const bytes = Buffer.from(TILES);
  const valueAt = (type: string, nth = 0) => {
    let at = bytes.indexOf(type);
    for (let count = 0; count < nth; count += 1) at = bytes.indexOf(type, at + 1);
    return at + type.length;
  };
  // Behind a full box's version and flags; the first is that of the tiles.
  for (const at of [valueAt('ispe', 1) + 4, valueAt('idat') + 4]) {
    bytes.writeUInt32BE(width, at);
    bytes.writeUInt32BE(height, at + 4);
  }
  bytes[valueAt('irot')] = turns;
  bytes[valueAt('imir')] = axis;
  bytes.writeUInt32BE(crop.width, valueAt('clap'));
  bytes.writeUInt32BE(crop.height, valueAt('clap') + 8);
  // The grid is the last item, and its properties are the last five; its size stands in for those that it has not.
  const listEnd = bytes.indexOf('idat') - 4;
  const used = properties.map((name) => PROPERTIES[name]);
  bytes.set([...used, ...Array(3 - used.length).fill(PROPERTIES.size)], listEnd - 3);
  return bytes;
}

/** Red, green and blue of each pixel, upright. */
export async function decodedWhole(
  bytes: Buffer,
): Promise<{ width: number; height: number; pixels: Buffer }> {
  const [image] = new libheif.HeifDecoder().decode(bytes);
  if (image === undefined) throw new Error('libheif found no picture');
  const [width, height] = [image.get_width(), image.get_height()];
  const data = new Uint8ClampedArray(width * height * 4);
  await new Promise<void>((resolve, reject) => {
    image.display({ data, width, height }, (shown) => (shown ? resolve() : reject(new Error('not decoded'))));
  });
  const pixels = Buffer.from(data.filter((_, at) => at % 4 < 3));
  return { width, height, pixels };
}
