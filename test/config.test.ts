/** The settings: every fault at once, by variable, with an example, and no value repeated. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFault, readConfig } from '../src/app/config.ts';

const GOOD = {
  TELEGRAM_BOT_TOKEN: '123456789:AAExample_Example-Example',
  SERVICE_AUTH_URL: 'https://auth.example.com/',
  SERVICE_BASE_URL: 'https://api.example.com',
  SERVICE_API_KEY: 'key',
  SERVICE_SECRET_KEY: 'secret',
  SERVICE_X_SECRET: 'x-secret',
};

function faultsOf(changes: Record<string, string | undefined>): string[] {
  const result = readConfig({ ...GOOD, ...changes });
  return result.ok ? [] : result.faults.map(({ variable }) => variable);
}

function configOf(changes: Record<string, string | undefined> = {}) {
  const result = readConfig({ ...GOOD, ...changes });
  if (!result.ok) throw new Error(result.faults.map(describeFault).join('\n'));
  return result.config;
}

it('what is required is enough, and the rest has the defaults of the specification', () => {
  expect(configOf()).toEqual({
    telegram: { token: GOOD.TELEGRAM_BOT_TOKEN, apiRoot: 'https://api.telegram.org' },
    service: {
      authUrl: 'https://auth.example.com',
      baseUrl: 'https://api.example.com',
      apiKey: 'key',
      secretKey: 'secret',
      xSecret: 'x-secret',
      timeoutMs: 60_000,
      concurrency: 16,
    },
    database: { engine: 'sqlite', path: 'data/lotsawa.db' },
    workers: 32,
    webhook: undefined,
    http: { host: '127.0.0.1', port: 8080 },
    adminIds: [],
    limits: { callsPerUser: 100, callsPerGroup: 300, budgetYuan: Number.POSITIVE_INFINITY },
    resultsTtlDays: 90,
    logLevel: 'info',
  });
});

it('with nothing set, everything that is required is missing', () => {
  const result = readConfig({});
  const lines = result.ok ? [] : result.faults.map(describeFault);
  expect(lines).toHaveLength(Object.keys(GOOD).length);
  for (const line of lines) expect(line).toMatch(/^([A-Z_]+) is missing \(for example: \1=\S+\)$/);
});

it('blanks count as unset, and outer white space does not count', () => {
  expect(faultsOf({ SERVICE_API_KEY: '  ' })).toEqual(['SERVICE_API_KEY']);
  expect(configOf({ WORKERS: ' ' }).workers).toBe(32);
  expect(configOf({ SERVICE_API_KEY: ' key\n' }).service.apiKey).toBe('key');
});

describe('a good value is taken', () => {
  it.each([
    ['TELEGRAM_API_ROOT', 'http://127.0.0.1:8081/'],
    ['DATABASE_URL', 'sqlite:/var/lib/lotsawa/lotsawa.db'],
    ['DATABASE_URL', 'postgres://lotsawa@db.example.org/lotsawa'],
    ['DATABASE_URL', 'postgresql://db.example.org/lotsawa'],
    ['WORKERS', '1'],
    ['PORT', '0'],
    ['PORT', '65535'],
    ['ADMIN_IDS', '1, 22,333,'],
    ['DAILY_CALLS_PER_USER', '0'],
    ['DAILY_BUDGET_YUAN', '12.40'],
    ['LOG_LEVEL', 'trace'],
  ])('%s=%s', (variable, value) => {
    expect(faultsOf({ [variable]: value })).toEqual([]);
  });
});

describe('a bad value is told', () => {
  it.each([
    ['TELEGRAM_BOT_TOKEN', 'hello'],
    ['TELEGRAM_BOT_TOKEN', '123:has a space'],
    ['TELEGRAM_API_ROOT', 'api.telegram.org'],
    ['SERVICE_AUTH_URL', 'ftp://auth.example.com'],
    ['SERVICE_BASE_URL', 'https://'],
    ['SERVICE_BASE_URL', 'https://api.example.com/?version=1'],
    ['SERVICE_AUTH_URL', 'https://auth.example.com/#token'],
    ['TELEGRAM_API_ROOT', 'https://name:password@bots.example.com'],
    ['SERVICE_X_SECRET', 'བོད'],
    ['SERVICE_TIMEOUT_MS', '0'],
    ['SERVICE_TIMEOUT_MS', '2147483648'],
    ['SERVICE_CONCURRENCY', '1.5'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['WORKERS', '0'],
    ['WORKERS', '-1'],
    ['WORKERS', '1e3'],
    ['PORT', '65536'],
    ['ADMIN_IDS', '1,two'],
    ['ADMIN_IDS', '-5'],
    ['DAILY_CALLS_PER_GROUP', 'unlimited'],
    ['DAILY_BUDGET_YUAN', '-1'],
    ['RESULTS_TTL_DAYS', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (variable, value) => {
    expect(faultsOf({ [variable]: value })).toEqual([variable]);
  });

  it('together with all others', () => {
    expect(faultsOf({ PORT: 'x', WORKERS: 'y', SERVICE_API_KEY: undefined }).toSorted()).toEqual([
      ...['PORT', 'SERVICE_API_KEY', 'WORKERS'],
    ]);
  });
});

describe('a webhook', () => {
  const url = 'https://bot.example.org/telegram';

  it('needs its secret', () => {
    expect(faultsOf({ WEBHOOK_URL: url })).toEqual(['WEBHOOK_SECRET']);
    expect(configOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: 'word_1' }).webhook).toEqual({
      url,
      secret: 'word_1',
    });
  });

  it('is on https, but for a server on the same machine', () => {
    expect(faultsOf({ WEBHOOK_URL: 'http://bot.example.org/', WEBHOOK_SECRET: 'x' })).toEqual([
      'WEBHOOK_URL',
    ]);
    expect(faultsOf({ WEBHOOK_URL: 'http://127.0.0.1:8080/', WEBHOOK_SECRET: 'x' })).toEqual([]);
  });

  it('has a secret that Telegram takes', () => {
    expect(faultsOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: 'two words' })).toEqual(['WEBHOOK_SECRET']);
    expect(faultsOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: 'x'.repeat(257) })).toEqual(['WEBHOOK_SECRET']);
  });
});

it('whatever is set, it never throws, and a fault never repeats a value', () => {
  const variables = [
    ...Object.keys(GOOD),
    'DATABASE_URL',
    'WEBHOOK_URL',
    'WEBHOOK_SECRET',
    'ADMIN_IDS',
    'PORT',
  ];
  const value = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webUrl(), fc.integer().map(String));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...variables), value), (changes) => {
      const marked = Object.fromEntries(
        Object.entries(changes).map(([name, text]) => [name, `${text}~marked~`]),
      );
      for (const env of [changes, marked]) {
        const result = readConfig(env);
        if (!result.ok) expect(result.faults.map(describeFault).join('\n')).not.toContain('~marked~');
      }
    }),
  );
});
