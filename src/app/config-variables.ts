/** The environment variables of spec §1: the form of each value, its default, an example, and whether it is a secret. */
import { z } from 'zod';
import type { DatabaseConfig } from '../store/engine.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The longest delay of a Node timer (2³¹ − 1 ms). */
const MAX_TIMER_MS = 2_147_483_647;

const botToken = text().regex(/^\d+:[\w-]+$/, 'does not look like a token from BotFather');

/** Paths are appended to it, and a user name in it would not be sent. */
const address = text()
  .refine(
    (value) => /^https?:/i.test(URL.parse(value)?.href ?? '') && !/[?#@]/.test(value),
    'is not the http(s) address of a server alone, without user, password, ? or #',
  )
  .transform((value) => value.replace(/\/+$/, ''));

const folder = text().regex(/^\/[^\0]*$/, 'is not the absolute path of a folder');

/** Most addresses that cannot be parsed have such a character in the password. */
const ENCODED = 'with every character but letters and digits percent-encoded in user and password (# is %23)';

const proxy = text().transform((value, context): URL => {
  const url = URL.parse(value);
  if (url !== null && isProxy(url)) return url;
  context.addIssue(`is not http://, https:// or socks5://HOST:PORT, or USER:PASSWORD@HOST:PORT ${ENCODED}`);
  return z.NEVER;
});

function isProxy({ protocol, hostname, pathname, href, username, password }: URL): boolean {
  if (!/^(?:https?|socks5):$/.test(protocol) || hostname === '') return false;
  if (!['', '/'].includes(pathname) || /[?#]/.test(href)) return false;
  // RFC 1929 needs both or neither.
  if (protocol === 'socks5:' && (username === '') !== (password === '')) return false;
  return isDecodable(username) && isDecodable(password);
}

function isDecodable(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}

/** Telegram delivers only to https; plain http is for a Bot API server on the same machine. */
const webhookAddress = text().refine((value) => {
  const url = URL.parse(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isOnThisMachine(url));
}, 'is not a public https address');

/** Bot API, setWebhook: `secret_token` has 1–256 of these characters. */
export const secretToken = text().regex(/^[\w-]{1,256}$/, 'must be 1 to 256 letters, digits, _ or -');

const headerValue = text().regex(/^[\x21-\x7e]+$/, 'has characters that an HTTP header cannot carry');

const database = text().transform((value, context): DatabaseConfig => {
  // An in-memory database would end with the process.
  const path = /^sqlite:(?!:memory:$)(.+)$/s.exec(value)?.[1];
  if (path !== undefined) return { engine: 'sqlite', path };
  if (['postgres:', 'postgresql:'].includes(URL.parse(value)?.protocol ?? ''))
    return { engine: 'postgres', url: value };
  context.addIssue(`is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE ${ENCODED}`);
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

const NO_ADMINS = 'is missing: ACCESS=members needs an admin who lets people in';

export const someAdmins = idList.default([]).refine((ids) => ids.length > 0, NO_ADMINS);

const amount = text()
  .regex(/^\d{1,9}(\.\d{1,4})?$/, 'is not an amount of yuan')
  .transform(Number);

/** Who may use the bot (spec §8). */
const ACCESS_MODES = ['open', 'members'] as const;

const orNoLimit = (max: number): number => (max === 0 ? Number.POSITIVE_INFINITY : max);

function whole(min: number, max = 1_000_000_000) {
  const problem = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem);
}

function variable<Form extends z.ZodType>(form: Form, example: string) {
  return form.meta({ example });
}

/** A required text; every other kind of value builds on it. */
function text() {
  return z.string('is missing');
}

/** All variables: form, default, and example. The text of a problem follows the variable's name (`describeFault`). */
export const variables = z.object({
  TELEGRAM_BOT_TOKEN: variable(botToken, '123456789:AAExampleExampleExampleExampleExample'),
  TELEGRAM_API_ROOT: variable(address.default('https://api.telegram.org'), 'https://api.telegram.org'),
  TELEGRAM_FILES_DIR: variable(folder.optional(), '/var/lib/telegram-bot-api'),
  TELEGRAM_PROXY: variable(proxy.optional(), 'socks5://name:password@proxy.example.org:1080'),
  SERVICE_AUTH_URL: variable(address, 'https://auth.example.com'),
  SERVICE_BASE_URL: variable(address, 'https://api.example.com'),
  SERVICE_API_KEY: variable(text(), 'the-api-key-of-your-application'),
  SERVICE_SECRET_KEY: variable(text(), 'the-secret-key-of-your-application'),
  SERVICE_X_SECRET: variable(headerValue, 'the-secret-for-translation-and-speech'),
  SERVICE_TIMEOUT_MS: variable(whole(1, MAX_TIMER_MS).default(60_000), '60000'),
  SERVICE_CONCURRENCY: variable(whole(1, 1000).default(16), '16'),
  DATABASE_URL: variable(
    database.default({ engine: 'sqlite', path: 'data/lotsawa.db' }),
    'sqlite:data/lotsawa.db',
  ),
  WORKERS: variable(whole(1, 10_000).default(32), '32'),
  WEBHOOK_URL: variable(webhookAddress.optional(), 'https://bot.example.org/telegram'),
  WEBHOOK_SECRET: variable(secretToken.optional(), 'a-long-random-word_123'),
  HOST: variable(text().default('127.0.0.1'), '127.0.0.1'),
  PORT: variable(whole(0, 65_535).default(8080), '8080'),
  ADMIN_IDS: variable(idList.default([]), '123456789,987654321'),
  ACCESS: variable(
    z.enum(ACCESS_MODES, `must be one of ${ACCESS_MODES.join(', ')}`).default('open'),
    'members',
  ),
  DAILY_CALLS_PER_USER: variable(whole(0).transform(orNoLimit).default(100), '100'),
  DAILY_CALLS_PER_GROUP: variable(whole(0).transform(orNoLimit).default(300), '300'),
  DAILY_BUDGET_YUAN: variable(amount.transform(orNoLimit).default(100), '50'),
  RESULTS_TTL_DAYS: variable(whole(1, 36_500).default(90), '90'),
  LOG_LEVEL: variable(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'), 'info'),
});

/** Returns a good value of a variable, or an empty text for an unknown name. */
export function exampleOf(name: string): string {
  const form = Object.entries(variables.shape).find(([known]) => known === name)?.[1];
  return String(form?.meta()?.example ?? '');
}

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

const HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Returns whether an address is on this machine. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return HOSTS.has(hostname);
}
