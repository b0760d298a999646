/** The settings of one process, read from its environment and `.env` (spec §1); reports all faults at once. */
import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { codeOf } from '../errors.ts';
import type { DatabaseConfig } from '../store/engine.ts';
import {
  exampleOf,
  isOnThisMachine,
  SECRETS,
  secretToken,
  someAdmins,
  variables,
} from './config-variables.ts';

export type Config = ReturnType<typeof arrange>;

/** Exit codes: `config` is EX_CONFIG of sysexits.h, after which a supervisor should not restart the bot. */
export const EXIT_CODES = { failure: 1, config: 78 } as const;

/** A mistake in the environment. It never repeats the value, which may be a secret. */
interface ConfigFault {
  variable: string;
  problem: string;
  /** A complete valid setting. */
  example: string;
}

interface NotOk {
  ok: false;
  faults: ConfigFault[];
}

export type ConfigResult = { ok: true; config: Config } | NotOk;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks every variable of spec §1; a blank value counts as unset, white space around a value is dropped. A secret may come from
 * the file that `NAME_FILE` names.
 */
export function readConfig(env: Environment): ConfigResult {
  const given = readRawSettings(env, Object.keys(variables.shape));
  const asked =
    given.values.WEBHOOK_URL === undefined ? variables : variables.extend({ WEBHOOK_SECRET: secretToken });
  const schema = given.values.ACCESS === 'members' ? asked.extend({ ADMIN_IDS: someAdmins }) : asked;
  const checked = check(schema, given, env);
  return checked.ok ? { ok: true, config: arrange(checked.data) } : checked;
}

/** Reads only `DATABASE_URL`, for commands that need no other settings. */
export function readDatabaseConfig(env: Environment): { ok: true; config: DatabaseConfig } | NotOk {
  const checked = check(variables.pick({ DATABASE_URL: true }), readRawSettings(env, ['DATABASE_URL']), env);
  return checked.ok ? { ok: true, config: checked.data.DATABASE_URL } : checked;
}

/** Unchecked values of variables, and faults of the files of some. */
interface RawSettings {
  readonly values: Record<string, string | undefined>;
  readonly faults: ConfigFault[];
}

function readRawSettings(env: Environment, names: readonly string[]): RawSettings {
  const given: RawSettings = { values: {}, faults: [] };
  for (const name of names) {
    const own = trimmed(env, name);
    const path = fileOf(env, name);
    const read = path === undefined ? { text: own } : readSecretFile(path);
    if (path !== undefined && own !== undefined) {
      given.faults.push(fileFault(name, `and ${name} are both set: keep one of them`));
    } else if ('text' in read) given.values[name] = read.text;
    else given.faults.push(fileFault(name, read.problem));
  }
  return given;
}

/** Checks the values. A variable whose file is faulty is not also reported as missing. */
function check<T>(schema: z.ZodType<T>, { values, faults }: RawSettings, env: Environment) {
  const parsed = schema.safeParse(values);
  if (parsed.success && faults.length === 0) return { ok: true as const, data: parsed.data };
  const others = (parsed.error?.issues ?? []).flatMap(({ path, message }): ConfigFault[] => {
    const name = String(path[0]);
    const example = exampleOf(name);
    const file = fileVariable(name);
    if (faults.some(({ variable }) => variable === file)) return [];
    if (fileOf(env, name) === undefined)
      return [{ variable: name, problem: message, example: `${name}=${example}` }];
    return [{ variable: file, problem: `names a file whose content ${message}`, example }];
  });
  return { ok: false as const, faults: [...faults, ...others] };
}

function fileFault(name: string, problem: string): ConfigFault {
  const variable = fileVariable(name);
  return { variable, problem, example: `${variable}=/run/secrets/${name.toLowerCase()}` };
}

/** Returns the path in `NAME_FILE`; only secrets have one. */
function fileOf(env: Environment, name: string): string | undefined {
  return SECRETS.some((secret) => secret === name) ? trimmed(env, fileVariable(name)) : undefined;
}

function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/** Reads a secret from a file, without white space around it, or returns what is wrong with the file. */
function readSecretFile(path: string): { text: string } | { problem: string } {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: 'names an empty file' } : { text };
  } catch (error) {
    return { problem: `names a file that cannot be read (${codeOf(error)})` };
  }
}

function trimmed(env: Environment, variable: string): string | undefined {
  return env[variable]?.trim() || undefined;
}

/** Removes secrets and the paths of their files from an environment, for child processes and reports. */
export function dropSecrets(env: Record<string, string | undefined>): void {
  for (const name of SECRETS) {
    delete env[name];
    delete env[fileVariable(name)];
  }
}

/** Returns whether no required variable is set: the bot was never configured here. */
export function isUnconfigured(env: Environment): boolean {
  const nothing = readConfig({});
  return (
    !nothing.ok &&
    nothing.faults.every(({ variable }) => (trimmed(env, variable) ?? fileOf(env, variable)) === undefined)
  );
}

/** Describes a fault in one line: the variable, what is wrong, and an example of a good value. */
export function describeFault(fault: ConfigFault): string {
  return `${fault.variable} ${fault.problem} (for example: ${fault.example})`;
}

/** Returns whether Telegram and the service are both on this machine. A self-hosted Bot API server may be, but the paid service is not. */
export function isSandbox({ telegram, service }: Config): boolean {
  return [telegram.apiRoot, service.authUrl, service.baseUrl].every((address) =>
    isOnThisMachine(new URL(address)),
  );
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

/** `.env` exists and cannot be read: the bot must not run on other settings than those meant. */
export class EnvFileUnreadable extends Error {}

/** Reads the environment, completed by `.env` of the working directory. Throws `EnvFileUnreadable` with a message for the operator. */
export function readEnvironment(): NodeJS.ProcessEnv {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
  } catch (cause) {
    const code = codeOf(cause) ?? 'unknown error';
    throw new EnvFileUnreadable(`.env must be a regular file that this user can read (${code})`, { cause });
  }
  return process.env;
}
