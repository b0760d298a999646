/** Decodes a Windows bitmap's pixels for sharp, a slice at a time so that nobody else waits. */
import { createFairTurns } from '../../fair-turns.ts';
import type { BmpHeader } from './bmp-header.ts';
import { unpackRuns } from './bmp-runs.ts';

export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  /** RGB, or RGBA. */
  readonly channels: 3 | 4;
}

/** Writes the pixels of one stored row, beginning `rowAt` bytes into the source, to `out` from `outAt` on. */
type RowPainter = (rowAt: number, out: Buffer, outAt: number) => void;

/** Every depth and compression that `readBmpHeader` lets through, top row first. */
export async function readBmpPixels(bytes: Buffer, header: BmpHeader): Promise<Pixels> {
  const { width, height, masks, topDown } = header;
  const channels = masks[3] === 0 ? 3 : 4;
  const rowBytes = width * channels;
  const data = Buffer.allocUnsafe(rowBytes * height);

  const source = header.runLength
    ? { rows: await unpackRuns(bytes, header), firstRowAt: 0, stride: width, bits: 8 }
    : { rows: bytes, firstRowAt: header.pixelsAt, stride: header.stride, bits: header.bitsPerPixel };
  const paintRow = rowPainter(source.rows, source.bits, bytes, header);

  const giveTurn = createFairTurns();
  let isVisible = channels === 3;
  for (let row = 0; row < height; row += 1) {
    await giveTurn();
    const y = topDown ? row : height - 1 - row;
    paintRow(source.firstRowAt + row * source.stride, data, y * rowBytes);
    isVisible ||= showsSomething(data.subarray(y * rowBytes, (y + 1) * rowBytes));
  }
  // A picture whose every pixel is fully transparent was written by a program that knows no alpha.
  for (let row = 0; !isVisible && row < height; row += 1) {
    await giveTurn();
    makeOpaque(data.subarray(row * rowBytes, (row + 1) * rowBytes));
  }
  return { data, width, height, channels };
}

function rowPainter(rows: Buffer, bits: number, file: Buffer, header: BmpHeader): RowPainter {
  if (bits <= 8) return indexedRow(rows, bits, readPalette(file, header), header.width);
  return bits === 24 ? trueColourRow(rows, header.width) : maskedRow(rows, bits, header);
}

/** 256 colours of 3 bytes each; those the file does not define are black. */
function readPalette(file: Buffer, { palette }: BmpHeader): Uint8Array {
  const colours = new Uint8Array(256 * 3);
  for (let entry = 0; entry < palette.entries; entry += 1) {
    const at = palette.at + entry * palette.entryBytes;
    colours.set([file.readUInt8(at + 2), file.readUInt8(at + 1), file.readUInt8(at)], entry * 3);
  }
  return colours;
}

function indexedRow(rows: Buffer, bits: number, palette: Uint8Array, width: number): RowPainter {
  const perByte = 8 / bits;
  const mask = 2 ** bits - 1;
  return (rowAt, out, outAt) => {
    for (let x = 0; x < width; x += 1) {
      const byte = rows[rowAt + Math.floor(x / perByte)] ?? 0;
      const colour = ((byte >> (8 - bits - (x % perByte) * bits)) & mask) * 3;
      const to = outAt + x * 3;
      out[to] = palette[colour] ?? 0;
      out[to + 1] = palette[colour + 1] ?? 0;
      out[to + 2] = palette[colour + 2] ?? 0;
    }
  };
}

function trueColourRow(rows: Buffer, width: number): RowPainter {
  return (rowAt, out, outAt) => {
    for (let x = 0; x < width * 3; x += 3) {
      out[outAt + x] = rows[rowAt + x + 2] ?? 0;
      out[outAt + x + 1] = rows[rowAt + x + 1] ?? 0;
      out[outAt + x + 2] = rows[rowAt + x] ?? 0;
    }
  };
}

function maskedRow(rows: Buffer, bits: number, { width, masks }: BmpHeader): RowPainter {
  const channels = masks.filter((mask, index) => index < 3 || mask !== 0).map(channelOf);
  const read = bits === 16 ? (at: number) => rows.readUInt16LE(at) : (at: number) => rows.readUInt32LE(at);
  return (rowAt, out, outAt) => {
    let to = outAt;
    for (let x = 0; x < width; x += 1) {
      const pixel = read(rowAt + (x * bits) / 8);
      for (const { mask, shift, toByte } of channels) {
        out[to] = ((pixel & mask) >>> shift) * toByte + 0.5;
        to += 1;
      }
    }
  };
}

/** How a channel's bits become 0..255: a 5-bit 31 is as bright as an 8-bit 255. */
function channelOf(mask: number) {
  const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
  return { mask, shift, toByte: mask === 0 ? 0 : 255 / (mask >>> shift) };
}

function showsSomething(rgba: Buffer): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 0) return true;
  return false;
}

function makeOpaque(rgba: Buffer): void {
  for (let at = 3; at < rgba.length; at += 4) rgba[at] = 255;
}
