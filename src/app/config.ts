/** The settings of one process, read from its environment and `.env`; reports all faults at once. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../errors.ts';
import type { DatabaseConfig } from '../store/engine.ts';

export type Config = ReturnType<typeof arrange>;

/** Exit codes: `config` is EX_CONFIG of sysexits.h, after which a supervisor should not restart the bot. */
export const EXIT_CODES = { failure: 1, config: 78 } as const;

/** The longest delay of a Node timer (2³¹ − 1 ms). */
const MAX_TIMER_MS = 2_147_483_647;

const botToken = text().regex(/^\d+:[\w-]+$/, 'does not look like a token from BotFather');

/** Paths are appended to it, and a user name in it would not be sent. */
const address = text()
  .refine(
    (value) => /^https?:/i.test(URL.parse(value)?.href ?? '') && !/[?#@]/.test(value),
    'is not the http(s) address of a server alone, without user, password, ? or #',
  )
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''));

const folder = text().regex(/^\/[^\0]*$/, 'is not the absolute path of a folder');

/** Most addresses that cannot be parsed have such a character in the password. */
const ENCODED = 'with every character but letters and digits percent-encoded in user and password (# is %23)';

const proxy = text().transform((value, context): URL => {
  const url = URL.parse(value);
  // A % that begins no encoding could not be decoded for the proxy.
  if (url !== null && /^(?:https?|socks5):\/\/(?:[^/%]|%[\da-f]{2})+\/?$/i.test(url.href)) return url;
  context.addIssue(`is not http://, https:// or socks5://HOST:PORT, or USER:PASSWORD@HOST:PORT ${ENCODED}`);
  return z.NEVER;
});

/** Telegram delivers only to https; plain http is for a Bot API server on the same machine. */
const webhookAddress = text().refine(
  (value) => /^https:|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/.test(URL.parse(value)?.href ?? ''),
  'is not a public https address',
);

/** Bot API, setWebhook: `secret_token` has 1–256 of these characters. */
const webhookSecret = text().regex(/^[\w-]{1,256}$/, 'must be 1 to 256 letters, digits, _ or -');

const headerValue = text().regex(/^[\x21-\x7e]+$/, 'has characters that an HTTP header cannot carry');

const database = text().transform((value, context): DatabaseConfig => {
  // An in-memory database would end with the process.
  const path = /^sqlite:(?!:memory:$)(.+)$/s.exec(value)?.[1];
  if (path !== undefined) return { engine: 'sqlite', path };
  if (/^postgres(?:ql)?:/.test(URL.parse(value)?.href ?? '')) return { engine: 'postgres', url: value };
  context.addIssue(`is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE ${ENCODED}`);
  return z.NEVER;
});

const idList = text()
  .regex(/^[\d,\s]*$/, 'is not a comma-separated list of Telegram user ids')
  .transform((value) => (value.match(/\d+/g) ?? []).map(Number));

const AMOUNT = 'is not an amount of yuan';

/** Limits of 0 are none. */
const orNoLimit = (max: number): number => (max === 0 ? Number.POSITIVE_INFINITY : max);

function whole(min: number, max = 1_000_000_000) {
  const problem = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(problem).int(problem).min(min, problem).max(max, problem);
}

