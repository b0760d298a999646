/** The log: pino; an error is written to it in one way alone (describe-error.ts). */
import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';

export type Log = Logger;

/** A log of JSON lines at `level` and above, to standard output or to `destination`. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino({ level, base: undefined, serializers: { error: describeError } }, destination);
}

/** A terminal as the log's destination: lines for a person's eyes. Written at once, so that a line before a crash is seen. */
export async function openTerminal(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    sync: true,
    colorize: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'event',
  });
}
