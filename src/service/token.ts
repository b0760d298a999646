/** The access token of recognition: shared by all calls, kept over restarts, renewed before it expires (spec §3). */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { isFailure } from '../errors.ts';
import { type Reader, readResult } from './answer.ts';
import { type Ending, endingOf, errorName, type OnEvent } from './calls/events.ts';
import { orAbort, ServiceFailure } from './calls/failure.ts';
import { withRetries } from './calls/retry.ts';
import { textBody } from './http/request-body.ts';
import type { Transport } from './http/transport.ts';

export interface StoredToken {
  readonly token: string;
  /** ms since the epoch */
  readonly expiresAt: number;
  /** `credentialsHash` of the credentials for which it was issued. */
  readonly credentials: string;
}

/** Keeps the token beyond the process; several processes may share it. Its errors are reported, and not fatal. */
export interface TokenStore {
  load(): Promise<StoredToken | undefined>;
  save(token: StoredToken): Promise<void>;
}

/** Recognises a token of other credentials, after a change of the configuration, without keeping the credentials. */
export function credentialsHash(config: { readonly apiKey: string; readonly authUrl: string }): string {
  return hash('sha256', JSON.stringify([config.apiKey, config.authUrl]), 'hex');
}

export interface Tokens {
  /** Gives a token that is valid for a while. Throws the exchange's errors, or `cancelled` when `signal` aborts. */
  get(signal: AbortSignal): Promise<string>;
  /** Error 110: this token is no longer valid. Repeated calls for one token have no effect. */
  reject(token: string): void;
}

interface TokenDeps {
  readonly config: Credentials;
  readonly transport: Transport;
  readonly store: TokenStore;
  /** Aborts when the client stops. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly now: () => number;
  readonly onEvent: OnEvent;
}

interface Credentials {
  readonly authUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** How long before its expiry a token is renewed, in ms, so that it does not expire on the way to the service. */
const MARGIN_MS = 5 * 60 * 1000;
/** The margin takes at most this share of a token's lifetime; otherwise every call would renew a token that lives for minutes. */
const MARGIN_SHARE = 0.1;

/** Creates a source of tokens, which does nothing before the first `get`. Callers share an exchange, so no caller's abort ends it. */
export function createTokens(deps: TokenDeps): Tokens {
  const { config, transport, store, signal, random, now, onEvent } = deps;
  const credentials = credentialsHash(config);
  const reader = { confidential: [config.apiKey, config.secretKey], now };
  let current: { token: string; expiresAt: number; renewAt: number } | undefined;
  let rejected: string | undefined;
  let pending: Promise<string> | undefined;

  function adopt(token: string, expiresAt: number): string {
    const margin = Math.min(MARGIN_MS, (expiresAt - now()) * MARGIN_SHARE);
    current = { token, expiresAt, renewAt: expiresAt - margin };
    return token;
  }

  async function guarded<T>(action: 'load' | 'save', work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      onEvent({ type: 'token-store-failed', action, error: errorName(error) });
      return undefined;
    }
  }

  /** Free, but retried by the policy of paid calls all the same. */
  async function exchange(): Promise<{ token: string; expiresAt: number }> {
    const startedAt = now();
    const report = (outcome: Ending) => onEvent({ type: 'token', outcome, ms: now() - startedAt });
    try {
      const once = () => exchangeToken(transport, config, reader, signal);
      const token = await withRetries(once, { signal, random });
      report('ok');
      return token;
    } catch (error) {
      const failure = withoutDoubt(error);
      report(endingOf(failure));
      throw failure;
    }
  }

  /** The stored token may be older than a restart, or come from another process that renewed it first. */
  async function renew(): Promise<string> {
    const stored = await guarded('load', () => store.load());
    const isOurs = stored?.credentials === credentials && stored.token !== rejected;
    if (
      stored !== undefined &&
      isOurs &&
      stored.token !== current?.token &&
      stored.expiresAt > now() + MARGIN_MS
    ) {
      return adopt(stored.token, stored.expiresAt);
    }
    try {
      const { token, expiresAt } = await exchange();
      await guarded('save', () => store.save({ token, expiresAt, credentials }));
      return adopt(token, expiresAt);
    } catch (error) {
      // Within the margin the old token still works.
      if (current !== undefined && current.expiresAt > now()) return current.token;
      throw error;
    }
  }

  return {
    async get(signal) {
      if (current !== undefined && now() < current.renewAt) return current.token;
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return orAbort(pending, signal);
    },
    reject(token) {
      if (current?.token !== token) return;
      rejected = token;
      current = undefined;
    },
  };
}