function oneOf<const Values extends readonly string[]>(...values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

function text() {
  return z.string('is missing');
}

/** All variables: form, default, and an example where that is not the default. The text of a problem follows the variable's name. */
const variables = z.object({
  TELEGRAM_BOT_TOKEN: botToken.meta({ example: '123456789:AAExampleExampleExampleExampleExample' }),
  TELEGRAM_API_ROOT: address.default('https://api.telegram.org'),
  TELEGRAM_FILES_DIR: folder.optional().meta({ example: '/var/lib/telegram-bot-api' }),
  TELEGRAM_PROXY: proxy.optional().meta({ example: 'socks5://name:password@proxy.example.org:1080' }),
  SERVICE_AUTH_URL: address.meta({ example: 'https://auth.example.com' }),
  SERVICE_BASE_URL: address.meta({ example: 'https://api.example.com' }),
  SERVICE_API_KEY: text().meta({ example: 'the-api-key-of-your-application' }),
  SERVICE_SECRET_KEY: text().meta({ example: 'the-secret-key-of-your-application' }),
  SERVICE_X_SECRET: headerValue.meta({ example: 'the-secret-for-translation-and-speech' }),
  SERVICE_TIMEOUT_MS: whole(1, MAX_TIMER_MS).default(60_000),
  SERVICE_CONCURRENCY: whole(1, 1000).default(16),
  DATABASE_URL: database
    .default({ engine: 'sqlite', path: 'data/lotsawa.db' })
    .meta({ example: 'sqlite:data/lotsawa.db' }),
  WORKERS: whole(1, 10_000).default(32),
  WEBHOOK_URL: webhookAddress.optional().meta({ example: 'https://bot.example.org/telegram' }),
  WEBHOOK_SECRET: webhookSecret.optional().meta({ example: 'a-long-random-word_123' }),
  HOST: text().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(8080),
  ADMIN_IDS: idList.default([]).meta({ example: '123456789,987654321' }),
  ACCESS: oneOf('open', 'members').default('open').meta({ example: 'members' }),
  DAILY_CALLS_PER_USER: whole(0).transform(orNoLimit).default(100),
  DAILY_CALLS_PER_GROUP: whole(0).transform(orNoLimit).default(300),
  DAILY_BUDGET_YUAN: z.coerce.number(AMOUNT).min(0, AMOUNT).transform(orNoLimit).default(100),
  RESULTS_TTL_DAYS: whole(1, 36_500).default(90),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
});

/** Rules between variables are checked also where other variables are wrong (`when`): all faults are told at once. */
const settings = variables
  .refine(({ WEBHOOK_URL, WEBHOOK_SECRET }) => WEBHOOK_URL === undefined || WEBHOOK_SECRET !== undefined, {
    path: ['WEBHOOK_SECRET'],
    error: 'is missing: WEBHOOK_URL needs it',
    when: () => true,
  })
  .refine(({ ACCESS, ADMIN_IDS }) => ACCESS !== 'members' || ADMIN_IDS?.length > 0, {
    path: ['ADMIN_IDS'],
    error: 'is missing: ACCESS=members needs an admin who lets people in',
    when: () => true,
  });

/** Variables that may hold a secret and must not be passed on. Each may come from a file, too (`NAME_FILE`). */
export const SECRETS = [
  'TELEGRAM_BOT_TOKEN',
  'TELEGRAM_PROXY',
  'SERVICE_API_KEY',
  'SERVICE_SECRET_KEY',
  'SERVICE_X_SECRET',
  'WEBHOOK_SECRET',
  'DATABASE_URL',
] as const satisfies (keyof typeof variables.shape)[];

export const NAMES: readonly string[] = [...Object.keys(variables.shape), ...SECRETS.map(fileVariable)];

type Environment = Readonly<Record<string, string | undefined>>;

/** `faults`: one line for each mistake with the variable, the problem and an example; never the value, which may be a secret. */
type Checked<T> =
  | { readonly ok: true; readonly config: T }
  | { readonly ok: false; readonly faults: string[] };

/** Checks all variables (README, Settings), with outer white space dropped and blank values unset. `NAME_FILE` may name a secret's file. */
export function readConfig(env: Environment): Checked<Config> {
  const checked = check(settings, env);
  return checked.ok ? { ok: true, config: arrange(checked.config) } : checked;
}

/** For commands that need no other settings. */
export function readDatabaseConfig(env: Environment): Checked<DatabaseConfig> {
  const checked = check(variables.pick({ DATABASE_URL: true }), env);
  return checked.ok ? { ok: true, config: checked.config.DATABASE_URL } : checked;
}

function check<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Environment,
): Checked<z.infer<typeof schema>> {
  const faults: string[] = [];
  const values = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, given(env, name)]));
  for (const name of SECRETS.filter((name) => name in values)) {
    const path = given(env, fileVariable(name));
    if (path === undefined) continue;
    const read =
      values[name] === undefined
        ? readSecret(path)
        : { problem: `and ${name} are both set: keep one of them` };
    const example = `/run/secrets/${name.toLowerCase()}`;
    if ('problem' in read) faults.push(describeFault(fileVariable(name), read.problem, example));
    // A variable whose file is faulty is not also missing.
    values[name] = 'text' in read ? read.text : exampleOf(name);
  }
  const { success, data, error } = schema.safeParse(values);
  if (success && faults.length === 0) return { ok: true, config: data };
  for (const { path, message } of error?.issues ?? []) {
    const name = String(path[0]);
    faults.push(describeFault(name, message, exampleOf(name)));
  }
  return { ok: false, faults };
}

