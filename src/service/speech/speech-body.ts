/** Telling sound from an error in the body of a speech answer, of which neither status nor content type is promised. */
import type { Answer } from '../transport/transport.ts';
import { isOk, notUnderstood, type Reader } from '../wire/answer.ts';
import { textDeadline } from '../wire/answer-text.ts';
import { errorIn } from '../wire/error-body.ts';
import { parseExactJson } from '../wire/exact-json.ts';
import { withoutErrorAfter } from './error-after-sound.ts';
import { wholeSamples } from './pcm.ts';
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
