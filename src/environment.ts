/** What a process of ours is told from outside. */
import { existsSync } from 'node:fs';
import { codeOf } from './error-code.ts';

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