function readSecret(path: string): { text: string } | { problem: string } {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: 'names an empty file' } : { text };
  } catch (error) {
    return { problem: `names a file that cannot be read (${codeOf(error)})` };
  }
}

function describeFault(name: string, problem: string, example: string): string {
  return `${name} ${problem} (for example: ${name}=${example})`;
}

export function exampleOf(name: string): string {
  const forms: Readonly<Record<string, z.ZodType>> = variables.shape;
  const form = forms[name];
  return String(form?.meta()?.example ?? form?.parse(undefined));
}

function fileVariable(name: string): string {
  return `${name}_FILE`;
}

function given(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

export function isUnconfigured(env: Environment): boolean {
  return NAMES.every((name) => !/^(?:TELEGRAM|SERVICE)_/.test(name) || given(env, name) === undefined);
}

/** Child processes and reports must see neither secrets nor the paths of their files. */
export function dropSecrets(env: Record<string, string | undefined>): void {
  for (const name of SECRETS) {
    delete env[name];
    delete env[fileVariable(name)];
  }
}

function arrange(values: z.infer<typeof variables>) {
  return {
    telegram: {
      token: values.TELEGRAM_BOT_TOKEN,
      apiRoot: values.TELEGRAM_API_ROOT,
      proxy: values.TELEGRAM_PROXY,
      filesDir: values.TELEGRAM_FILES_DIR,
    },
    service: {
      authUrl: values.SERVICE_AUTH_URL,
      baseUrl: values.SERVICE_BASE_URL,
      apiKey: values.SERVICE_API_KEY,
      secretKey: values.SERVICE_SECRET_KEY,
      xSecret: values.SERVICE_X_SECRET,
      timeoutMs: values.SERVICE_TIMEOUT_MS,
      concurrency: values.SERVICE_CONCURRENCY,
    },
    database: values.DATABASE_URL,
    workers: values.WORKERS,
    webhook:
      values.WEBHOOK_URL === undefined || values.WEBHOOK_SECRET === undefined
        ? undefined
        : { url: values.WEBHOOK_URL, secret: values.WEBHOOK_SECRET },
    http: { host: values.HOST, port: values.PORT },
    adminIds: values.ADMIN_IDS,
    access: values.ACCESS,
    limits: {
      callsPerUser: values.DAILY_CALLS_PER_USER,
      callsPerGroup: values.DAILY_CALLS_PER_GROUP,
      budgetYuan: values.DAILY_BUDGET_YUAN,
    },
    resultsTtlDays: values.RESULTS_TTL_DAYS,
    logLevel: values.LOG_LEVEL,
  };
}

/** Completes the environment by `.env` of the working directory. Returns what is wrong if the file cannot be read. */
export function loadEnvFile(): string | undefined {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    return undefined;
  } catch (error) {
    return `.env must be a regular file that this user can read (${codeOf(error) ?? 'unknown error'})`;
  }
}
