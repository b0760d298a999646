/** Speech: a text in, a stream of PCM out (service-interface §4.4). */
import type { ProviderCall } from '../../interpreter/provider.ts';
import type { Speaker, Variety } from '../../language/variety.ts';
import { ServiceFailure } from '../calls/failure.ts';
import { admit, checkText, type Door, postJson, readerFor } from '../door.ts';
import type { OnEvent } from '../events.ts';
import { type RequestBody, textBody } from '../http/request-body.ts';
import { soundOf } from './speech-body.ts';

const PATH = '/api/cognitive/tts/stream';

/** See `Service.speak`. Its place in line and its tie to the caller last until the stream is over. */
export async function speak(door: Door, request: SpeechRequest, options: ProviderCall): Promise<Speech> {
  const characters = checkText(request.text);
  const heldUntil = ({ over }: OpenSpeech) => over;
  const { onEvent, now } = door;
  const call = await admit(
    door,
    door.circuits.base,
    options,
    (admitted) =>
      door.calls.make({
        ...admitted,
        kind: 'speech',
        characters,
        heldUntil,
        async send() {
          const answer = await postJson(door, PATH, speechBody(request), admitted.signal);
          const sound = soundOf(answer, readerFor(door, request.text));
          return openSpeech(sound, { signal: admitted.signal, onEvent, now });
        },
      }),
    heldUntil,
  );
  return call.speech;
}

/** A text, and who is to speak it. */
export type SpeechRequest = Speaker & { readonly text: string };

const VARIETY_CODE: Readonly<Record<Variety, number>> = { utsang: 0, chinese: 1, khampa: 4, amdo: 5 };

/** The JSON body of a speech call. */
function speechBody(request: SpeechRequest): RequestBody {
  const { text, variety } = request;
  const vcn = request.variety === 'chinese' ? request.voice : '';
  return textBody(JSON.stringify({ lang: VARIETY_CODE[variety], vcn, inputText: text }));
}

/**
 * PCM in whole samples, to be read once. It throws when the speech is not whole: a failure with `brokenOff` (see
 * `isBrokenOff`), or `cancelled`. The caller reads it out, leaves its loop, or aborts the call's signal.
 */
export type Speech = AsyncIterable<Buffer>;

/** In bytes of PCM: 35 minutes, where the longest text (3000 characters, service-interface §8) takes some ten to say. */
const LONGEST_SPEECH_BYTES = 64 * 1024 * 1024;
/** How long the stream may take, in ms: a service that speaks no faster than people do is done by then. */
const LONGEST_SPEECH_MS = 20 * 60 * 1000;
/**
 * Once so much time was spent waiting for a speech, in ms, it must have come at this pace at least, in bytes per ms: a thirtieth of the
 * pace at which people speak. One that drips would otherwise hold its place in line for ever.
 */
const SLOW_AFTER_MS = 2 * 60 * 1000;
const SLOWEST = 1;

interface OpenSpeech {
  readonly speech: Speech;
  /** Resolves once the stream is read out, broken, abandoned or aborted. */
  readonly over: Promise<void>;
}

interface SpeechOptions {
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  readonly now: () => number;
}

/**
 * Waits for the first samples of `sound`, so that what fails before them may be retried; from there on the call is
 * charged, and every break becomes a `brokenOff` failure.
 */
async function openSpeech(
  sound: AsyncGenerator<Buffer>,
  { signal, onEvent, now }: SpeechOptions,
): Promise<OpenSpeech> {
  let first: IteratorResult<Buffer> | undefined = await sound.next();
  const startedAt = now();
  const over = Promise.withResolvers<void>();
  const endsBy = performance.now() + LONGEST_SPEECH_MS;
  let bytes = 0;
  let waitedMs = 0;
  let ended = false;

  function end(outcome: 'whole' | 'broken-off' | 'abandoned'): void {
    if (ended) return;
    ended = true;
    signal.removeEventListener('abort', abandon);
    onEvent({ type: 'speech-ended', outcome, bytes, ms: now() - startedAt });
    over.resolve();
  }
  const abandon = () => end('abandoned');
  const isEndless = (): boolean =>
    bytes > LONGEST_SPEECH_BYTES ||
    performance.now() > endsBy ||
    (waitedMs > SLOW_AFTER_MS && bytes < SLOWEST * waitedMs);
  /** Speech that does not end: hanging up is all that helps, and asking again would pay for the same. */
  const breakOff = async (): Promise<never> => {
    await sound.return(undefined);
    throw new ServiceFailure('malformed', 'the speech does not end', { outcome: 'charged', answered: true });
  };
  signal.addEventListener('abort', abandon, { once: true });
  if (signal.aborted) abandon();

  // An iterator written out, since a generator that was never read from cannot clean up after itself.
  const listener: AsyncIterator<Buffer> = {
    async next() {
      try {
        const begun = performance.now();
        const next = first ?? (await sound.next());
        first = undefined;
        // The time until the listener asks for more does not count: it waits for something else then.
        waitedMs += performance.now() - begun;
        if (next.done) end('whole');
        else bytes += next.value.length;
        if (!next.done && isEndless()) return await breakOff();
        return next;
      } catch (error) {
        end('broken-off');
        throw brokenOff(error);
      }
    },
    async return() {
      abandon();
      return sound.return(undefined);
    },
  };
  return { speech: { [Symbol.asyncIterator]: () => listener }, over: over.promise };
}

/** It has been charged by its first sample, so not even a timeout leaves a doubt. */
function brokenOff(error: unknown): unknown {
  if (!(error instanceof ServiceFailure) || error.kind === 'cancelled' || error.answered) return error;
  return new ServiceFailure('unavailable', `speech broke off: ${error.message}`, {
    outcome: 'charged',
    brokenOff: true,
  });
}
