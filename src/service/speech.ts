/** The wire of speech: takes a text, returns a stream of PCM (service-interface §4.4). */
import { SAMPLE_BYTES, type SpeechRequest } from '../interpreter/provider.ts';
import type { Variety } from '../language/variety.ts';
import type { SpeechEnding } from './calls/events.ts';
import { ServiceFailure } from './calls/failure.ts';
import type { HttpAnswer } from './http/http.ts';
import { errorIn, notUnderstood, parseExactJson } from './response.ts';

const VARIETY_CODE: Readonly<Record<Variety, number>> = { utsang: 0, chinese: 1, khampa: 4, amdo: 5 };

export function speechBody(request: SpeechRequest) {
  const vcn = request.variety === 'chinese' ? request.voice : '';
  return { lang: VARIETY_CODE[request.variety], vcn, inputText: request.text };
}

interface OpenSpeech {
  /** PCM, to be read once, to the end unless the loop is left. If incomplete, throws with `brokenOff`, or `cancelled` on `close`. */
  readonly result: AsyncIterable<Buffer>;
  /** Resolves once the stream is read to its end, broken or abandoned. */
  readonly over: Promise<void>;
}

/** A failure before the first samples may be retried; after them the call is charged. */
export async function openSpeech(
  answer: HttpAnswer,
  confidential: readonly string[],
  onEnd: (outcome: SpeechEnding) => void,
): Promise<OpenSpeech> {
  const sound = soundIn(answer, confidential);
  const first = await sound.next();
  const over = Promise.withResolvers<void>();
  async function* speech(): AsyncGenerator<Buffer> {
    let ending: SpeechEnding = 'abandoned';
    try {
      for (let next = first; next.done !== true; next = await sound.next()) yield next.value;
      ending = 'whole';
    } catch (error) {
      ending = 'broken-off';
      throw brokenOff(error);
    } finally {
      await sound.return(undefined);
      onEnd(ending);
      over.resolve();
    }
  }
  return { result: speech(), over: over.promise };
}

/** The first sample has charged the call, so not even a timeout is in doubt. */
function brokenOff(error: unknown): unknown {
  if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') return error;
  return new ServiceFailure('unavailable', `speech broke off: ${error.message}`, {
    outcome: 'charged',
    brokenOff: true,
  });
}

/**
 * Distinguishes sound from an error, since neither status nor content type is documented: passes the body on, held back only as long as it
 * may be a text. Throws the service's own error if it is one, `notUnderstood` for another text or an empty body, and `malformed` for sound
 * that ends within a sample.
 */
async function* soundIn(answer: HttpAnswer, confidential: readonly string[]): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let bytes = 0;
  let isSound = false;
  for await (const chunk of answer.bytes) {
    bytes += chunk.length;
    held.push(chunk);
    isSound ||= !chunk.every(isOfText);
    if (isSound) yield* held.splice(0);
  }
  if (!isSound) {
    const body = parseExactJson(Buffer.concat(held));
    throw errorIn(body, confidential) ?? notUnderstood(answer, body);
  }
  if (bytes % SAMPLE_BYTES === 0) return;
  throw new ServiceFailure('malformed', 'the speech ends within a sample', { outcome: 'in-doubt' });
}

/** Returns whether a UTF-8 text may hold this byte. Quiet sound is full of 0x00 and 0xFF, the upper bytes of small samples. */
function isOfText(byte: number): boolean {
  if (byte < 0x20) return byte === 0x09 || byte === 0x0a || byte === 0x0d;
  return byte !== 0x7f && byte < 0xf8;
}
