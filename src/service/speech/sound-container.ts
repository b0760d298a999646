/** Sound in a container, though plain PCM is promised: WAV is unwrapped, and any other is refused, for it would be heard as noise. */
import { CHANNELS, SAMPLE_BYTES, SAMPLE_RATE } from '../../interpreter/provider.ts';
import { ServiceFailure } from '../calls/failure.ts';

/** How OGG, FLAC and MP3 with a tag begin, in latin1; no speech begins in samples as loud as these. */
const OTHERS = ['OggS\0', 'fLaC\0', 'ID3\x03', 'ID3\x04'];
const RIFF = 'RIFF';
const RIFF_HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
/** The most that may stand before the sound of a WAV file, in bytes. */
const LONGEST_HEAD = 4096;
/** What a WAV file must say of its sound: PCM, or WAVE_FORMAT_EXTENSIBLE. */
const PCM: ReadonlySet<number> = new Set([1, 0xfffe]);

interface Place {
  readonly start: number;
  /** In bytes; without an end where none is told. */
  readonly length: number;
}
const EVERYTHING: Place = { start: 0, length: Number.POSITIVE_INFINITY };

/** The sound itself. Throws `malformed`, paid for, where it is not PCM; what is in no container is passed on as it comes. */
export async function* withoutContainer(sound: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  let place: Place | undefined;
  let left = 0;
  for await (const chunk of sound) {
    let bytes = chunk;
    if (place === undefined) {
      head = Buffer.concat([head, chunk]);
      place = placeIn(head);
      if (place === undefined) continue;
      left = place.length;
      bytes = head.subarray(place.start);
    }
    const part = bytes.subarray(0, Math.min(bytes.length, left));
    left -= part.length;
    if (part.length > 0) yield part;
  }
  if (place !== undefined || head.length === 0) return;
  if (head.length >= RIFF_HEAD_BYTES) throw notPcm();
  yield head;
}

/** Where the sound is in a body that begins so; undefined where more of it must come to tell. */
function placeIn(head: Buffer): Place | undefined {
  const beginning = head.toString('latin1', 0, RIFF.length + 1);
  if (OTHERS.some((magic) => beginning.startsWith(magic))) throw notPcm();
  if ([RIFF, ...OTHERS].some((magic) => beginning.length < magic.length && magic.startsWith(beginning))) {
    return undefined;
  }
  if (!beginning.startsWith(RIFF)) return EVERYTHING;
  if (head.length < RIFF_HEAD_BYTES) return undefined;
  return head.toString('latin1', 8, RIFF_HEAD_BYTES) === 'WAVE' ? placeInWave(head) : EVERYTHING;
}

function placeInWave(head: Buffer): Place | undefined {
  for (let at = RIFF_HEAD_BYTES; at + CHUNK_HEAD_BYTES <= head.length; ) {
    const name = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    const start = at + CHUNK_HEAD_BYTES;
    if (name === 'data') {
      const isTold = size > 0 && size < 0xffff_ffff;
      return { start, length: isTold ? size : Number.POSITIVE_INFINITY };
    }
    if (name === 'fmt ' && head.length >= start + 16 && !isOurs(head.subarray(start))) throw notPcm();
    at = start + size + (size % 2);
  }
  if (head.length > LONGEST_HEAD) throw notPcm();
  return undefined;
}

function isOurs(format: Buffer): boolean {
  return (
    PCM.has(format.readUInt16LE(0)) &&
    format.readUInt16LE(2) === CHANNELS &&
    format.readUInt32LE(4) === SAMPLE_RATE &&
    format.readUInt16LE(14) === 8 * SAMPLE_BYTES
  );
}

function notPcm(): ServiceFailure {
  return new ServiceFailure('malformed', 'the speech is not PCM', { answered: true, outcome: 'charged' });
}
