/** Tells sound from an error in the body of a speech answer, for which neither status nor content type is promised. */
import { CHANNELS, SAMPLE_BYTES, SAMPLE_RATE } from '../interpreter/provider.ts';
import {
  errorIn,
  isEnvelope,
  isOk,
  notUnderstood,
  parseExactJson,
  type Reader,
  textDeadline,
} from './answer.ts';
import { ServiceFailure } from './calls/failure.ts';
import type { Answer } from './http/transport.ts';

/**
 * Two seconds of sound. An error is far shorter, and two seconds of speech always hold a byte that a text cannot: the upper byte of each
 * quiet sample is 0x00 or 0xFF.
 */
const LONGEST_TEXT_BYTES = 64_000;

/**
 * The sound of an answer in whole samples. Throws the service's own error if the body is one, or ends in one, `notUnderstood` for another
 * text, and `malformed` for a body that is empty, ends within a sample, or is no PCM.
 */
export function soundOf(answer: Answer, reader: Reader): AsyncGenerator<Buffer> {
  return wholeSamples(withoutContainer(withoutErrorAfter(withoutText(answer, reader), reader)));
}

/** Passes the body on, held back only for as long as it may be a text; throws if it is one. */
async function* withoutText(answer: Answer, reader: Reader): AsyncGenerator<Buffer> {
  const probe = createTextProbe(answer);
  const held: Buffer[] = [];
  let heldBytes = 0;
  let sound = false;
  const checkTime = textDeadline();
  for await (const chunk of answer.bytes) {
    if (sound) {
      yield chunk;
      continue;
    }
    checkTime();
    held.push(chunk);
    heldBytes += chunk.length;
    sound = !probe.mayBeText(chunk);
    if (sound) yield* held.splice(0);
    else if (heldBytes > LONGEST_TEXT_BYTES) throw textFailure(answer, probe.text(), reader);
  }
  if (!sound && probe.isText()) throw textFailure(answer, probe.text(), reader);
  yield* held;
}

function textFailure(answer: Answer, text: string, reader: Reader): Error {
  const body = parseExactJson(text);
  return errorIn(body, reader.confidential) ?? notUnderstood(answer, body, reader);
}

/** Control characters, which neither an error message nor a web page contains. */
const NOT_IN_TEXT = /[^\P{Cc}\t\n\r]/u;
/** Sound may begin with `{` (0x7B), but hardly continues like JSON or markup. */
const BEGINS_LIKE_JSON = /^\s*\{\s*("|\}|$)/;
const BEGINS_LIKE_MARKUP = /^\s*<([!?a-z]|$)/i;
const DECLARED_TEXT = /^\s*(text\/|application\/([\w.+-]*\+)?(json|xml))/i;

/**
 * Reads the beginning of a body as text. Content type and status are only hints, which matter if the whole body is text: with a failing
 * status it is then an error, however it begins.
 */
function createTextProbe({ contentType, status }: Answer) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';

  const isText = () =>
    !isOk(status) ||
    (text !== '' &&
      (BEGINS_LIKE_JSON.test(text) || BEGINS_LIKE_MARKUP.test(text) || DECLARED_TEXT.test(contentType)));

  return {
    text: () => text,
    isText,
    /** Takes the next chunk; false once the body cannot be a text. */
    mayBeText(chunk: Buffer): boolean {
      try {
        const part = decoder.decode(chunk, { stream: true });
        text += part;
        if (NOT_IN_TEXT.test(part)) return false;
      } catch {
        return false;
      }
      return text.trim() === '' || isText();
    },
  };
}

/** In bytes; an error is far shorter. */
const LONGEST_ERROR = 8000;
const BRACE = 0x7b;
const APPENDED_JSON = /^\{\s*("|$)/;
const LOOKED_AT = 8;

/** Passes sound on without an envelope at its end, whose error it throws. Holds back only what may be the beginning of one. */
async function* withoutErrorAfter(
  sound: AsyncIterable<Buffer>,
  { confidential }: Reader,
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of sound) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = endOfSound(bytes);
    held = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  const body = parseExactJson(held.toString('utf8'));
  const error = errorIn(body, confidential);
  if (error !== undefined) throw error;
  if (held.length > 0 && !isEnvelope(body)) yield held;
}

/** The start of a text at the end of these bytes that may be an envelope; their length if there is none. */
function endOfSound(bytes: Buffer): number {
  let text = bytes.length;
  while (text > 0 && isOfText(bytes[text - 1] ?? 0)) text -= 1;
  const earliest = Math.max(text, bytes.length - LONGEST_ERROR);
  for (let at = bytes.indexOf(BRACE, earliest); at >= 0; at = bytes.indexOf(BRACE, at + 1)) {
    if (APPENDED_JSON.test(bytes.toString('latin1', at, at + LOOKED_AT))) return at;
  }
  return bytes.length;
}

/** Not a control character. Quiet sound is full of these (0x00), so a search backwards soon stops. */
function isOfText(byte: number): boolean {
  return byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Cuts the bytes between samples. Throws `malformed` if they end within one, or if there are none. */
async function* wholeSamples(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let torn: Buffer = Buffer.alloc(0);
  let isEmpty = true;
  for await (const chunk of chunks) {
    if (chunk.length > 0) isEmpty = false;
    const joined = torn.length === 0 ? chunk : Buffer.concat([torn, chunk]);
    const whole = joined.length - (joined.length % SAMPLE_BYTES);
    torn = joined.subarray(whole);
    if (whole > 0) yield joined.subarray(0, whole);
  }
  if (torn.length > 0) throw unusable('the speech ends within a sample');
  if (isEmpty) throw unusable('the speech is empty');
}

function unusable(message: string): ServiceFailure {
  return new ServiceFailure('malformed', message, { outcome: 'in-doubt' });
}

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

/**
 * Unwraps sound in a WAV container, although the service promises plain PCM; sound without a container passes as it comes. Throws
 * `malformed` (charged) for any other container, which would be heard as noise.
 */
async function* withoutContainer(sound: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