/** An exchange that timed out cost nothing, so nothing is in doubt. */
function withoutDoubt(error: unknown): unknown {
  return isFailure(error, 'in-doubt') ? new ServiceFailure('unavailable', error.message) : error;
}

/**
 * Calls `use` with a token; if that is refused (error 110), once more with a new one. Throws `unavailable` if the new one is refused, too:
 * the service has just accepted our credentials, so it is out of order, which the circuit has to know.
 */
export async function withToken<T>(
  tokens: Tokens,
  signal: AbortSignal,
  use: (token: string) => Promise<T>,
): Promise<T> {
  const token = await tokens.get(signal);
  try {
    return await use(token);
  } catch (error) {
    if (!refusesToken(error)) throw error;
    tokens.reject(token);
  }
  const renewed = await tokens.get(signal);
  return use(renewed).catch((error: unknown) => {
    if (!refusesToken(error)) throw error;
    const { code, traceId } = error;
    throw new ServiceFailure('unavailable', 'the service refuses a token that it has just issued', {
      code,
      traceId,
    });
  });
}

function refusesToken(error: unknown): error is ServiceFailure {
  return error instanceof ServiceFailure && error.isRenewable;
}

/** Characters and a length that fit into a URL unescaped. Any other token would be refused with the call, as if the call were wrong. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

const tokenAnswer = z.object({
  access_token: z.string().trim().regex(TOKEN),
  expires: z.unknown().optional(),
  expires_in: z.unknown().optional(),
});

/**
 * Exchanges the credentials for a token once; `expiresAt` in ms since the epoch. Throws `auth` for code 6, and the failures of a broken or
 * unintelligible answer.
 */
async function exchangeToken(
  transport: Transport,
  { authUrl, apiKey, secretKey }: Credentials,
  reader: Reader,
  signal: AbortSignal,
): Promise<{ token: string; expiresAt: number }> {
  const url = new URL(`${authUrl}/api/v1/oauth/token`);
  url.search = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: apiKey,
    client_secret: secretKey,
  }).toString();
  const answer = await transport.post({
    url,
    headers: { accept: 'application/json' },
    body: textBody(''),
    signal,
  });
  const { access_token, expires, expires_in } = await readResult(answer, tokenAnswer, reader);
  return { token: access_token, expiresAt: expiryOf(access_token, expires ?? expires_in, reader.now()) };
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** The default validity (service-interface §2.1). */
const DEFAULT_LIFETIME_MS = 30 * DAY_MS;
/** Longer readings are implausible; one day of slack on the default. */
const LONGEST_LIFETIME_MS = DEFAULT_LIFETIME_MS + DAY_MS;

/**
 * When `token` expires, in ms since the epoch; the service does not document the unit and meaning of its field (service-interface §2.1).
 * Gives the earlier of what `expires` (or `expires_in`) and the token itself, if it is a JWT, say; 30 days from `now` if neither is
 * readable. A time too early costs one exchange, which is free; a time too late costs a try.
 */
export function expiryOf(token: string, expires: unknown, now: number): number {
  const readings = [readExpires(expires, now), readJwtExpiry(token, now)].filter((at) => at !== undefined);
  return readings.length === 0 ? now + DEFAULT_LIFETIME_MS : Math.min(...readings);
}

/**
 * The value's size relative to `now` decides between four readings; the first that gives a lifetime of up to 31 days wins: a date in ms
 * (about 10¹²), a date in s (about 10⁹), a remaining lifetime in s (30 days are 2.6 · 10⁶), or one in ms (30 days are 2.6 · 10⁹, as a date
 * in s 50 years away or more). They overlap only for lifetimes in ms around 20 days and below 45 minutes; such a token is kept too long,
 * until error 110 says so.
 */
function readExpires(expires: unknown, now: number): number | undefined {
  const value = number.safeParse(expires).data;
  if (value === undefined) return undefined;
  return [value, value * 1000, now + value * 1000, now + value].find((at) => isPlausible(at, now));
}

/** `exp` of a JWT: seconds since the epoch (RFC 7519 §4.1.4). Only the service checks the signature. */
function readJwtExpiry(token: string, now: number): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const { exp } = claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return isPlausible(exp * 1000, now) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

function isPlausible(at: number, now: number): boolean {
  return at > now && at <= now + LONGEST_LIFETIME_MS;
}

const number = z.union([
  z.number(),
  z
    .string()
    .trim()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number),
]);
const claims = z.object({ exp: z.number() });
