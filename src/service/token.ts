/** The access token of recognition: shared by all calls, kept across restarts, renewed before it expires. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { isFailure } from '../errors.ts';
import { unlessAborted } from '../patience.ts';
import { type Ending, endingOf, type OnEvent } from './calls/events.ts';
import { cancelled, ServiceFailure } from './calls/failure.ts';
import type { Http } from './http/http.ts';
import { readResult } from './response.ts';

export interface StoredToken {
  readonly token: string;
  /** ms since the epoch */
  readonly expiresAt: number;
  /** `fingerprintOf` the credentials for which it was issued. */
  readonly credentials: string;
}

/** Several processes may share it. */
export interface TokenStore {
  load(): Promise<StoredToken | undefined>;
  save(token: StoredToken): Promise<void>;
}

interface Credentials {
  readonly authUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly xSecret: string;
}

/** Tells whether a token or a refusal belongs to these credentials, without keeping them. */
export function fingerprintOf({ authUrl, apiKey, secretKey, xSecret }: Credentials): string {
  return hash('sha256', JSON.stringify([authUrl, apiKey, secretKey, xSecret]), 'hex').slice(0, 12);
}

interface TokenDeps {
  readonly config: Credentials;
  readonly http: Http;
  readonly store: TokenStore;
  /** ms since the epoch */
  readonly now: () => number;
  readonly onEvent: OnEvent;
}

/** How long before its expiry a token is renewed, in ms: it must not expire on its way to the service. */
const MARGIN_MS = 5 * 60 * 1000;

/** A source of tokens; does nothing before the first `get`. Callers share an exchange, so no caller's abort ends it. */
export class Tokens {
  readonly #deps: TokenDeps;
  readonly #credentials: string;
  #current: StoredToken | undefined;
  #rejected: string | undefined;
  #pending: Promise<string> | undefined;

  constructor(deps: TokenDeps) {
    this.#deps = deps;
    this.#credentials = fingerprintOf(deps.config);
  }

  /** The token is valid for a while. Throws the errors of the exchange and of the store, or `cancelled` when `signal` aborts. */
  async get(signal: AbortSignal): Promise<string> {
    if (this.#isUsable(this.#current)) return this.#current.token;
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return unlessAborted(this.#pending, signal, cancelled);
  }

  /** Error 110: this token is no longer valid. */
  reject(token: string): void {
    this.#rejected = token;
  }

  #isUsable(token: StoredToken | undefined): token is StoredToken {
    return (
      token !== undefined &&
      token.credentials === this.#credentials &&
      token.token !== this.#rejected &&
      token.expiresAt > this.#deps.now() + MARGIN_MS
    );
  }

  async #renew(): Promise<string> {
    const { store } = this.#deps;
    // The token may have been issued before a restart, or by another process.
    let token = await store.load();
    if (!this.#isUsable(token)) {
      token = { ...(await this.#exchange()), credentials: this.#credentials };
      await store.save(token);
    }
    this.#current = token;
    return token.token;
  }

  /** `expiresAt`: ms since the epoch. Throws `auth` for code 6, and the failures of a broken or unintelligible answer. */
  async #exchange(): Promise<Pick<StoredToken, 'token' | 'expiresAt'>> {
    const { http, config, now, onEvent } = this.#deps;
    const { authUrl, apiKey, secretKey } = config;
    const url = new URL(`${authUrl}/api/v1/oauth/token`);
    url.search = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: apiKey,
      client_secret: secretKey,
    }).toString();
    const startedAt = now();
    let outcome: Ending = 'ok';
    try {
      const answer = await http.post({ url, headers: { accept: 'application/json' }, body: '' });
      const { access_token, expires, expires_in } = await readResult(answer, tokenAnswer, [
        apiKey,
        secretKey,
      ]);
      return { token: access_token, expiresAt: expiryOf(access_token, expires ?? expires_in, now()) };
    } catch (error) {
      // An exchange costs nothing, so a timeout leaves nothing in doubt.
      const failure = isFailure(error, 'in-doubt') ? new ServiceFailure('unavailable', error.message) : error;
      outcome = endingOf(failure);
      throw failure;
    } finally {
      onEvent({ type: 'token', outcome, ms: now() - startedAt });
    }
  }
}

/** A token that fits into a URL unescaped. Any other would be refused with the call, as if the call were wrong. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

const tokenAnswer = z.object({
  access_token: z.string().trim().regex(TOKEN),
  expires: z.unknown().optional(),
  expires_in: z.unknown().optional(),
});

const DAY_MS = 24 * 60 * 60 * 1000;
/** The default validity (service-interface §2.1). */
const DEFAULT_LIFETIME_MS = 30 * DAY_MS;
/** A longer lifetime is implausible; one day of slack on the default. */
const MAX_LIFETIME_MS = DEFAULT_LIFETIME_MS + DAY_MS;

/**
 * Returns when `token` expires, in ms since the epoch. The service does not document the unit and meaning of its field (service-interface
 * §2.1): the earlier of `expires` (or `expires_in`) and the token's own `exp`, if it is a JWT; at most 30 days from `now`, also if neither is
 * readable. Too early costs one exchange, which is free; too late costs a try.
 */
export function expiryOf(token: string, expires: unknown, now: number): number {
  const readings = [expires, jwtExpiry(token)].flatMap((value) => readExpires(value, now) ?? []);
  return Math.min(now + DEFAULT_LIFETIME_MS, ...readings);
}

/**
 * The value's size relative to `now` decides between four readings; the first that gives a lifetime of up to 31 days wins: a date in ms
 * (about 10¹²), a date in s (about 10⁹), a remaining lifetime in s (30 days are 2.6 · 10⁶), or one in ms (30 days are 2.6 · 10⁹, as a date
 * in s 50 years away or more). They overlap only for lifetimes in ms around 20 days and below 45 minutes; such a token is kept too long,
 * until error 110 says so.
 */
function readExpires(expires: unknown, now: number): number | undefined {
  const value = Number(expires);
  const readings = [value, value * 1000, now + value * 1000, now + value];
  return readings.find((at) => at > now && at <= now + MAX_LIFETIME_MS);
}

/** `exp` of a JWT (RFC 7519 §4.1.4), in ms since the epoch. Only the service checks the signature. */
function jwtExpiry(token: string): number | undefined {
  const [, payload = ''] = token.split('.');
  try {
    return claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString())).exp * 1000;
  } catch {
    return undefined;
  }
}

const claims = z.object({ exp: z.number() });
