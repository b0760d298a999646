/** What a process of ours is told from outside. */
import { existsSync } from 'node:fs';

/** The environment, with the file `.env` of the working folder for whatever is not set in it. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
