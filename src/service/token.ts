/** The access token of recognition: one for all calls, kept over restarts, renewed before it runs out (spec §3). */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isFailure } from '../errors.ts';
import { type Reader, readResult } from './answer.ts';
import { orAbort, ServiceFailure } from './calls/failure.ts';
import { withRetries } from './calls/retry.ts';
import { type Ending, endingOf, errorName, type OnEvent } from './events.ts';
import { textBody } from './http/request-body.ts';
import type { Transport } from './http/transport.ts';
import { expiryOf } from './token-lifetime.ts';

export interface StoredToken {
  readonly token: string;
  /** ms since the epoch */
  readonly expiresAt: number;
  /** `credentialsHash` of what it was issued for. */
  readonly credentials: string;
}

/** Where the token outlives the process; several processes may share it. What it throws is reported and not fatal. */
export interface TokenStore {
  load(): Promise<StoredToken | undefined>;
  save(token: StoredToken): Promise<void>;
}

/** Tells a token of other credentials, after the configuration changed, without keeping the credentials. */
export function credentialsHash(config: { readonly apiKey: string; readonly authUrl: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([config.apiKey, config.authUrl]))
    .digest('hex');
}

export interface Tokens {
  /** A token that is good for a while. Throws what the exchange throws, or `cancelled` when `signal` aborts. */
  get(signal: AbortSignal): Promise<string>;
  /** Error 110: this token is no longer valid. Of many calls that say so of one token, the first counts. */
  reject(token: string): void;
}

interface TokenDeps {
  readonly config: Credentials;
  readonly transport: Transport;
  readonly store: TokenStore;
  /** Aborts when the whole service stops. */
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

/** Renewed this long before it runs out, in ms, so that it does not run out on the way to the service. */
const MARGIN_MS = 5 * 60 * 1000;
/** Of a token that lives only for minutes the margin takes no more than this share, or every call would renew it. */
const MARGIN_SHARE = 0.1;

/** A source of tokens; nothing is loaded or asked for until the first `get`. An exchange is shared, so no caller's abort ends it. */
export function createTokens(deps: TokenDeps): Tokens {
  const { config, transport, store, signal, random, now, onEvent } = deps;
  const credentials = credentialsHash(config);
  const reader = { privates: [config.apiKey, config.secretKey], now };
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

  /** It costs nothing, and is retried by the policy of paid calls all the same. */
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

  /** The stored token may come from before a restart, or from another process that was faster to renew. */
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
      // Within the margin the old token still serves.
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

/** An exchange that timed out cost nothing, so there is no doubt to settle. */
function withoutDoubt(error: unknown): unknown {
  return isFailure(error, 'in-doubt') ? new ServiceFailure('unavailable', error.message) : error;
}

/**
 * What `use` makes of a token; when that token is refused (error 110), what it makes of a new one. Throws `unavailable` where the new
 * one is refused, too: the service has accepted our credentials a moment ago, so it is out of order, which the circuit is to know.
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

/** What a URL can carry as it is, and servers still read. Anything else would be refused with the call, as if the call were wrong. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

const tokenAnswer = z.object({
  access_token: z.string().trim().regex(TOKEN),
  expires: z.unknown().optional(),
  expires_in: z.unknown().optional(),
});

/**
 * One exchange of the credentials for a token; `expiresAt` in ms since the epoch.
 * Throws `auth` for code 6, else what any broken or unintelligible answer throws.
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
