/** Ends a command that could not do its work. */
import { codeOf } from '../src/errors.ts';

/** Says why, line by line, on standard error; the process ends with exit code 1 once nothing is left to do. */
export function fail(...lines: string[]): void {
  for (const line of lines) console.error(line);
  process.exitCode = 1;
}

/** Error codes of the system and of SQLite; Node's own, for wrong calls, begin with ERR_. */
const OF_FILES = /^(?:E[A-Z]+|SQLITE_\w+)$/;

/** Ends as `fail` does if a file cannot be read or written; throws everything else. `outcome`: what was not done. */
export function failOnFiles(outcome: string, error: unknown): void {
  if (!(error instanceof Error) || !OF_FILES.test(codeOf(error) ?? '')) throw error;
  const user = process.getuid?.();
  const who = user === undefined ? 'the user that runs this' : `the user that runs this (id ${user})`;
  fail(
    `${outcome}: ${error.message}. See that ${who} may read and write that, and that the disk is not full.`,
  );
}
