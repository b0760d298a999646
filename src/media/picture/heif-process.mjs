/**
 * The process that opens one HEIC or AVIF picture: on standard output its width and height, and those of what is drawn (32-bit numbers,
 * little-endian), then the pixels of a HEIC, upright, three bytes each, or the AV1 stream of an AVIF. `decoders.ts` starts it with bounded memory and time.
 *
 * Phones store a picture as tiles. Each is decoded and drawn by itself: 50 megapixels at once would take 400 MB, so they take a quarter.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { file, task } from '../task.mjs';

const HEADER_BYTES = 16;
const COLOURS = 3;
/** heif_image.h and heif_tiling.h of libheif 1.23 */
const RGB = 1;
const INTERLEAVED_RGB = 10;
const INTERLEAVED = 10;
const TILING = ['version', 'columns', 'rows', 'tileWidth', 'tileHeight', 'width', 'height'];
const TILING_BYTES = 76;
const AS_STORED = 0;
const UPRIGHT = 1;
/** heif_properties.h: the properties that turn a picture or cut it out; the mirror that swaps above and below. */
const ROTATION = Buffer.from('irot').readUInt32BE();
const MIRROR = Buffer.from('imir').readUInt32BE();
const CROP = Buffer.from('clap').readUInt32BE();
const VERTICAL = 0;
/** Of one picture, at most; each kind once makes three. */
const MAX_TURNS = 16;
/** A placement (`placement`) of what is shown as it is stored. */
const IN_PLACE = { across: [1, 0, 0], down: [0, 1, 0] };
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
const propertiesAt = libheif._malloc(4 * MAX_TURNS);
/** How tiles are decoded: its second byte says to leave them as they are stored (heif_decoding.h). */
const options = libheif._heif_decoding_options_alloc();
libheif.HEAPU8[options + 1] = 1;
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
  return Buffer.concat([headerOf(width, height, width, height), data]);
}

function headerOf(...sizes) {
  const header = Buffer.alloc(HEADER_BYTES);
  for (const [index, size] of sizes.entries()) header.writeUInt32LE(size, 4 * index);
  return header;
}

/** The whole picture, or a region of its rows; one pixel for each square of some, if that has more than `maxPixels`. */
function draw() {
  const stored = gridOf(AS_STORED);
  const isTiled = stored.columns * stored.rows > 1;
  const grid = isTiled ? stored : gridOf(UPRIGHT);
  const placed = isTiled ? placement(grid) : { ...grid, ...IN_PLACE };
  const { top, height: rows } = task.region ?? { top: 0, height: placed.height };
  const step = Math.ceil(Math.sqrt((placed.width * rows) / task.maxPixels));
  const width = Math.floor(placed.width / step);
  const height = Math.floor(rows / step);
  if (width < 1 || height < 1) process.exit(task.exitCodes.unreadable);
  const drawn = Buffer.alloc(HEADER_BYTES + width * height * COLOURS);
  drawn.set(headerOf(placed.width, placed.height, width, height));
  const into = { pixels: drawn.subarray(HEADER_BYTES), width, height, step, top };
  for (let row = 0; row < grid.rows; row += 1) {
    for (let column = 0; column < grid.columns; column += 1) {
      const [x, y] = [column * grid.tileWidth, row * grid.tileHeight];
      // The last tiles reach beyond the picture.
      const [right, bottom] = [
        Math.min(x + grid.tileWidth, grid.width),
        Math.min(y + grid.tileHeight, grid.height),
      ];
      const area = { left: x, top: y, right, bottom };
      const shown = areaShown(area, placed);
      if (shown.bottom <= top || shown.top >= top + rows) continue;
      drawTile(into, isTiled ? tileOf(column, row) : whole(), { area, shown, placed });
    }
  }
  return drawn;
}

function gridOf(upright) {
  succeed(libheif._heif_image_handle_get_image_tiling, handle, upright, resultAt);
  return Object.fromEntries(TILING.map((name, index) => [name, numberAt(resultAt + 4 * index)]));
}

/**
 * The size of the picture as it is to be shown, and where: the stored pixel (x, y) is shown at (x · across[0] + y · across[1] + across[2],
 * x · down[0] + y · down[1] + down[2]). Of the tiles' places libheif 1.23 knows only those of a picture whose padding falls to the right
 * or below.
 */
