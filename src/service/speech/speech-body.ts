/** Tells sound from an error in the body of a speech answer, for which neither status nor content type is promised. */
import { SAMPLE_BYTES } from '../../interpreter/provider.ts';
import {
  errorIn,
  isEnvelope,
  isOk,
  notUnderstood,
  parseExactJson,
  type Reader,
  textDeadline,
} from '../answer.ts';
import { ServiceFailure } from '../calls/failure.ts';
import type { Answer } from '../http/transport.ts';
import { withoutContainer } from './sound-container.ts';

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
  return errorIn(body, reader.privates) ?? notUnderstood(answer, body, reader);
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
  { privates }: Reader,
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of sound) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = endOfSound(bytes);
    held = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  const body = parseExactJson(held.toString('utf8'));
  const error = errorIn(body, privates);
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

/**
 * Cuts the bytes between samples and joins samples torn across two chunks. Throws `malformed` if the bytes end within a sample, or if there
 * are none.
 */
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
