/** Telling sound from an error in the body of a speech answer, of which neither status nor content type is promised. */
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
 * Two seconds of sound. An error is far shorter, and no voice has two seconds without one byte that a text cannot hold:
 * the upper byte of every quiet sample is 0x00 or 0xFF.
 */
const LONGEST_TEXT_BYTES = 64_000;

/**
 * The sound of an answer in whole samples. Throws the service's own error when the body is one, or ends in one, what `notUnderstood`
 * makes of another text, and `malformed` for a body that is empty, ends within a sample, or is sound of another kind.
 */
export function soundOf(answer: Answer, reader: Reader): AsyncGenerator<Buffer> {
  return wholeSamples(withoutContainer(withoutErrorAfter(withoutText(answer, reader), reader)));
}

/** The body's bytes, held back only for as long as they may be a text; throws when they are one. */
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

/** Control characters that no error message and no page holds. */
const NOT_IN_TEXT = /[^\P{Cc}\t\n\r]/u;
/** Sound may begin with `{` (0x7B), but hardly goes on as JSON or as markup does. */
const BEGINS_LIKE_JSON = /^\s*\{\s*("|\}|$)/;
const BEGINS_LIKE_MARKUP = /^\s*<([!?a-z]|$)/i;
const DECLARED_TEXT = /^\s*(text\/|application\/([\w.+-]*\+)?(json|xml))/i;

/**
 * Reads a body's beginning as text. Neither content type nor status is more than a hint, that matters when the whole body is
 * text: with a failing status it is then an error, however it begins.
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
    /** Takes the next chunk; false once the body can no longer be a text. */
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

/** An error is far shorter, in bytes. */
const LONGEST_ERROR = 8000;
const BRACE = 0x7b;
const APPENDED_JSON = /^\{\s*("|$)/;
const LOOKED_AT = 8;

/** The sound without an envelope at its end, whose error is thrown. Only what may be the beginning of one is held back. */
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

/** Where text begins that may be an envelope and goes on to the end of these bytes; their length where there is none. */
function endOfSound(bytes: Buffer): number {
  let text = bytes.length;
  while (text > 0 && isOfText(bytes[text - 1] ?? 0)) text -= 1;
  const earliest = Math.max(text, bytes.length - LONGEST_ERROR);
  for (let at = bytes.indexOf(BRACE, earliest); at >= 0; at = bytes.indexOf(BRACE, at + 1)) {
    if (APPENDED_JSON.test(bytes.toString('latin1', at, at + LOOKED_AT))) return at;
  }
  return bytes.length;
}

/** Not a control character. Quiet sound is full of them (0x00), so that a search back from its end soon stops. */
function isOfText(byte: number): boolean {
  return byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/**
 * The same bytes, cut between samples: one that was torn across two chunks is joined again.
 * Throws `malformed` when the end is not the end of a sample, or when there is nothing at all.
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
