/** Speech: takes a text, gives a stream of PCM (service-interface §4.4). */
import type { ProviderCall } from '../interpreter/provider.ts';
import type { Speaker, Variety } from '../language/variety.ts';
import { runPermitted } from './calls/call-signals.ts';
import type { SpeechEnding } from './calls/events.ts';
import { ServiceFailure } from './calls/failure.ts';
import { checkText, postJson, readerFor, type ServiceDeps } from './deps.ts';
import { type RequestBody, textBody } from './http/request-body.ts';
import { soundOf } from './speech-body.ts';

const PATH = '/api/cognitive/tts/stream';

/** See `Service.speak`. The call keeps its place in line until the stream is over. */
export async function speak(
  deps: ServiceDeps,
  request: SpeechRequest,
  options: ProviderCall,
): Promise<Speech> {
  const characters = checkText(request.text);
  const heldUntil = ({ over }: OpenSpeech) => over;
  const call = await runPermitted(
    deps.signals,
    deps.circuits.base,
    options,
    (permitted) =>
      deps.calls.make({
        ...permitted,
        kind: 'speech',
        characters,
        heldUntil,
        async send() {
          const answer = await postJson(deps, PATH, speechBody(request), permitted.untilClosed);
          const sound = soundOf(answer, readerFor(deps, request.text));
          return openSpeech(sound, permitted.untilClosed, deps);
        },
      }),
    heldUntil,
  );
  return call.speech;
}

/** A text and its speaker. */
export type SpeechRequest = Speaker & { readonly text: string };

const VARIETY_CODE: Readonly<Record<Variety, number>> = { utsang: 0, chinese: 1, khampa: 4, amdo: 5 };

/** The JSON body of a speech call. */
function speechBody(request: SpeechRequest): RequestBody {
  const { text, variety } = request;
  const vcn = request.variety === 'chinese' ? request.voice : '';
  return textBody(JSON.stringify({ lang: VARIETY_CODE[variety], vcn, inputText: text }));
}

/**
 * PCM in whole samples, to be read once. Throws if the speech is incomplete: a failure with `brokenOff` (see `isBrokenOff`), or
 * `cancelled` at the end of the client. The caller must read to the end, or leave the loop.
 */
export type Speech = AsyncIterable<Buffer>;

/** In bytes of PCM: 35 minutes; the longest text (3000 characters, service-interface §8) takes some ten. */
const LONGEST_SPEECH_BYTES = 64 * 1024 * 1024;
/** How long the stream may take, in ms: enough for a service that speaks no faster than people do. */
const LONGEST_SPEECH_MS = 20 * 60 * 1000;
/**
 * After this much time spent waiting for a speech, in ms, it must have come at `SLOWEST_BYTES_PER_MS` or faster: a thirtieth of the
 * pace at which people speak. Otherwise a trickle would keep its place in line for ever.
 */
const SLOW_AFTER_MS = 2 * 60 * 1000;
const SLOWEST_BYTES_PER_MS = 1;

interface OpenSpeech {
  readonly speech: Speech;
  /** Resolves once the stream is read to its end, broken, abandoned or aborted. */
  readonly over: Promise<void>;
}

/**
 * Waits for the first samples of `sound`, so that a failure before them may be retried. After them the call is charged, and every break
 * becomes a `brokenOff` failure.
 */
async function openSpeech(
  sound: AsyncGenerator<Buffer>,
  signal: AbortSignal,
  { onEvent, now }: Pick<ServiceDeps, 'onEvent' | 'now'>,
): Promise<OpenSpeech> {
  let first: IteratorResult<Buffer> | undefined = await sound.next();
  const startedAt = now();
  const over = Promise.withResolvers<void>();
  const endsBy = performance.now() + LONGEST_SPEECH_MS;
  let bytes = 0;
  let waitedMs = 0;
  let ended = false;

  function end(outcome: SpeechEnding): void {
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
    (waitedMs > SLOW_AFTER_MS && bytes < SLOWEST_BYTES_PER_MS * waitedMs);
  /** For speech that does not end: closes the connection, since asking again would pay for the same. */
  const breakOff = async (): Promise<never> => {
    await sound.return(undefined);
    throw new ServiceFailure('malformed', 'the speech does not end', { outcome: 'charged', answered: true });
  };
  signal.addEventListener('abort', abandon, { once: true });
  if (signal.aborted) abandon();

  // A hand-written iterator: a generator that was never read cannot clean up.
  const listener: AsyncIterator<Buffer> = {
    async next() {
      try {
        const begun = performance.now();
        const next = first ?? (await sound.next());
        first = undefined;
        // The time between two reads does not count: then the listener is busy.
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

/** The first sample has charged the call, so not even a timeout is in doubt. */
function brokenOff(error: unknown): unknown {
  if (!(error instanceof ServiceFailure) || error.kind === 'cancelled' || error.answered) return error;
  return new ServiceFailure('unavailable', `speech broke off: ${error.message}`, {
    outcome: 'charged',
    brokenOff: true,
  });
}
