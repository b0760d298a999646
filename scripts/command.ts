/** Shared by the commands: the database's settings, and how a command fails. */
import { EXIT_CODES, loadEnvFile, readDatabaseConfig } from '../src/app/config.ts';
import { codeOf } from '../src/errors.ts';
import type { DatabaseConfig } from '../src/store/engine.ts';

/** Reads the environment and `.env`; on failure, ends the process with the reason. */
export function environment(): NodeJS.ProcessEnv {
  const fault = loadEnvFile();
  if (fault !== undefined) refuse([fault]);
  return process.env;
}

/** Reads `DATABASE_URL`; if it is wrong, ends the process with the reason. */
export function databaseConfig(): DatabaseConfig {
  const settings = readDatabaseConfig(environment());
  return settings.ok ? settings.config : refuse(settings.faults);
}

function refuse(faults: readonly string[]): never {
  fail(...faults);
  process.exit(EXIT_CODES.config);
}

/** Prints the reason on standard error, line by line; the process ends with exit code 1 once nothing is left to do. */
export function fail(...lines: string[]): void {
  for (const line of lines) console.error(line);
  process.exitCode = EXIT_CODES.failure;
}

/** Error codes of the system and of SQLite; Node's own, for wrong calls, begin with ERR_. */
const OF_FILES = /^(?:E[A-Z]+|SQLITE_\w+)$/;

/** Fails if a file cannot be read or written; rethrows everything else. `outcome`: what was not done. */
export function failOnFiles(outcome: string, error: unknown): void {
  if (!(error instanceof Error) || !OF_FILES.test(codeOf(error) ?? '')) throw error;
  const user = process.getuid?.();
  const who = user === undefined ? 'this user' : `this user (id ${user})`;
  fail(
    `${outcome}: ${error.message}. Check that ${who} may read and write there, and that the disk is not full.`,
  );
}
