/** The settings of one process, read from environment variables (spec §1): pure, and every fault is reported at once. */
import { z } from 'zod';

export type DatabaseConfig = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };

export interface Config {
  telegram: { token: string; apiRoot: string };
  service: {
    authUrl: string;
    baseUrl: string;
    apiKey: string;
    secretKey: string;
    xSecret: string;
    timeoutMs: number;
    concurrency: number;
  };
  database: DatabaseConfig;
  workers: number;
  webhook: { url: string; secret: string } | undefined;
  http: { host: string; port: number };
  adminIds: readonly number[];
  /** Paid calls per UTC day, and yuan per UTC day; 0 means no limit. */
  limits: { callsPerUser: number; callsPerGroup: number; budgetYuan: number };
  resultsTtlDays: number;
  logLevel: (typeof LOG_LEVELS)[number];
}

/** One mistake in the environment. It never repeats the value: the value may be a secret. */
export interface ConfigFault {
  variable: string;
  problem: string;
  example: string;
}

interface NotOk {
  ok: false;
  faults: ConfigFault[];
}

export type ConfigResult = { ok: true; config: Config } | NotOk;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
/** The longest delay a Node timer keeps (2³¹ − 1 ms). */
const MAX_TIMER_MS = 2_147_483_647;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks every variable of spec §1; blank counts as unset, outer white space is dropped. */
export function readConfig(env: Environment): ConfigResult {
  const values = Object.fromEntries(VARIABLES.map((name) => [name, trimmed(env, name)]));
  const schema =
    values.WEBHOOK_URL === undefined ? variables : variables.extend({ WEBHOOK_SECRET: secretToken });
  const parsed = schema.safeParse(values);
  if (parsed.success) return { ok: true, config: arrange(parsed.data) };
  const faults = parsed.error.issues.map(({ path, message }) => faultOf(String(path[0]), message));
  return { ok: false, faults };
}

function trimmed(env: Environment, variable: string): string | undefined {
  return env[variable]?.trim() || undefined;
}

function faultOf(variable: string, problem: string): ConfigFault {
  return { variable, problem, example: EXAMPLES.get(variable) ?? '' };
}

/** What must not be handed on: each holds a secret, or may. */
const SECRETS = [
  'TELEGRAM_BOT_TOKEN',
  'SERVICE_API_KEY',
  'SERVICE_SECRET_KEY',
  'SERVICE_X_SECRET',
  'WEBHOOK_SECRET',
  'DATABASE_URL',
];

/** Takes the secrets out of an environment that was read, so that neither child processes nor diagnostic reports get them. */
export function dropSecrets(env: Record<string, string | undefined>): void {
  for (const name of SECRETS) delete env[name];
}

/** Reads `DATABASE_URL` alone, for what needs no more of the settings. */
export function readDatabaseConfig(env: Environment): { ok: true; config: DatabaseConfig } | NotOk {
  const parsed = variables.shape.DATABASE_URL.safeParse(trimmed(env, 'DATABASE_URL'));
  if (parsed.success) return { ok: true, config: parsed.data };
  return { ok: false, faults: parsed.error.issues.map(({ message }) => faultOf('DATABASE_URL', message)) };
}

/** Whether nothing is set of what has to be: the bot was never configured here. */
export function isUnconfigured(env: Environment): boolean {
  const nothing = readConfig({});
  return !nothing.ok && nothing.faults.every(({ variable }) => trimmed(env, variable) === undefined);
}

/** One line for a person: the variable, what is wrong with it, and what a good value looks like. */
export function describeFault(fault: ConfigFault): string {
  return `${fault.variable} ${fault.problem} (for example: ${fault.variable}=${fault.example})`;
}

const botToken = text().regex(/^\d+:[\w-]+$/, 'does not look like a token from BotFather');

const address = text()
  .refine(
    (value) => ['http:', 'https:'].includes(parseUrl(value)?.protocol ?? ''),
    'is not an http(s) address',
  )
  .transform((value) => value.replace(/\/+$/, ''));

/** Telegram delivers to https alone; plain http is for a Bot API server on the same machine. */
const webhookAddress = text().refine((value) => {
  const url = parseUrl(value);
  return (
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname))
  );
}, 'is not a public https address');

/** Bot API, setWebhook: secret_token has 1–256 characters of this set. */
const secretToken = text().regex(/^[\w-]{1,256}$/, 'must be 1 to 256 letters, digits, _ or -');

const headerValue = text().regex(/^[\x21-\x7e]+$/, 'has characters that no HTTP header can carry');

