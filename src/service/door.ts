/** What the three abilities share: a way in for each call, and what it is made with once inside. */
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

/** What one call takes (service-interface §8), in Unicode code points. */
export const MAX_TEXT_LENGTH = 3000;

export interface ServiceConfig {
  /** `{auth_url}` and `{base_url}` of the interface, without a slash at the end. */
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly xSecret: string;
  /** ms without a byte from the service before a call is given up */
  readonly timeoutMs: number;
  /** tries in flight at once */
  readonly concurrency: number;
}

/** What a call goes on with once it is let in. */
interface Admitted {
  /** Aborts when the caller or the whole service gives up. */
  readonly signal: AbortSignal;
  readonly admission: Admission;
  readonly meter: Meter;
}

export interface Door {
  readonly config: ServiceConfig;
  readonly circuits: Circuits;
  readonly transport: Transport;
  readonly tokens: Tokens;
  readonly calls: PaidCalls;
  readonly lifelines: Lifelines;
  readonly onEvent: OnEvent;
  readonly now: () => number;
}

/**
 * Does `work` if the circuit lets it in, tied to its caller and to the stop of the service until it is over: when its
 * result is there, or later when `heldUntil` of the result says. Throws `cancelled`, or `unavailable` at once.
 */
export function admit<T>(
  { lifelines }: Door,
  circuit: Circuit,
  { signal: caller, meter }: ProviderCall,
  work: (admitted: Admitted) => Promise<T>,
  heldUntil?: (result: T) => Promise<void>,
): Promise<T> {
  const { signal, release } = lifelines.tie(caller);
  const enter = async () => {
    if (signal.aborted) throw cancelled();
    return circuit.run((admission) => work({ signal, admission, meter }));
  };
  return holding(release, enter, heldUntil);
}

interface Lifeline {
  /** Aborts when the caller or the service gives up. */
  readonly signal: AbortSignal;
  /** The call is over: lets go of both. */
  release(): void;
}

interface Lifelines {
  tie(caller: AbortSignal | undefined): Lifeline;
  /** Aborts every call under way and every later one. */
  cutAll(): void;
}

/**
 * Ties every call to two signals, its caller's and the stop of the whole service, without leaving listeners behind. Not `AbortSignal.any`:
 * with a signal as long-lived as the service it keeps some memory for every call.
 */
export function createLifelines(): Lifelines {
  const underWay = new Set<AbortController>();
  let cut = false;
  return {
    tie(caller) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (cut || caller?.aborted) abort();
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
    cutAll() {
      cut = true;
      for (const controller of underWay) controller.abort();
    },
  };
}

/** Posts JSON to translation or speech, with the X-Secret (service-interface §5). */
export function postJson(
  { config, transport }: Door,
  path: string,
  body: RequestBody,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-secret': config.xSecret };
  return transport.post({ url: new URL(config.baseUrl + path), headers, body, signal });
}

/** A reader whose failures tell none of the secrets, nor `sent`: the text or the token of this call. */
export function readerFor({ config, now }: Door, sent: string): Reader {
  return { privates: [config.apiKey, config.secretKey, config.xSecret, sent], now };
}

interface Circuits {
  /** Guards the token and recognition. */
  readonly auth: Circuit;
  /** Guards translation and speech. */
  readonly base: Circuit;
  /** The worse of the two. */
  state(): CircuitState;
}

interface Hosts {
  readonly authUrl: string;
  readonly baseUrl: string;
}

/** Closed circuits; `onEvent` hears of every change. */
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
 * Gives the text's length in code points.
 * Throws `bad-request` for a blank text and for half a surrogate pair (which has no UTF-8), `too-long` beyond 3000.
 */
export function checkText(text: string): number {
  if (text.trim() === '') throw new ServiceFailure('bad-request', 'not sent: the text is blank');
  if (!text.isWellFormed())
    throw new ServiceFailure('bad-request', 'not sent: the text has a lone surrogate');
  const length = codePointLength(text);
  if (length > MAX_TEXT_LENGTH) throw new ServiceFailure('too-long', 'not sent: the text is too long');
  return length;
}
