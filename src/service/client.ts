/** The client of the paid service: recognition, translation and speech, within its limits, each call metered. */
import { hash } from 'node:crypto';
import type { Provider, ProviderCall } from '../interpreter/provider.ts';
import type { CallKind } from '../paid-calls.ts';
import { createCallSignals } from './calls/call-signals.ts';
import { type CircuitOptions, createCircuit } from './calls/circuit.ts';
import { type OnEvent, quietly } from './calls/events.ts';
import { createPaidCalls } from './calls/paid-call.ts';
import { type Circuits, MAX_TEXT_LENGTH, type ServiceConfig, type ServiceDeps } from './deps.ts';
import { createTransport } from './http/transport.ts';
import { PICTURE_LIMITS, type Recognition, type RecognitionRequest, recognise } from './recognition.ts';
import { type Speech, type SpeechRequest, speak } from './speech.ts';
import { createTokens, type TokenStore } from './token.ts';
import { type Translation, type TranslationRequest, translate } from './translation.ts';

/** The provider, with everything that its interface documents. */
export interface Service extends Provider {
  /** Recognises the lines of text in an image (service-interface §4.2). */
  recognise(request: RecognitionRequest, options: ProviderCall): Promise<Recognition>;
  /** Translates a text of up to 3000 code points (§4.3). */
  translate(request: TranslationRequest, options: ProviderCall): Promise<Translation>;
  /** Speaks a text of up to 3000 code points (§4.4); resolves with its first samples. */
  speak(request: SpeechRequest, options: ProviderCall): Promise<Speech>;
}

export interface ServiceOptions {
  readonly config: ServiceConfig;
  readonly tokenStore: TokenStore;
  readonly circuit?: CircuitOptions;
  /** 0 to 1, to spread retries. */
  readonly random?: () => number;
  /** ms since the epoch */
  readonly now?: () => number;
  readonly onEvent?: OnEvent;
}

/** The price of a call, in fen (service-interface §8: 0.4 yuan). */
export const PRICES: Readonly<Record<CallKind, number>> = { recognition: 40, translation: 40, speech: 40 };

/**
 * One text that the service cannot take must not open the circuit, so it takes five failures; 15 s are short enough to notice soon that the
 * service is back.
 */
const CIRCUIT: CircuitOptions = { failures: 5, coolDownMs: 15_000 };

/** Creates a client, which connects and loads or requests its token only when first needed. */
export function createService(options: ServiceOptions): Service {
  const { config, tokenStore: store, circuit = CIRCUIT, random = Math.random, now = Date.now } = options;
  const onEvent = quietly(options.onEvent ?? (() => {}));
  const transport = createTransport(config.timeoutMs);
  const signals = createCallSignals();
  // All callers share a token, so only the end of the client stops an exchange.
  const { signal } = signals.link(undefined);
  const calls = createPaidCalls({ concurrency: config.concurrency, onEvent, now, random });
  const deps: ServiceDeps = {
    config,
    transport,
    signals,
    onEvent,
    now,
    circuits: createCircuits(config, circuit, onEvent),
    tokens: createTokens({ config, transport, store, signal, random, now, onEvent }),
    calls,
  };

  return {
    recognise: (request, call) => recognise(deps, request, call),
    translate: (request, call) => translate(deps, request, call),
    speak: (request, call) => speak(deps, request, call),
    price: (kind) => PRICES[kind],
    longestText: MAX_TEXT_LENGTH,
    pictureLimits: PICTURE_LIMITS,
    // Recognition uses the token, the other two share the X-Secret (service-interface §5).
    credentialsOf: (kind) => (kind === 'recognition' ? 'token' : 'x-secret'),
    fingerprint: fingerprint(config),
    state: () => deps.circuits.state(),
    async close() {
      signals.abortAll();
      await transport.close();
      await calls.settled();
    },
  };
}

/** Tells credentials apart without revealing them. */
function fingerprint({ apiKey, secretKey, xSecret }: ServiceConfig): string {
  return hash('sha256', JSON.stringify([apiKey, secretKey, xSecret]), 'hex').slice(0, 12);
}

/** Creates closed circuits, one for each host; `onEvent` hears of every change. */
function createCircuits(
  { authUrl, baseUrl }: ServiceConfig,
  options: CircuitOptions,
  onEvent: OnEvent,
): Circuits {
  // `both`: one host serves `{auth_url}` and `{base_url}`.
  const circuitOf = (host: 'auth' | 'base' | 'both') =>
    createCircuit(options, (state) => onEvent({ type: 'circuit', host, state }));
  const isOneHost = new URL(authUrl).origin === new URL(baseUrl).origin;
  const auth = circuitOf(isOneHost ? 'both' : 'auth');
  const base = isOneHost ? auth : circuitOf('base');
  return {
    auth,
    base,
    state() {
      const states = [auth.state(), base.state()];
      return (['open', 'half-open'] as const).find((state) => states.includes(state)) ?? 'closed';
    },
  };
}
