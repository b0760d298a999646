/** What is said when an error that nobody caught ends the process: Node would print all that the error holds, texts and secrets too. */
import type { Log } from '../log.ts';

/** From now on an uncaught error, or a rejection that nobody handles, is logged as any other and ends the process with 1. */
export function endsWithoutSecrets(log: Log): void {
  // What an operator may have Node write about the process (--report-on-signal) goes without its environment.
  if (process.report !== undefined) process.report.excludeEnv = true;
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ error, origin }, 'an unforeseen error ends the process');
    process.exit(1);
  });
}
