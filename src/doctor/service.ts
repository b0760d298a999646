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
import { Ledger, NO_LIMITS } from '../store/money/ledger.ts';
import { type Finding, open, reasonOf, remedyFor, well, wrong } from './finding.ts';

/** Longest wait for an answer, in ms. */
const PATIENCE_MS = 10_000;

const NO_STORE: TokenStore = { load: async () => undefined, save: async () => {} };

/** Makes the paid calls only if `mayPay`. `database` is undefined if none can be used. */
export async function* checkService(
  config: Config['service'],
  database: Database | undefined,
  mayPay: boolean,
): AsyncGenerator<Finding> {
  const tokenStore = database === undefined ? NO_STORE : new KeptTokens(database.sql);
  yield await checkToken(config, tokenStore);
  yield await checkReach(config);
  if (!mayPay) {
    yield open(
      'Service: only a paid call shows whether SERVICE_X_SECRET is right',
      'npm run doctor -- --paid (three calls)',
    );
    return;
  }
  const service = new Service({ config, tokenStore });
  yield* makePaidCalls(service, database && new Ledger(database, { limits: NO_LIMITS, adminIds: [] }));
  await service.close();
}

/** `store` keeps the token, since it may invalidate the one before. */
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
    return wrong(`Service: no token from SERVICE_AUTH_URL (${reasonOf(error)})`, remedy('token', error));
  } finally {
    await http.close();
  }
}

/** Requests `{base_url}` itself, which is free; any HTTP answer will do. */
async function checkReach({ baseUrl }: Config['service']): Promise<Finding> {
  try {
    await fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    return well('Service: SERVICE_BASE_URL answers');
  } catch (error) {
    const text = `Service: SERVICE_BASE_URL is unreachable (${reasonOf(error)})`;
    return wrong(text, remedy('translation', error));
  }
}

function remedy(of: CallKind | 'token', error: unknown): string {
  const isOfAuth = of === 'token' || of === 'recognition';
  const credentials = isOfAuth ? 'SERVICE_API_KEY and SERVICE_SECRET_KEY' : 'SERVICE_X_SECRET';
  const address = isOfAuth ? 'SERVICE_AUTH_URL' : 'SERVICE_BASE_URL';
  const unreachable = `check that this machine reaches ${address}, and that the provider gave it; if so, ask the provider`;
  const remedies: Partial<Record<FailureKind, string>> = {
    auth: `copy ${credentials} again from the provider`,
    quota: `the quota for ${of} is used up: top it up with the provider`,
    malformed: `check that ${address} is the address that the provider gave`,
    'in-doubt': 'no answer came in time: try again later, or raise SERVICE_TIMEOUT_MS',
    database: 'the ledger could not be written, so no call was made: fix the database first',
  };
  return (isFailure(error) && remedies[error.kind]) || remedyFor(error, unreachable);
}

const ASKER = { person: 'doctor', group: undefined };
/** "Tibetan writing". */
const TEXT = 'བོད་ཡིག';
const PICTURE = new URL('tibetan-writing.png', import.meta.url);

const COSTS = Object.values(PRICES);
/** Shown before any money is spent. */
export const PRICE = `${COSTS.length} calls, ${yuan(COSTS.reduce((sum, cost) => sum + cost))} yuan`;

/** Makes the calls one after another, as the bot does. `ledger` is undefined if there is no usable database. */
async function* makePaidCalls(service: Provider, ledger: Ledger | undefined): AsyncGenerator<Finding> {
  let paid = 0;
  const options: ProviderCall = {
    meter: {
      begin: async (call) => {
        const cost = service.prices[call.kind];
        const settle = await ledger?.begin(ASKER, { ...call, cost });
        return async (outcome: CallOutcome) => {
          if (outcome !== 'failed') paid += cost;
          await settle?.(outcome);
        };
      },
    },
  };
  yield* attempt('recognition', async () => {
    const image = { bytes: readFileSync(PICTURE), format: 'png', width: 320, height: 120 } as const;
    const { lines } = await service.recognise({ input: { image }, language: 'tibetan' }, options);
    const read = lines.map((line) => line.text.trim()).join(' ');
    return `it read "${read}" where "${TEXT}" is written`;
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
  yield well(`Service: these calls cost ${yuan(paid)} yuan`);
}

/** `work` returns its result in words. */
async function* attempt(kind: CallKind, work: () => Promise<string>): AsyncGenerator<Finding> {
  const startedAt = performance.now();
  try {
    const result = await work();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    yield well(`Service: ${kind} works, ${seconds} s: ${result}`);
  } catch (error) {
    yield wrong(`Service: ${kind} failed (${reasonOf(error)})`, remedy(kind, error));
  }
}
