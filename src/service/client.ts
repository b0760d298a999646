/** The one door to the paid service: recognition, translation and speech, within its limits and never paid for unawares. */
import { createHash } from 'node:crypto';
import type { Provider, ProviderCall } from '../interpreter/provider.ts';
import type { CallKind } from '../paid-calls.ts';
import type { CircuitOptions, CircuitState } from './calls/circuit.ts';
import { createBulkhead, createPaidCalls } from './calls/paid-call.ts';
import { createCircuits, createLifelines, type Door, MAX_TEXT_LENGTH, type ServiceConfig } from './door.ts';
import { type OnEvent, quietly } from './events.ts';
import { createTransport } from './http/transport.ts';
import { PICTURE_LIMITS, type RecognitionRequest, recognise } from './recognition.ts';
import type { Recognition } from './recognition-answer.ts';
import type { Speech, SpeechRequest } from './speech/speech.ts';
import { speak } from './speech/speech.ts';
import type { TokenStore } from './token.ts';
import { createTokens } from './token.ts';
import type { Translation, TranslationRequest } from './translation.ts';
import { translate } from './translation.ts';

/** The provider, with all that its interface documents. */
export interface Service extends Provider {
  /** The lines of text in an image (service-interface §4.2). */
  recognise(request: RecognitionRequest, options: ProviderCall): Promise<Recognition>;
  /** A text of up to 3000 code points in the other language (§4.3). */
  translate(request: TranslationRequest, options: ProviderCall): Promise<Translation>;
  /** A text of up to 3000 code points as sound (§4.4), as soon as its first samples are there. */
  speak(request: SpeechRequest, options: ProviderCall): Promise<Speech>;
  /** Recognition has its token, the other two share the X-Secret (§5). */
  credentialsOf(kind: CallKind): 'token' | 'x-secret';
  /** Of two hosts the worse. */
  state(): CircuitState;
}

export interface ServiceOptions {
  readonly config: ServiceConfig;
  readonly tokenStore: TokenStore;
  readonly circuit?: CircuitOptions;
  /** 0 to 1, for the spread of retries */
  readonly random?: () => number;
  /** ms since the epoch */
  readonly now?: () => number;
  readonly onEvent?: OnEvent;
}

/** What each call costs, in fen (service-interface §8: 0.4 yuan). */
export const PRICES: Readonly<Record<CallKind, number>> = { recognition: 40, translation: 40, speech: 40 };

/** More in a row than one text that the service cannot take brings about; and a service that is back is found again within seconds. */
const CIRCUIT: CircuitOptions = { failures: 5, coolDownMs: 15_000 };

/** A service that connects, loads its token and asks for one only when it is first needed. */
export function createService(options: ServiceOptions): Service {
  const { config, tokenStore: store, circuit = CIRCUIT, random = Math.random, now = Date.now } = options;
  const onEvent = quietly(options.onEvent ?? (() => {}));
  const transport = createTransport(config.timeoutMs);
  const lifelines = createLifelines();
  // A token is for all callers, so only the stop of the service ends an exchange.
  const { signal } = lifelines.tie(undefined);
  const calls = createPaidCalls({ bulkhead: createBulkhead(config.concurrency), onEvent, now, random });
  const door: Door = {
    config,
    transport,
    lifelines,
    onEvent,
    now,
    circuits: createCircuits(config, circuit, onEvent),
    tokens: createTokens({ config, transport, store, signal, random, now, onEvent }),
    calls,
  };

  return {
    recognise: (request, call) => recognise(door, request, call),
    translate: (request, call) => translate(door, request, call),
    speak: (request, call) => speak(door, request, call),
    price: (kind) => PRICES[kind],
    longestText: MAX_TEXT_LENGTH,
    pictureLimits: PICTURE_LIMITS,
    credentialsOf: (kind) => (kind === 'recognition' ? 'token' : 'x-secret'),
    fingerprint: fingerprint(config),
    state: () => door.circuits.state(),
    async close() {
      lifelines.cutAll();
      await transport.close();
      await calls.settled();
    },
  };
}

/** Tells configured credentials apart without giving them away. */
function fingerprint({ apiKey, secretKey, xSecret }: ServiceConfig): string {
  return createHash('sha256')
    .update(JSON.stringify([apiKey, secretKey, xSecret]))
    .digest('hex')
    .slice(0, 12);
}
