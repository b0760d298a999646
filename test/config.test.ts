/** The settings: every fault at once, by variable, with an example, and no value repeated. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { dropSecrets, exampleOf, readConfig, readDatabaseConfig, SECRETS } from '../src/app/config.ts';

const GOOD = {
  TELEGRAM_BOT_TOKEN: '123456789:AAExample_Example-Example',
  SERVICE_AUTH_URL: 'https://auth.example.com/',
  SERVICE_BASE_URL: 'https://api.example.com',
  SERVICE_API_KEY: 'key',
  SERVICE_SECRET_KEY: 'secret',
  SERVICE_X_SECRET: 'x-secret',
};

/** What is said about mistakes. */
function told(changes: Record<string, string | undefined>): string[] {
  const result = readConfig({ ...GOOD, ...changes });
  return result.ok ? [] : result.faults;
}

/** The variables that it is said of. */
function faultsOf(changes: Record<string, string | undefined>): string[] {
  return told(changes).map((fault) => fault.split(' ', 1)[0] ?? '');
}

function configOf(changes: Record<string, string | undefined> = {}) {
  const result = readConfig({ ...GOOD, ...changes });
  if (!result.ok) throw new Error(result.faults.join('\n'));
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
    access: 'open',
    limits: { callsPerUser: 100, callsPerGroup: 300, budgetYuan: 100 },
    resultsTtlDays: 90,
    logLevel: 'info',
  });
});

it('blanks count as unset, and outer white space does not count', () => {
  expect(faultsOf({ SERVICE_API_KEY: '  ' })).toEqual(['SERVICE_API_KEY']);
  expect(configOf({ WORKERS: ' ' }).workers).toBe(32);
  expect(configOf({ SERVICE_API_KEY: ' key\n' }).service.apiKey).toBe('key');
});

it('ACCESS=members needs somebody who lets people in', () => {
  expect(told({ ACCESS: 'members', ADMIN_IDS: ' , ' })).toEqual([
    expect.stringMatching(/^ADMIN_IDS is missing: ACCESS=members needs .* \(for example: ADMIN_IDS=/),
  ]);
  expect(configOf({ ACCESS: 'members', ADMIN_IDS: '5' })).toMatchObject({ access: 'members', adminIds: [5] });
  expect(faultsOf({ ACCESS: 'friends' })).toEqual(['ACCESS']);
});

it.each([
  ['TELEGRAM_API_ROOT', 'http://127.0.0.1:8081/'],
  ['TELEGRAM_PROXY', 'http://proxy.example.org:3128', 'https://name:p%40ss@proxy.example.org'],
  ['TELEGRAM_PROXY', 'socks5://name:password@[::1]:1080/', 'socks5://127.0.0.1'],
  ['TELEGRAM_FILES_DIR', '/var/lib/telegram-bot-api/'],
  ['DATABASE_URL', 'sqlite:/var/lib/lotsawa/lotsawa.db'],
  ['DATABASE_URL', 'postgres://lotsawa@db.example.org/lotsawa', 'postgresql://db.example.org/lotsawa'],
  ['WORKERS', '1'],
  ['PORT', '0', '65535'],
  ['ADMIN_IDS', '1, 22,333,'],
  ['DAILY_CALLS_PER_USER', '0'],
  ['DAILY_BUDGET_YUAN', '12.40'],
  ['LOG_LEVEL', 'trace'],
])('a good value is taken: %s', (variable, ...values) => {
  for (const value of values) expect(faultsOf({ [variable]: value }), value).toEqual([]);
});

describe('a bad value is told', () => {
  it.each([
    ['TELEGRAM_BOT_TOKEN', 'hello', '123:has a space'],
    ['TELEGRAM_API_ROOT', 'api.telegram.org', 'https://name:password@bots.example.com'],
    ['SERVICE_AUTH_URL', 'ftp://auth.example.com', 'https://auth.example.com/#token'],
    ['SERVICE_BASE_URL', 'https://', 'https://api.example.com/?version=1'],
    ['TELEGRAM_PROXY', 'proxy.example.org:1080', '127.0.0.1:1080', 'socks4://proxy.example.org'],
    ['TELEGRAM_PROXY', 'http://', 'socks5://', 'http://proxy.example.org/path'],
    ['TELEGRAM_PROXY', 'http://proxy.example.org:3128?x', 'http://name:50%off@proxy.example.org'],
    ['TELEGRAM_FILES_DIR', 'files'],
    ['SERVICE_X_SECRET', 'བོད'],
    ['SERVICE_TIMEOUT_MS', '0', '2147483648'],
    ['SERVICE_CONCURRENCY', '1.5'],
    ['DATABASE_URL', 'mysql://localhost', 'sqlite:', 'sqlite::memory:'],
    ['WORKERS', '0', '-1', 'many'],
    ['PORT', '65536'],
    ['ADMIN_IDS', '1,two', '-5'],
    ['DAILY_CALLS_PER_GROUP', 'unlimited'],
    ['DAILY_BUDGET_YUAN', '-1'],
    ['RESULTS_TTL_DAYS', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('%s', (variable, ...values) => {
    for (const value of values) expect(faultsOf({ [variable]: value }), value).toEqual([variable]);
  });

  it.each([
    ['TELEGRAM_PROXY', 'proxy.example.org:1080', 'is not http://, https:// or socks5://HOST:PORT'],
    ['TELEGRAM_PROXY', 'socks5://name:p#ss@proxy.example.org', 'percent-encode'],
    ['TELEGRAM_PROXY', 'http://proxy.example.org:99999', 'is not http://, https:// or socks5://HOST:PORT'],
    ['DATABASE_URL', 'postgres://lotsawa:p#ss@db.example.org/lotsawa', 'percent-encode'],
    ['DATABASE_URL', 'db.example.org/lotsawa', 'is neither sqlite:PATH nor'],
  ])('%s=%s, with what is wrong with it', (variable, value, problem) => {
    expect(told({ [variable]: value })).toEqual([expect.stringContaining(problem)]);
  });

  it('together with all others', () => {
    const faults = faultsOf({ PORT: 'x', WORKERS: 'y', SERVICE_API_KEY: undefined });
    expect(faults.toSorted()).toEqual(['PORT', 'SERVICE_API_KEY', 'WORKERS']);
  });
});

it('a webhook needs https and a secret that Telegram takes', () => {
  const url = 'https://bot.example.org/telegram';
  expect(configOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: 'word_1' }).webhook).toEqual({ url, secret: 'word_1' });
  for (const secret of [undefined, 'two words', 'x'.repeat(257)])
    expect(faultsOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: secret })).toEqual(['WEBHOOK_SECRET']);
  expect(faultsOf({ WEBHOOK_URL: 'http://bot.example.org/', WEBHOOK_SECRET: 'x' })).toEqual(['WEBHOOK_URL']);
  expect(faultsOf({ WEBHOOK_URL: 'http://127.0.0.1:8080/', WEBHOOK_SECRET: 'x' })).toEqual([]);
});