function placement({ width, height }) {
  const id = libheif._heif_image_handle_get_item_id(handle);
  const count = libheif._heif_item_get_transformation_properties(context, id, propertiesAt, MAX_TURNS);
  let placed = { width, height, ...IN_PLACE };
  for (let index = 0; index < count; index += 1)
    placed = transformed(placed, id, numberAt(propertiesAt + 4 * index));
  return placed;
}

/** Rotated, mirrored or cut out by a property of the picture. */
function transformed({ width, height, across, down }, id, property) {
  const type = libheif._heif_item_get_property_type(context, id, property);
  const fromRight = [-across[0], -across[1], width - 1 - across[2]];
  const fromBottom = [-down[0], -down[1], height - 1 - down[2]];
  if (type === ROTATION) {
    const turn = libheif._heif_item_get_property_transform_rotation_ccw(context, id, property);
    if (turn === 90) return { width: height, height: width, across: down, down: fromRight };
    if (turn === 180) return { width, height, across: fromRight, down: fromBottom };
    if (turn === 270) return { width: height, height: width, across: fromBottom, down: across };
  }
  if (type === MIRROR) {
    const isUpsideDown = libheif._heif_item_get_property_transform_mirror(context, id, property) === VERTICAL;
    return { width, height, ...(isUpsideDown ? { across, down: fromBottom } : { across: fromRight, down }) };
  }
  if (type === CROP) {
    const borders = [0, 1, 2, 3].map((index) => resultAt + 4 * index);
    libheif._heif_item_get_property_transform_crop_borders(context, id, property, width, height, ...borders);
    const [left, top, right, bottom] = borders.map((at) => libheif.HEAP32[at >> 2]);
    return {
      width: width - left - right,
      height: height - top - bottom,
      across: [across[0], across[1], across[2] - left],
      down: [down[0], down[1], down[2] - top],
    };
  }
  return { width, height, across, down };
}

/** Where a stored rectangle is shown. */
function areaShown({ left, top, right, bottom }, { across, down }) {
  const places = (line) =>
    [line[0] * left + line[1] * top + line[2], line[0] * (right - 1) + line[1] * (bottom - 1) + line[2]].sort(
      (one, other) => one - other,
    );
  const [columns, rows] = [places(across), places(down)];
  return { left: columns[0], right: columns[1] + 1, top: rows[0], bottom: rows[1] + 1 };
}

/** As stored: libheif turns tiles, but not all of their places. */
function tileOf(column, row) {
  succeed(
    libheif._heif_image_handle_decode_image_tile,
    handle,
    resultAt,
    RGB,
    INTERLEAVED_RGB,
    options,
    column,
    row,
  );
  return decoded();
}

/** Upright. */
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

/** Draws the means of the squares that begin in a tile: of those pixels of each that are in the tile. */
function drawTile({ pixels, width, height, step, top }, tile, { area, shown, placed }) {
  if (tile.width < area.right - area.left || tile.height < area.bottom - area.top)
    process.exit(task.exitCodes.unreadable);
  const heap = libheif.HEAPU8;
  // How many bytes of the tile the next pixel to the right is away, and the next one below.
  const [right, below] = [placed.across, placed.down].map(
    (line) => line[0] * COLOURS + line[1] * tile.stride,
  );
  const origin =
    tile.at -
    area.left * COLOURS -
    area.top * tile.stride -
    placed.across[2] * right -
    placed.down[2] * below;
  const squares = (from, to, most) => [
    Math.max(0, Math.ceil(from / step)),
    Math.min(most, Math.ceil(to / step)),
  ];
  const [firstRow, endRow] = squares(shown.top - top, shown.bottom - top, height);
  const [firstColumn, endColumn] = squares(shown.left, shown.right, width);
  for (let y = firstRow; y < endRow; y += 1) {
    const rows = Math.min(step, shown.bottom - top - y * step);
    for (let x = firstColumn; x < endColumn; x += 1) {
      const columns = Math.min(step, shown.right - x * step);
      const from = origin + x * step * right + (top + y * step) * below;
      for (let colour = 0; colour < COLOURS; colour += 1) {
        let sum = 0;
        for (let row = 0; row < rows; row += 1) {
          const line = from + row * below + colour;
          for (let column = 0; column < columns; column += 1) sum += heap[line + column * right];
        }
        pixels[(y * width + x) * COLOURS + colour] = sum / (rows * columns);
      }
    }
  }
  tile.release();
}
