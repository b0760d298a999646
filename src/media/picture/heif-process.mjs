/**
 * The process that opens one HEIC or AVIF picture: on standard output its width and height (two 32-bit numbers, little-endian), then the
 * pixels of a HEIC, upright, three bytes each, or the AV1 stream of an AVIF. `decoders.ts` starts it with bounded memory and time.
 *
 * Phones store a picture as tiles. Each is decoded and drawn by itself: 50 megapixels at once would take 400 MB, so they take a quarter.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { file, task } from '../task.mjs';

const HEADER_BYTES = 8;
const COLOURS = 3;
/** heif_image.h and heif_tiling.h of libheif 1.23 */
const RGB = 1;
const INTERLEAVED_RGB = 10;
const INTERLEAVED = 10;
const TILING = ['version', 'columns', 'rows', 'tileWidth', 'tileHeight', 'width', 'height', 'top', 'left'];
const TILING_BYTES = 76;
const UPRIGHT = 1;
/** The type of an item that is one picture: not tiles, nor derived from others. */
const AV1 = Buffer.from('av01').readUInt32BE();

// libheif aborts on some damaged files.
process.once('uncaughtException', () => process.exit(task.exitCodes.unreadable));

const require = createRequire(import.meta.url);
const wasm = require.resolve('libheif-js/libheif-wasm/libheif.wasm');
const libheif = require('libheif-js/libheif-wasm/libheif.js')({ wasmBinary: readFileSync(wasm) });
/** Where libheif writes an error (its code comes first), and a result. */
const errorAt = libheif._malloc(16);
const resultAt = libheif._malloc(TILING_BYTES);
const { context, handle } = open();
const picture = task.isAvif ? stream() : draw();
await new Promise((written) => process.stdout.write(picture, written));

/** Gives libheif's handles of the file and of its main picture. */
function open() {
  const at = libheif._malloc(file.length);
  libheif.HEAPU8.set(file, at);
  const context = libheif._heif_context_alloc();
  succeed(libheif._heif_context_read_from_memory_without_copy, context, at, file.length, 0);
  succeed(libheif._heif_context_get_primary_image_handle, context, resultAt);
  return { context, handle: numberAt(resultAt) };
}

/** Exits if a function of libheif returns an error. */
function succeed(call, ...values) {
  call(errorAt, ...values);
  if (numberAt(errorAt) !== 0) process.exit(task.exitCodes.unreadable);
}

function numberAt(address) {
  return libheif.HEAPU32[address >> 2];
}

/** The stream of a picture that is to be shown as it is; libheif-js has no decoder of AV1. */
function stream() {
  const id = libheif._heif_image_handle_get_item_id(handle);
  const isTurned = libheif._heif_item_get_transformation_properties(context, id, 0, 0) > 0;
  if (isTurned || libheif._heif_item_get_item_type(context, id) !== AV1)
    process.exit(task.exitCodes.unreadable);
  const [dataAt, lengthAt] = [resultAt + 4, resultAt + 8];
  succeed(libheif._heif_item_get_item_data, context, id, resultAt, dataAt, lengthAt);
  const data = libheif.HEAPU8.subarray(numberAt(dataAt), numberAt(dataAt) + numberAt(lengthAt));
  const [width, height] = [
    libheif._heif_image_handle_get_width(handle),
    libheif._heif_image_handle_get_height(handle),
  ];
  return Buffer.concat([headerOf(width, height), data]);
}

function headerOf(width, height) {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(width, 0);
  header.writeUInt32LE(height, 4);
  return header;
}

/** The whole picture; one pixel for each square of some, if it has more than `maxPixels`. */
function draw() {
  succeed(libheif._heif_image_handle_get_image_tiling, handle, UPRIGHT, resultAt);
  const tiling = Object.fromEntries(TILING.map((name, index) => [name, numberAt(resultAt + 4 * index)]));
  const step = Math.ceil(Math.sqrt((tiling.width * tiling.height) / task.maxPixels));
  const width = Math.floor(tiling.width / step);
  const height = Math.floor(tiling.height / step);
  if (width < 1 || height < 1) process.exit(task.exitCodes.unreadable);
  const drawn = Buffer.alloc(HEADER_BYTES + width * height * COLOURS);
  drawn.set(headerOf(width, height));
  const isTiled = tiling.columns * tiling.rows > 1;
  const into = { pixels: drawn.subarray(HEADER_BYTES), width, height, step };
  for (let row = 0; row < tiling.rows; row += 1) {
    for (let column = 0; column < tiling.columns; column += 1) {
      const left = column * tiling.tileWidth - tiling.left;
      const top = row * tiling.tileHeight - tiling.top;
      drawTile(into, isTiled ? tileOf(column, row) : whole(), left, top);
    }
  }
  return drawn;
}

function tileOf(column, row) {
  succeed(
    libheif._heif_image_handle_decode_image_tile,
    handle,
    resultAt,
    RGB,
    INTERLEAVED_RGB,
    0,
    column,
    row,
  );
  return decoded();
}

/** libheif 1.23 refuses a picture without tiles that is turned, if it is asked for it as one tile. */
function whole() {
  succeed(libheif._heif_decode_image, handle, resultAt, RGB, INTERLEAVED_RGB, 0);
  return decoded();
}

function decoded() {
  const image = numberAt(resultAt);
  const at = libheif._heif_image_get_plane_readonly2(image, INTERLEAVED, resultAt);
  if (at === 0) process.exit(task.exitCodes.unreadable);
  return {
    at,
    stride: numberAt(resultAt),
    width: libheif._heif_image_get_width(image, INTERLEAVED),
    height: libheif._heif_image_get_height(image, INTERLEAVED),
    release: () => libheif._heif_image_release(image),
  };
}

/** Draws the means of a tile's squares, those that lie within the picture. */
function drawTile({ pixels, width, height, step }, tile, left, top) {
  const heap = libheif.HEAPU8;
  const [right, bottom] = [Math.floor((left + tile.width) / step), Math.floor((top + tile.height) / step)];
  for (let y = Math.max(0, Math.ceil(top / step)); y < Math.min(height, bottom); y += 1) {
    for (let x = Math.max(0, Math.ceil(left / step)); x < Math.min(width, right); x += 1) {
      const from = tile.at + (y * step - top) * tile.stride + (x * step - left) * COLOURS;
      for (let colour = 0; colour < COLOURS; colour += 1) {
        let sum = 0;
        for (let down = 0; down < step; down += 1) {
          const line = from + down * tile.stride + colour;
          for (let across = 0; across < step; across += 1) sum += heap[line + across * COLOURS];
        }
        pixels[(y * width + x) * COLOURS + colour] = sum / (step * step);
      }
    }
  }
  tile.release();
}
