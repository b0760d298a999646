/** What the three kinds of call share: their dependencies, admission by the circuit, cancellation, and the check of a text. */
import type { ProviderCall } from '../interpreter/provider.ts';
import { codePointLength } from '../language/split.ts';
import type { Reader } from './answer.ts';
import {
  type Admission,
  type Circuit,
  type CircuitOptions,
  type CircuitState,
  createCircuit,
} from './calls/circuit.ts';
import { cancelled, ServiceFailure } from './calls/failure.ts';
import { holding, type Meter, type PaidCalls } from './calls/paid-call.ts';
import type { OnEvent } from './events.ts';
import type { RequestBody } from './http/request-body.ts';
import type { Answer, Transport } from './http/transport.ts';
import type { Tokens } from './token.ts';

/** The longest text of one call (service-interface §8), in code points. */
export const MAX_TEXT_LENGTH = 3000;

export interface ServiceConfig {
  /** `{auth_url}` and `{base_url}` of the interface, without a trailing slash. */
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly xSecret: string;
  /** How long the service may send nothing before a call is given up, in ms. */
  readonly timeoutMs: number;
  /** How many tries may be in flight. */
  readonly concurrency: number;
}

/** What an admitted call works with. */
interface Admitted {
  /** Aborts when the caller or the whole client stops. */
  readonly signal: AbortSignal;
  readonly admission: Admission;
  readonly meter: Meter;
}

export interface ServiceDeps {
  readonly config: ServiceConfig;
  readonly circuits: Circuits;
  readonly transport: Transport;
  readonly tokens: Tokens;
  readonly calls: PaidCalls;
  readonly signals: CallSignals;
  readonly onEvent: OnEvent;
  readonly now: () => number;
}

/**
 * Runs `work` if the circuit admits it. The call stays linked to its caller and to the end of the client until its result is there, or
 * until `heldUntil` of the result resolves. Throws `cancelled`, or `unavailable` at once.
 */
export function admit<T>(
  { signals }: ServiceDeps,
  circuit: Circuit,
  { signal: caller, meter }: ProviderCall,
  work: (admitted: Admitted) => Promise<T>,
  heldUntil?: (result: T) => Promise<void>,
): Promise<T> {
  const { signal, release } = signals.link(caller);
  const enter = async () => {
    if (signal.aborted) throw cancelled();
    return circuit.run((admission) => work({ signal, admission, meter }));
  };
  return holding(release, enter, heldUntil);
}

interface LinkedSignal {
  /** Aborts when the caller or the client stops. */
  readonly signal: AbortSignal;
  /** Ends the link; the call is over. */
  release(): void;
}

interface CallSignals {
  link(caller: AbortSignal | undefined): LinkedSignal;
  /** Aborts all running calls, and every later one. */
  abortAll(): void;
}

/**
 * Links each call to two signals, its caller's and the end of the client, without leaving listeners behind. `AbortSignal.any` keeps some
 * memory for every call if one signal lives as long as the client.
 */
export function createCallSignals(): CallSignals {
  const underWay = new Set<AbortController>();
  let isEnded = false;
  return {
    link(caller) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (isEnded || caller?.aborted) abort();
      underWay.add(controller);
      caller?.addEventListener('abort', abort, { once: true });
      return {
        signal: controller.signal,
        release() {
          underWay.delete(controller);
          caller?.removeEventListener('abort', abort);
        },
      };
    },
    abortAll() {
      isEnded = true;
      for (const controller of underWay) controller.abort();
    },
  };
}

/** Posts JSON to translation or speech, with the X-Secret (service-interface §5). */
export function postJson(
  { config, transport }: ServiceDeps,
  path: string,
  body: RequestBody,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-secret': config.xSecret };
  return transport.post({ url: new URL(config.baseUrl + path), headers, body, signal });
}

/** A reader whose failures reveal neither the secrets nor `sent`, the text or the token of this call. */
export function readerFor({ config, now }: ServiceDeps, sent: string): Reader {
  return { confidential: [config.apiKey, config.secretKey, config.xSecret, sent], now };
}

interface Circuits {
  /** Guards the token and recognition. */
  readonly auth: Circuit;
  /** Guards translation and speech. */
  readonly base: Circuit;
  /** The worse state of the two. */
  state(): CircuitState;
}

interface Hosts {
  readonly authUrl: string;
  readonly baseUrl: string;
}

/** Creates closed circuits, one for each host; `onEvent` hears of every change. */
export function createCircuits(hosts: Hosts, options: CircuitOptions, onEvent: OnEvent): Circuits {
  const circuitOf = (host: 'auth' | 'base' | 'both') =>
    createCircuit(options, (state) => onEvent({ type: 'circuit', host, state }));
  const isOneHost = new URL(hosts.authUrl).origin === new URL(hosts.baseUrl).origin;
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

/**
 * Gives the text's length in code points. Throws `bad-request` for a blank text and for half a surrogate pair (which UTF-8 cannot hold),
 * `too-long` beyond 3000.
 */
export function checkText(text: string): number {
  if (text.trim() === '') throw new ServiceFailure('bad-request', 'not sent: the text is blank');
  if (!text.isWellFormed())
    throw new ServiceFailure('bad-request', 'not sent: the text has a lone surrogate');
  const length = codePointLength(text);
  if (length > MAX_TEXT_LENGTH) throw new ServiceFailure('too-long', 'not sent: the text is too long');
  return length;
}
