/** Tells sound from an error in the body of a speech answer, for which neither status nor content type is promised. */
import { SAMPLE_BYTES } from '../interpreter/provider.ts';
import { errorIn, notUnderstood, parseExactJson, type Reader, textDeadline } from './answer.ts';
import { ServiceFailure } from './calls/failure.ts';
import type { Answer } from './http/transport.ts';

/** Two seconds of sound. An error is far shorter, and no speech is so long without a byte that a text cannot hold. */
const LONGEST_TEXT_BYTES = 64_000;

/**
 * The sound of an answer in whole samples. Throws the service's own error if the body is one, `notUnderstood` for another text, and
 * `malformed` for a body that is empty or ends within a sample.
 */
export function soundOf(answer: Answer, reader: Reader): AsyncGenerator<Buffer> {
  return wholeSamples(unlessText(answer, reader));
}

/** Passes the body on, held back only for as long as it may be a text. Throws if it is one, or has a failing status and no byte. */
async function* unlessText(answer: Answer, reader: Reader): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let heldBytes = 0;
  let isSound = false;
  const checkTime = textDeadline();
  for await (const chunk of answer.bytes) {
    if (!isSound) {
      checkTime();
      heldBytes += chunk.length;
      isSound = !chunk.every(isOfText);
      if (!isSound && heldBytes > LONGEST_TEXT_BYTES) throw notUnderstood(answer, undefined, reader);
    }
    held.push(chunk);
    if (isSound) yield* held.splice(0);
  }
  if (isSound) return;
  const body = parseExactJson(new TextDecoder().decode(Buffer.concat(held)));
  throw errorIn(body, reader.confidential) ?? notUnderstood(answer, body, reader);
}

/** Whether a text in UTF-8 may hold this byte. Quiet sound is full of 0x00 and 0xFF, the upper bytes of small samples. */
function isOfText(byte: number): boolean {
  if (byte < 0x20) return byte === 0x09 || byte === 0x0a || byte === 0x0d;
  return byte !== 0x7f && byte < 0xf8;
}

/** Cuts the bytes between samples. Throws `malformed` if they end within one. */
async function* wholeSamples(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let torn: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const joined = torn.length === 0 ? chunk : Buffer.concat([torn, chunk]);
    const whole = joined.length - (joined.length % SAMPLE_BYTES);
    torn = joined.subarray(whole);
    if (whole > 0) yield joined.subarray(0, whole);
  }
  if (torn.length === 0) return;
  throw new ServiceFailure('malformed', 'the speech ends within a sample', { outcome: 'in-doubt' });
}