describe('a secret from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function fileOf(content: string): string {
    const path = join(folder, 'secret');
    writeFileSync(path, content);
    return path;
  }

  it('is taken, without the line break at its end', () => {
    const secrets = SECRETS.map((name): [string, string] => [name, exampleOf(name)]);
    const values = { ...GOOD, WEBHOOK_URL: 'https://bot.example.org/', ...Object.fromEntries(secrets) };
    const expected = readConfig(values);
    expect(expected.ok).toBe(true);
    for (const [name, value] of secrets) {
      for (const end of ['', '\n', '\r\n']) {
        const path = fileOf(`${value}${end}`);
        expect(readConfig({ ...values, [name]: ' ', [`${name}_FILE`]: path }), name).toEqual(expected);
      }
    }
    const url = 'postgres://lotsawa:pass@db.example.org/lotsawa';
    expect(readDatabaseConfig({ DATABASE_URL_FILE: fileOf(`${url}\n`) })).toEqual({
      ok: true,
      config: { engine: 'postgres', url },
    });
  });

  it('an unusable secret file gets one line without its path', () => {
    const lines = [
      ...[fileOf(' \n'), join(folder, 'marked'), folder].flatMap((path) =>
        told({ SERVICE_API_KEY: undefined, SERVICE_API_KEY_FILE: path }),
      ),
      ...told({ SERVICE_API_KEY_FILE: fileOf('key') }),
    ];
    expect(lines).toEqual([
      'SERVICE_API_KEY_FILE names an empty file (for example: SERVICE_API_KEY_FILE=/run/secrets/service_api_key)',
      expect.stringContaining('(ENOENT)'),
      expect.stringContaining('(EISDIR)'),
      expect.stringMatching(/^SERVICE_API_KEY_FILE and SERVICE_API_KEY are both set: keep one of them/),
    ]);
    expect(lines.join()).not.toContain(folder);
  });

  it('that holds a bad value is told with a good one', () => {
    const path = fileOf('marked');
    expect(faultsOf({ TELEGRAM_BOT_TOKEN: undefined, TELEGRAM_BOT_TOKEN_FILE: path })).toEqual([
      'TELEGRAM_BOT_TOKEN',
    ]);
    const result = readDatabaseConfig({ DATABASE_URL_FILE: path });
    expect(result.ok ? [] : result.faults).toEqual([
      expect.stringMatching(
        /^DATABASE_URL is neither sqlite:PATH nor postgres:.* \(for example: DATABASE_URL=sqlite:data\/lotsawa\.db\)$/,
      ),
    ]);
  });

  it('is handed on neither itself nor by its path', () => {
    const env = Object.fromEntries(
      SECRETS.flatMap((name) => [name, `${name}_FILE`].map((key) => [key, 'x'])),
    );
    dropSecrets(env);
    expect(env).toEqual({});
  });
});

it('whatever is set, it never throws, and a fault never repeats a value', () => {
  const others = ['DATABASE_URL', 'TELEGRAM_PROXY', 'WEBHOOK_URL', 'WEBHOOK_SECRET', 'ADMIN_IDS', 'PORT'];
  const variables = [...Object.keys(GOOD), ...others, 'SERVICE_API_KEY_FILE', 'DATABASE_URL_FILE'];
  const value = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webUrl(), fc.integer().map(String));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...variables), value), (changes) => {
      const marked = Object.fromEntries(
        Object.entries(changes).map(([name, text]) => [name, `${text}~marked~`]),
      );
      for (const env of [changes, marked]) {
        const result = readConfig(env);
        if (!result.ok) expect(result.faults.join('\n')).not.toContain('~marked~');
      }
    }),
  );
});
