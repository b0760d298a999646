/** The log (pino): no person's text, token or secret; a stuck, full or closed standard output never blocks the bot. */
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import sonicBoom from 'sonic-boom';
import { codeOf, Failure } from './errors.ts';

export type Log = Logger;

/** Writes JSON lines to standard output or `destination`, with levels in words and times in ISO 8601. */
export function createLog(level: string, destination: DestinationStream = openOutput()): Log {
  const options: LoggerOptions = {
    level,
    base: undefined,
    formatters: { level: (label) => ({ level: label }) },
    timestamp: stdTimeFunctions.isoTime,
    serializers: { error: describeError },
  };
  return pino(options, destination);
}

/** A terminal as the log's destination, with lines for people. */
export async function openTerminal(): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    colorize: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'event',
  });
  // A terminal may be closed before the bot has stopped.
  process.stdout.on('error', () => {});
  return { write: (line) => void process.stdout.write(format(line)) };
}

interface ErrorDescription {
  readonly name: string;
  readonly message?: string;
  readonly stack?: string;
  readonly cause?: ErrorDescription | undefined;
  readonly [detail: string]: unknown;
}

/** Depth to which causes are followed: enough for a network error below a failure, and a bound for cycles. */
const CAUSE_DEPTH = 3;

/** Removes people's text, addresses and credentials from messages. Leaves out the payload of a call, which Telegraf's errors carry. */
export function describeError(error: unknown, depth = CAUSE_DEPTH): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack = '' } = error;
  const cause = error.cause === undefined || depth === 0 ? undefined : describeError(error.cause, depth - 1);
  const description = { name, message: redact(message), code: property(error, 'code'), cause };
  if (error instanceof Failure) {
    const { kind, traceId } = error;
    // The service's words for an undocumented code; they repeat nothing that was sent.
    return { ...description, kind, traceId, text: property(error, 'text') };
  }
  const method = property(property(error, 'on'), 'method');
  if (method !== undefined) return { ...description, method };
  return { ...description, stack: framesOf(stack, message) };
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** Returns the frames of a stack without its head, which repeats the message; quotations in it may span lines. */
function framesOf(stack: string, message: string): string {
  const head = stack.indexOf(message);
  const lines = stack.slice(head === -1 ? 0 : head + message.length).split('\n');
  return lines
    .filter((line) => /^\s+at /.test(line))
    .map(redact)
    .join('\n');
}

/** Removes credentials, addresses, quotations (parsers quote what they cannot read), and non-ASCII: programs' messages have none. */
function redact(text: string): string {
  return (
    withoutQuoted(text)
      .replace(/\b(?:https?|postgres(?:ql)?):\/\/\S+/g, '[address]')
      .replace(/\bbot\d+(?::|%3A)[\w-]+/gi, 'bot[token]')
      .replace(/\b\d{6,}(?::|%3A)[\w-]{8,}/gi, '[token]')
      // The character at which JSON breaks off.
      .replace(/'.'/gsu, "'…'")
      .replace(/[^\n\t\x20-\x7e…]+/g, '…')
  );
}

/** A text without what stands between its first and last quotation mark; a pattern would be slow on a text of nothing else. */
function withoutQuoted(text: string): string {
  const first = text.search(/["“`]/);
  const last = Math.max(...['"', '”', '`'].map((mark) => text.lastIndexOf(mark)));
  return first === -1 || last <= first ? text : `${text.slice(0, first)}"…"${text.slice(last + 1)}`;
}

/** Maximum of unwritten lines, in bytes: hours of an idle bot. */
const MAX_WAITING_BYTES = 512 * 1024;
/** Time between two tries to write to a full or closed pipe or a full disk, in ms. */
const RETRY_EVERY_MS = 500;
/** How long the exiting process waits for a slow reader, in ms. */
const LAST_WORDS_MS = 500;

/**
 * Lines that cannot be written wait, within a bound, and are tried again whatever the reason: a pipe may get a reader again, and a disk
 * room. Lines beyond the bound are dropped, and their number is logged once all others are written. Unlike pino's own destination, this
 * does not keep the process running.
 */
function openOutput(): DestinationStream {
  let dropped = 0;
  let failure: string | undefined;
  let waitsUntil = 0;
  // Opened here, a full pipe reports it at once instead of blocking the writer.
  const { fd } = process.stdout;
  const output = new sonicBoom.SonicBoom({
    fd,
    maxLength: MAX_WAITING_BYTES,
    retryEAGAIN: () => performance.now() < waitsUntil,
    // With a minimum, lines that wait are tried again at this interval.
    minLength: 1,
    periodicFlush: RETRY_EVERY_MS,
  });
  output.on('drop', () => {
    dropped += 1;
  });
  output.on('drain', () => {
    failure = undefined;
    if (dropped === 0) return;
    const time = new Date().toISOString();
    const told = { level: 'warn', time, dropped, msg: 'log lines were dropped: the output did not keep up' };
    dropped = 0;
    output.write(`${JSON.stringify(told)}\n`);
  });
  output.on('error', (error: unknown) => {
    failure = codeOf(error);
  });
  process.on('exit', () => {
    // SonicBoom would retry for ever, except for a slow reader.
    if (failure !== undefined && failure !== 'EAGAIN') return;
    waitsUntil = performance.now() + LAST_WORDS_MS;
    try {
      output.flushSync();
    } catch {
      // The reader was too slow.
    }
  });
  return output;
}
