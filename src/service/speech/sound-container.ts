/**
 * Unwraps sound in a WAV container, although the service promises plain PCM. Refuses any other container, which would be heard as noise.
 */
import { CHANNELS, SAMPLE_BYTES, SAMPLE_RATE } from '../../interpreter/provider.ts';
import { ServiceFailure } from '../calls/failure.ts';

/** The beginnings of OGG, FLAC and tagged MP3, in latin1; no speech begins with samples as loud as these. */
const OTHERS = ['OggS\0', 'fLaC\0', 'ID3\x03', 'ID3\x04'];
const RIFF = 'RIFF';
const RIFF_HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
/** The longest header of a WAV file, in bytes. */
const LONGEST_HEAD = 4096;
/** The formats accepted in a WAV file: PCM, or WAVE_FORMAT_EXTENSIBLE. */
const PCM: ReadonlySet<number> = new Set([1, 0xfffe]);

interface Place {
  readonly start: number;
  /** In bytes; Infinity if the file does not tell. */
  readonly length: number;
}
const EVERYTHING: Place = { start: 0, length: Number.POSITIVE_INFINITY };

/** Gives the sound without its container; sound without a container passes as it comes. Throws `malformed` (charged) if it is not PCM. */
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

/** Finds the sound in a body that begins like this; undefined if that takes more bytes. */
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
