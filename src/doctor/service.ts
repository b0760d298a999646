/** Checks the provider: for free (the token, the other address), and with one paid call of each kind; its prices, and remedies. */

import { readFileSync } from 'node:fs';
import type { Config } from '../app/config.ts';
import { type FailureKind, isFailure } from '../errors.ts';
import { type Provider, type ProviderCall, SAMPLE_BYTES, SAMPLE_RATE } from '../interpreter/provider.ts';
import { type CallKind, type CallOutcome, yuan } from '../paid-calls.ts';
import { PRICES, Service } from '../service/client.ts';
import { Http } from '../service/http/http.ts';
import { type TokenStore, Tokens } from '../service/token.ts';
import type { Database } from '../store/database.ts';
import { KeptTokens } from '../store/kept/tokens.ts';
import type { Ledger } from '../store/money/ledger.ts';
import { errorCode, type Finding, open, remedyFor, well, wrong } from './finding.ts';

/** Longest wait for an answer, in ms. */
const PATIENCE_MS = 10_000;

const NO_STORE: TokenStore = { load: async () => undefined, save: async () => {} };

/** In fen, by the kind of call. */
export { PRICES };

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
function remedies(kind: CallKind): Partial<Record<FailureKind, string>> {
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

/** The asker in the ledger. */
const ASKER = { person: 'doctor', group: undefined };
/** Two Tibetan words: "Tibetan writing". */
const TEXT = 'བོད་ཡིག';
const PICTURE = new URL('tibetan-writing.png', import.meta.url);

const COSTS = Object.values(PRICES);
/** Shown before any money is spent: the price of one call of each kind. */
export const PRICE = `${COSTS.length} calls, ${yuan(COSTS.reduce((sum, cost) => sum + cost))} yuan`;

/** Makes the calls one after another, as the bot does. `ledger`, which gets them, is undefined if there is no usable database. */
export async function* makePaidCalls(service: Provider, ledger: Ledger | undefined): AsyncGenerator<Finding> {
  let charged = 0;
  let inDoubt = 0;
  const options: ProviderCall = {
    meter: {
      begin: async (call) => {
        const cost = service.price(call.kind);
        const settle = await ledger?.begin(ASKER, { ...call, cost });
        return async (outcome: CallOutcome) => {
          if (outcome === 'charged') charged += cost;
          if (outcome === 'in-doubt') inDoubt += cost;
          await settle?.(outcome);
        };
      },
    },
  };
  yield* attempt('recognition', async () => {
    const image = { bytes: readFileSync(PICTURE), format: 'png', width: 320, height: 120 } as const;
    const { lines } = await service.recognise({ input: { image }, language: 'tibetan' }, options);
    const read = lines.map((line) => line.text.trim()).join(' ');
    return read === '' ? undefined : `it read "${read}" where "${TEXT}" is written`;
  });
  yield* attempt('translation', async () => {
    const { text } = await service.translate({ text: TEXT, from: 'tibetan', to: 'chinese' }, options);
    return `"${TEXT}" became "${text}"`;
  });
  yield* attempt('speech', async () => {
    let bytes = 0;
    for await (const chunk of await service.speak({ text: TEXT, variety: 'utsang' }, options))
      bytes += chunk.length;
    return `${(bytes / SAMPLE_BYTES / SAMPLE_RATE).toFixed(1)} s of sound`;
  });
  const where = ledger === undefined ? ', not recorded in a ledger: there is no usable database' : '';
  const more = inDoubt === 0 ? '' : `, or ${yuan(inDoubt)} more, which only the provider knows`;
  yield well(`Service: these calls cost ${yuan(charged)} yuan${more}${where}`);
}

/** Makes one call. `work` returns its result in words; undefined if the service answered without a failure, but with nothing. */
async function* attempt(kind: CallKind, work: () => Promise<string | undefined>): AsyncGenerator<Finding> {
  const startedAt = performance.now();
  try {
    const result = await work();
    const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    if (result === undefined) {
      const text = `Service: ${kind} answered in ${took}, but recognised nothing where "${TEXT}" is written`;
      yield open(text, 'run this again later; if it persists, ask the provider');
    } else yield well(`Service: ${kind} works, ${took}: ${result}`);
  } catch (error) {
    const failure = isFailure(error) ? error : undefined;
    const code = failure?.code === undefined ? '' : `, code ${failure.code}`;
    const text = `Service: ${kind} failed (${failure?.kind ?? errorCode(error)}${code})`;
    yield wrong(
      text,
      remedies(kind)[failure?.kind ?? 'unavailable'] ?? 'try again later; if it persists, ask the provider',
    );
  }
}
