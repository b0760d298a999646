/** What the doctor knows about the provider: free checks (the token, the other address), prices, and remedies. */
import type { Config } from '../app/config.ts';
import { type FailureKind, isFailure } from '../errors.ts';
import type { Provider } from '../interpreter/provider.ts';
import type { CallKind } from '../paid-calls.ts';
import { Service } from '../service/client.ts';
import { Http } from '../service/http/http.ts';
import { type TokenStore, Tokens } from '../service/token.ts';
import type { Database } from '../store/database.ts';
import { KeptTokens } from '../store/kept/tokens.ts';
import { errorCode, type Finding, open, remedyFor, well, wrong } from './finding.ts';

/** Longest wait for an answer, in ms. */
const PATIENCE_MS = 10_000;

const NO_STORE: TokenStore = { load: async () => undefined, save: async () => {} };

/** In fen, by the kind of call. */
export { PRICES } from '../service/client.ts';

/** Yields the free checks. */
export async function* checkService(
  config: Config['service'],
  database: Database | undefined,
): AsyncGenerator<Finding> {
  yield await checkToken(config, tokenStore(database));
  yield await checkReach(config);
}

/** Opens the provider for paid calls. */
export function openService(config: Config['service'], database: Database | undefined): Provider {
  return new Service({ config, tokenStore: tokenStore(database) });
}

function tokenStore(database: Database | undefined): TokenStore {
  return database === undefined ? NO_STORE : new KeptTokens(database.sql);
}

/** Exchanges the credentials for a token; `store` keeps it, since it may invalidate the one before. */
async function checkToken(config: Config['service'], store: TokenStore): Promise<Finding> {
  const http = new Http(Math.min(config.timeoutMs, PATIENCE_MS));
  const tokens = new Tokens({
    config,
    http,
    // A stored token would prove nothing.
    store: { load: async () => undefined, save: (token) => store.save(token) },
    closing: AbortSignal.timeout(3 * PATIENCE_MS),
    random: Math.random,
    now: Date.now,
    onEvent: () => {},
  });
  try {
    await tokens.get(new AbortController().signal);
    return well('Service: SERVICE_API_KEY and SERVICE_SECRET_KEY are accepted');
  } catch (error) {
    const [reason, remedy] = tokenProblem(error);
    return wrong(`Service: no token from SERVICE_AUTH_URL (${reason})`, remedy);
  } finally {
    await http.close();
  }
}

function tokenProblem(error: unknown): [string, string] {
  if (isFailure(error, 'auth')) {
    return ['refused', 'copy SERVICE_API_KEY and SERVICE_SECRET_KEY again from the provider'];
  }
  if (isFailure(error, 'malformed')) {
    return ['unexpected answer', 'check that SERVICE_AUTH_URL is the address that the provider gave'];
  }
  const reason = isFailure(error) ? error.message : errorCode(error);
  return [
    reason,
    remedyFor(error, 'check that this machine reaches SERVICE_AUTH_URL; if it does, ask the provider'),
  ];
}

/** Requests `{base_url}` itself, which is free; any HTTP answer will do. */
async function checkReach({ baseUrl }: Config['service']): Promise<Finding> {
  try {
    await fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    return well('Service: SERVICE_BASE_URL answers');
  } catch (error) {
    const remedy =
      'check that the address is the one that the provider gave, and that this machine reaches it';
    return wrong(`Service: SERVICE_BASE_URL is unreachable (${errorCode(error)})`, remedyFor(error, remedy));
  }
}

/** Only a paid call shows whether the X-Secret is right. */
export function secretUnproven(): Finding {
  return open(
    'Service: only a paid call shows whether SERVICE_X_SECRET is right',
    'npm run doctor -- --paid (three calls)',
  );
}

/** Returns what to do about a paid call that failed. */
export function remedies(kind: CallKind): Partial<Record<FailureKind, string>> {
  const credentials = kind === 'recognition' ? 'SERVICE_API_KEY and SERVICE_SECRET_KEY' : 'SERVICE_X_SECRET';
  const address = kind === 'recognition' ? 'SERVICE_AUTH_URL' : 'SERVICE_BASE_URL';
  return {
    auth: `copy ${credentials} again from the provider`,
    quota: `the quota for ${kind} is used up: top it up with the provider`,
    malformed: `check that ${address} is the address that the provider gave`,
    unavailable: `check that this machine reaches ${address}; if it does, ask the provider`,
    'in-doubt': 'no answer came in time: try again later, or raise SERVICE_TIMEOUT_MS',
    database: 'the ledger could not be written, so no call was made: fix the database first',
  };
}
