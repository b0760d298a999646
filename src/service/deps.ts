/** What the three kinds of call share: their dependencies, their request, and the check of a text. */
import { codePointLength } from '../language/split.ts';
import type { Reader } from './answer.ts';
import type { CallSignals } from './calls/call-signals.ts';
import type { Circuit, CircuitState } from './calls/circuit.ts';
import type { OnEvent } from './calls/events.ts';
import { ServiceFailure } from './calls/failure.ts';
import type { PaidCalls } from './calls/paid-call.ts';
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

export interface Circuits {
  /** Guards the token and recognition. */
  readonly auth: Circuit;
  /** Guards translation and speech. */
  readonly base: Circuit;
  /** The worse state of the two. */
  state(): CircuitState;
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