const database = text().transform((value, context): DatabaseConfig => {
  const path = /^sqlite:(.+)$/s.exec(value)?.[1];
  if (path !== undefined) return { engine: 'sqlite', path };
  if (['postgres:', 'postgresql:'].includes(parseUrl(value)?.protocol ?? ''))
    return { engine: 'postgres', url: value };
  context.addIssue('is neither sqlite:PATH nor postgres://…');
  return z.NEVER;
});

const idList = text()
  .transform((value) =>
    value
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  )
  .refine(
    (ids) => ids.every((id) => /^[1-9]\d{0,15}$/.test(id)),
    'is not a comma-separated list of Telegram user ids',
  )
  .transform((ids) => ids.map(Number));

const amount = text()
  .regex(/^\d{1,9}(\.\d{1,4})?$/, 'is not an amount of yuan')
  .transform(Number);

function whole(min: number, max = 1_000_000_000) {
  const problem = `is not a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem);
}

function parseUrl(value: string): URL | undefined {
  return URL.parse(value) ?? undefined;
}

/** A required text; every other kind of value begins with one. */
function text() {
  return z.string('is missing');
}

const variables = z.object({
  TELEGRAM_BOT_TOKEN: botToken,
  TELEGRAM_API_ROOT: address.default('https://api.telegram.org'),
  SERVICE_AUTH_URL: address,
  SERVICE_BASE_URL: address,
  SERVICE_API_KEY: text(),
  SERVICE_SECRET_KEY: text(),
  SERVICE_X_SECRET: headerValue,
  SERVICE_TIMEOUT_MS: whole(1, MAX_TIMER_MS).default(60_000),
  SERVICE_CONCURRENCY: whole(1, 1000).default(16),
  DATABASE_URL: database.default({ engine: 'sqlite', path: 'data/lotsawa.db' }),
  WORKERS: whole(1, 10_000).default(32),
  WEBHOOK_URL: webhookAddress.optional(),
  WEBHOOK_SECRET: secretToken.optional(),
  HOST: text().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(8080),
  ADMIN_IDS: idList.default([]),
  DAILY_CALLS_PER_USER: whole(0).default(100),
  DAILY_CALLS_PER_GROUP: whole(0).default(300),
  DAILY_BUDGET_YUAN: amount.default(0),
  RESULTS_TTL_DAYS: whole(1, 36_500).default(90),
  LOG_LEVEL: z.enum(LOG_LEVELS, `is none of ${LOG_LEVELS.join(', ')}`).default('info'),
});

const VARIABLES = Object.keys(variables.shape);

const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['TELEGRAM_BOT_TOKEN', '123456789:AAExampleExampleExampleExampleExample'],
  ['TELEGRAM_API_ROOT', 'https://api.telegram.org'],
  ['SERVICE_AUTH_URL', 'https://auth.example.com'],
  ['SERVICE_BASE_URL', 'https://api.example.com'],
  ['SERVICE_API_KEY', 'the-api-key-of-your-application'],
  ['SERVICE_SECRET_KEY', 'the-secret-key-of-your-application'],
  ['SERVICE_X_SECRET', 'the-secret-for-translation-and-speech'],
  ['SERVICE_TIMEOUT_MS', '60000'],
  ['SERVICE_CONCURRENCY', '16'],
  ['DATABASE_URL', 'sqlite:data/lotsawa.db'],
  ['WORKERS', '32'],
  ['WEBHOOK_URL', 'https://bot.example.org/telegram'],
  ['WEBHOOK_SECRET', 'a-long-random-word_123'],
  ['HOST', '127.0.0.1'],
  ['PORT', '8080'],
  ['ADMIN_IDS', '123456789,987654321'],
  ['DAILY_CALLS_PER_USER', '100'],
  ['DAILY_CALLS_PER_GROUP', '300'],
  ['DAILY_BUDGET_YUAN', '50'],
  ['RESULTS_TTL_DAYS', '90'],
  ['LOG_LEVEL', 'info'],
]);

function arrange(values: z.infer<typeof variables>): Config {
  return {
    telegram: { token: values.TELEGRAM_BOT_TOKEN, apiRoot: values.TELEGRAM_API_ROOT },
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
    limits: {
      callsPerUser: values.DAILY_CALLS_PER_USER,
      callsPerGroup: values.DAILY_CALLS_PER_GROUP,
      budgetYuan: values.DAILY_BUDGET_YUAN,
    },
    resultsTtlDays: values.RESULTS_TTL_DAYS,
    logLevel: values.LOG_LEVEL,
  };
}
