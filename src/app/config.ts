/** The settings of one process: what its environment and `.env` say, and what they make (spec §1); every fault is reported at once. */
import { existsSync } from 'node:fs';
import type { z } from 'zod';
import { codeOf } from '../errors.ts';
import type { DatabaseConfig } from '../store/engine.ts';
import type { Limits } from '../store/money/scopes.ts';
import { EXAMPLES, type LOG_LEVELS, SECRETS, secretToken, variables } from './config-variables.ts';

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
  limits: Limits;
  resultsTtlDays: number;
  logLevel: (typeof LOG_LEVELS)[number];
}

/** One mistake in the environment. It never repeats the value: the value may be a secret. */
interface ConfigFault {
  variable: string;
  problem: string;
  example: string;
}

interface NotOk {
  ok: false;
  faults: ConfigFault[];
}

export type ConfigResult = { ok: true; config: Config } | NotOk;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks every variable of spec §1; blank counts as unset, outer white space is dropped. */
export function readConfig(env: Environment): ConfigResult {
  const values = Object.fromEntries(Object.keys(variables.shape).map((name) => [name, trimmed(env, name)]));
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
  return { variable, problem, example: EXAMPLES[variable] ?? '' };
}

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

/**
 * The environment, with the file `.env` of the working folder for whatever is not set in it. A file that cannot be read ends the process
 * with exit code 1 and a line about why: without it the bot might run on settings that nobody meant.
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) load();
  return process.env;
}

function load(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    const code = codeOf(error);
    const why = code === undefined ? '' : ` (${code})`;
    process.stderr.write(
      `.env cannot be read${why}: it is to be a file (no folder, as Docker makes of one that is missing) that the user who runs this may read\n`,
    );
    process.exit(1);
  }
}
