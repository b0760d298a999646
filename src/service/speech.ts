/** The wire of speech: takes a text, returns a stream of PCM (service-interface §4.4). */
import { SAMPLE_BYTES, type SpeechRequest } from '../interpreter/provider.ts';
import type { Variety } from '../language/variety.ts';
import { errorIn, notUnderstood, parseExactJson } from './answer.ts';
import type { SpeechEnding } from './calls/events.ts';
import { ServiceFailure } from './calls/failure.ts';
import type { HttpAnswer } from './http/http.ts';

const VARIETY_CODE: Readonly<Record<Variety, number>> = { utsang: 0, chinese: 1, khampa: 4, amdo: 5 };

/** The JSON body of a speech call. */
export function speechBody(request: SpeechRequest) {
  const vcn = request.variety === 'chinese' ? request.voice : '';
  return { lang: VARIETY_CODE[request.variety], vcn, inputText: request.text };
}

/** In bytes of PCM: 35 minutes; the longest text (3000 characters, service-interface §8) takes some ten. */
const MAX_SPEECH_BYTES = 64 * 1024 * 1024;
/** Maximum time of the stream, in ms: enough for a service that speaks no faster than people. */
const MAX_SPEECH_MS = 20 * 60 * 1000;

interface OpenSpeech {
  /**
   * PCM in whole samples, to be read once. Throws if the speech is incomplete: a failure with `brokenOff` (see `isBrokenOff`), or
   * `cancelled` when the client is closed. The caller must read to the end, or leave the loop.
   */
  readonly speech: AsyncIterable<Buffer>;
  /** Resolves once the stream is read to its end, broken or abandoned. */
  readonly over: Promise<void>;
}

/**
 * Waits for the first samples of an answer: a failure before them may be retried; after them the call is charged. `onEnd` gets the end of
 * the stream, its bytes, and the ms since the first samples.
 */
export async function openSpeech(
  answer: HttpAnswer,
  confidential: readonly string[],
  onEnd: (outcome: SpeechEnding, bytes: number, ms: number) => void,
): Promise<OpenSpeech> {
  const over = Promise.withResolvers<void>();
  const samples = untilTooLong(wholeSamples(unlessText(answer, confidential)), (...end) => {
    onEnd(...end);
    over.resolve();
  });
  let first: IteratorResult<Buffer> | undefined = await samples.next();
  // Written by hand: a generator that was never read cannot clean up.
  const speech: AsyncIterator<Buffer> = {
    next: async () => {
      const next = first ?? samples.next();
      first = undefined;
      return next;
    },
    return: () => samples.return(undefined),
  };
  return { speech: { [Symbol.asyncIterator]: () => speech }, over: over.promise };
}

async function* untilTooLong(
  sound: AsyncIterable<Buffer>,
  onEnd: Parameters<typeof openSpeech>[2],
): AsyncGenerator<Buffer, undefined> {
  let bytes = 0;
  let begun = performance.now();
  let ending: SpeechEnding = 'abandoned';
  try {
    for await (const samples of sound) {
      if (bytes === 0) begun = performance.now();
      bytes += samples.length;
      if (bytes > MAX_SPEECH_BYTES || performance.now() - begun > MAX_SPEECH_MS) {
        // Another request would pay for the same.
        throw new ServiceFailure('malformed', 'the speech does not end', { answered: true });
      }
      yield samples;
    }
    ending = 'whole';
  } catch (error) {
    ending = 'broken-off';
    throw bytes === 0 ? error : brokenOff(error);
  } finally {
    if (bytes > 0) onEnd(ending, bytes, performance.now() - begun);
  }
}

/** The first sample has charged the call, so not even a timeout is in doubt. */
function brokenOff(error: unknown): unknown {
  if (!(error instanceof ServiceFailure) || error.kind === 'cancelled' || error.answered) return error;
  return new ServiceFailure('unavailable', `speech broke off: ${error.message}`, {
    outcome: 'charged',
    brokenOff: true,
  });
}

/** Two seconds of sound. An error is far shorter, and no speech that long lacks a byte that a text cannot hold. */
const MAX_TEXT_BYTES = 64_000;

/**
 * Distinguishes sound from an error, since neither status nor content type is documented: passes the body on, held back only as long as it
 * may be a text. Throws the service's own error if it is one, and `notUnderstood` for another text or an empty body.
 */
async function* unlessText(answer: HttpAnswer, confidential: readonly string[]): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let heldBytes = 0;
  let isSound = false;
  for await (const chunk of answer.bytes) {
    if (!isSound) {
      heldBytes += chunk.length;
      isSound = !chunk.every(isOfText);
      if (!isSound && heldBytes > MAX_TEXT_BYTES) throw notUnderstood(answer, undefined);
    }
    held.push(chunk);
    if (isSound) yield* held.splice(0);
  }
  if (isSound) return;
  const body = parseExactJson(Buffer.concat(held));
  throw errorIn(body, confidential) ?? notUnderstood(answer, body);
}

/** Returns whether a UTF-8 text may hold this byte. Quiet sound is full of 0x00 and 0xFF, the upper bytes of small samples. */
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
