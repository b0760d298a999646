/** The log: pino; an error is written to it in one way alone (describe-error.ts). */
import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';
import { openLogOutput } from './log-output.ts';

export type Log = Logger;

/** A log of JSON lines at `level` and above, to standard output or to `destination`. */
export function createLog(level: string, destination: DestinationStream = openLogOutput()): Log {
  return pino({ level, base: undefined, serializers: { error: describeError } }, destination);
}

/** A terminal as the log's destination: lines for a person's eyes. */
export async function openTerminal(): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    colorize: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'event',
  });
  return openLogOutput(format);
}
