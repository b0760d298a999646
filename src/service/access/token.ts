/** The access token of recognition: one for all calls, kept over restarts, renewed before it runs out (spec §3). */
import { createHash } from 'node:crypto';
import { orAbort } from '../abort.ts';
import { errorName, type OnEvent } from '../events.ts';

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

interface TokenOptions {
  /** One exchange with its retries; shared, so no caller's abort ends it. Not a paid call. */
  readonly exchange: () => Promise<{ token: string; expiresAt: number }>;
  readonly store: TokenStore;
  readonly credentials: string;
  readonly now: () => number;
  readonly onEvent: OnEvent;
}

/** Renewed this long before it runs out, in ms, so that it does not run out on the way to the service. */
const MARGIN_MS = 5 * 60 * 1000;
/** Of a token that lives only for minutes the margin takes no more than this share, or every call would renew it. */
const MARGIN_SHARE = 0.1;

/** A source of tokens; nothing is loaded or asked for until the first `get`. */
export function createTokens({ exchange, store, credentials, now, onEvent }: TokenOptions): Tokens {
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
