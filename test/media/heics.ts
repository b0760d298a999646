/** HEIC pictures, as phones make them, of a frame that ffmpeg encodes: the boxes of ISO/IEC 23008-12 around it. */
import { spawnSync } from 'node:child_process';

interface Options {
  /** What the boxes say; by default what the frame has. */
  readonly claims?: readonly [width: number, height: number];
  /** Quarter turns, counter-clockwise. */
  readonly turns?: number;
  /** How often the picture is repeated across and down, as tiles of one: so phones store large ones. */
  readonly tiles?: readonly [columns: number, rows: number];
}

/** A picture file (JPEG or PNG) of this size as HEIC. */
export function aHeic(
  picture: Buffer,
  [width, height]: readonly [width: number, height: number],
  { claims, turns = 0, tiles: [columns, rows] = [1, 1] }: Options = {},
): Buffer {
  const units = unitsOf(picture);
  const typeOf = (unit: Buffer): number => (unit.readUInt8(0) >> 1) & 0x3f;
  const ofType = (type: number): Buffer[] => units.filter((unit) => typeOf(unit) === type);
  const [VPS, SPS, PPS] = [32, 33, 34];
  const slices = units.filter((unit) => typeOf(unit) < VPS).map((unit) => sized(unit, 4));
  const frame = Buffer.concat(slices);
  const [sequence] = ofType(SPS);
  if (sequence === undefined) throw new Error('ffmpeg encoded no HEVC');
  const arrays = [VPS, SPS, PPS].map((type) => {
    const all = ofType(type);
    return Buffer.concat([
      Buffer.from([0x80 | type]),
      uint16(all.length),
      ...all.map((one) => sized(one, 2)),
    ]);
  });
  const configuration = Buffer.concat([
    Buffer.from([1]),
    // Profile, compatibility, constraints and level, as the sequence begins with them.
    sequence.subarray(3, 15),
    Buffer.from([0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, arrays.length]),
    ...arrays,
  ]);
  const tiles = columns * rows;
  const [claimedWidth, claimedHeight] = claims ?? [width * columns, height * rows];
  const whole = fullBox('ispe', uint32(claimedWidth), uint32(claimedHeight));
  const tile = tiles > 1 ? fullBox('ispe', uint32(width), uint32(height)) : whole;
  const properties = [box('hvcC', configuration), tile, whole, box('irot', Buffer.from([turns]))];
  const [CODED, TILE_SIZE, WHOLE_SIZE, TURNED] = [0x81, 0x82, 3, 0x84];
  const grid = Buffer.from([
    0,
    0,
    rows - 1,
    columns - 1,
    ...uint16(width * columns),
    ...uint16(height * rows),
  ]);
  // The first item is the picture: the frame itself, or a grid of the items after it, which all are the frame.
  const items = tiles > 1 ? tiles + 1 : 1;
  const ids = Array.from({ length: items }, (_, at) => at + 1);
  const isGrid = (id: number): boolean => tiles > 1 && id === 1;
  const opening = box('ftyp', text('heic'), uint32(0), text('mif1heic'));
  const meta = (offset: number): Buffer =>
    fullBox(
      'meta',
      fullBox('hdlr', uint32(0), text('pict'), Buffer.alloc(13)),
      fullBox('pitm', uint16(1)),
      fullBox(
        'iloc',
        Buffer.from([0x44, 0]),
        uint16(items),
        ...ids.map((id) => {
          const [at, length] = isGrid(id) ? [offset, grid.length] : [offset + grid.length, frame.length];
          return Buffer.concat([uint16(id), uint16(0), uint16(1), uint32(at), uint32(length)]);
        }),
      ),
      fullBox(
        'iinf',
        uint16(items),
        ...ids.map((id) =>
          box('infe', uint32(2 << 24), uint16(id), uint16(0), text(isGrid(id) ? 'grid\0' : 'hvc1\0')),
        ),
      ),
      ...(tiles > 1
        ? [fullBox('iref', box('dimg', uint16(1), uint16(tiles), ...ids.slice(1).map(uint16)))]
        : []),
      box(
        'iprp',
        box('ipco', ...properties),
        fullBox(
          'ipma',
          uint32(items),
          ...ids.map((id) => {
            const own = isGrid(id)
              ? [WHOLE_SIZE, TURNED]
              : [CODED, TILE_SIZE, ...(tiles > 1 ? [] : [TURNED])];
            return Buffer.concat([uint16(id), Buffer.from([own.length, ...own])]);
          }),
        ),
      ),
    );
  const BOX_HEADER = 8;
  const offset = opening.length + meta(0).length + BOX_HEADER;
  return Buffer.concat([opening, meta(offset), box('mdat', grid, frame)]);
}

/** The units of one frame of HEVC, without their start codes. */
function unitsOf(picture: Buffer): Buffer[] {
  const options =
    '-v error -i pipe:0 -frames:v 1 -pix_fmt yuv420p -c:v libx265 -preset ultrafast -x265-params log-level=none:info=0';
  const { stdout } = spawnSync('ffmpeg', [...options.split(' '), '-f', 'hevc', 'pipe:1'], {
    input: picture,
    maxBuffer: 64 * 1024 * 1024,
  });
  const units: Buffer[] = [];
  const START = Buffer.from([0, 0, 1]);
  for (let at = stdout.indexOf(START); at >= 0; ) {
    const next = stdout.indexOf(START, at + START.length);
    const unit = stdout.subarray(at + START.length, next < 0 ? undefined : next);
    // The first unit and parameter sets have a zero more before their start code.
    units.push(unit.at(-1) === 0 ? unit.subarray(0, -1) : unit);
    at = next;
  }
  return units;
}

const text = (letters: string): Buffer => Buffer.from(letters, 'latin1');
const uint16 = (number: number): Buffer => Buffer.from([number >> 8, number & 0xff]);
const uint32 = (number: number): Buffer => Buffer.from(number.toString(16).padStart(8, '0'), 'hex');
const sized = (bytes: Buffer, of: 2 | 4): Buffer =>
  Buffer.concat([of === 2 ? uint16(bytes.length) : uint32(bytes.length), bytes]);
const box = (type: string, ...parts: readonly Buffer[]): Buffer =>
  sizedBox(Buffer.concat([text(type), ...parts]));
const sizedBox = (bytes: Buffer): Buffer => Buffer.concat([uint32(bytes.length + 4), bytes]);
const fullBox = (type: string, ...parts: readonly Buffer[]): Buffer => box(type, uint32(0), ...parts);
