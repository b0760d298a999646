/**
 * The log (pino). Errors are written without a person's text, a token or a secret (spec §6), and a standard output that is stuck, full or
 * gone never holds the bot up.
 */
import { write, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { Failure } from './errors.ts';

export type Log = Logger;

/** Creates a log of JSON lines at `level` and above, to standard output or to `destination`. */
export function createLog(level: string, destination: DestinationStream = openLogOutput()): Log {
  return pino({ level, base: undefined, serializers: { error: describeError } }, destination);
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
  return openLogOutput(format);
}

interface ErrorDescription {
  name: string;
  message?: string;
  kind?: string;
  code?: string | number;
  traceId?: string;
  text?: string;
  method?: string;
  stack?: string;
  cause?: ErrorDescription;
}

/** How deep causes are followed: enough for a network error below a failure, and a bound for rings. */
const CAUSE_DEPTH = 3;

/**
 * Describes an error for the log: its message without anything that may be a person's text, an address or a credential. Never the payload
 * of a call, which Telegraf's errors carry, nor a message that repeats a word of it.
 */
export function describeError(error: unknown, depth = CAUSE_DEPTH): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error };
  const payload = property(property(error, 'on'), 'payload');
  const message = repeatsPayload(error.message, payload) ? WITHHELD : redact(error.message);
  const description: ErrorDescription = { name: error.name, message };
  if (error instanceof Failure) {
    description.kind = error.kind;
    if (error.code !== undefined) description.code = error.code;
    if (error.traceId !== undefined) description.traceId = error.traceId;
    // The service's words for an undocumented code; they repeat nothing that was sent.
    const text = property(error, 'text');
    if (typeof text === 'string') description.text = text;
  } else {
    const code = property(error, 'code');
    if (typeof code === 'string' || typeof code === 'number') description.code = code;
    const method = property(property(error, 'on'), 'method');
    if (typeof method === 'string') description.method = method;
    else if (error.stack !== undefined) description.stack = framesOf(error.stack, error.message);
  }
  if (error.cause !== undefined && depth > 0) description.cause = describeError(error.cause, depth - 1);
  return description;
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** The places in a stack, without its head: that repeats the message, whose quotations may span lines. */
function framesOf(stack: string, message: string): string {
  const head = stack.indexOf(message);
  const lines = stack.slice(head === -1 ? 0 : head + message.length).split('\n');
  return lines
    .filter((line) => /^\s+at /.test(line))
    .map(redact)
    .join('\n');
}

/** Replaces words that repeat what was sent. */
const WITHHELD = '(withheld: repeats the request)';
/** Telegram's own words, which a text may contain by chance. */
const TELEGRAMS_WORDS = new Set(
  `after bad been blocked bot button cannot chat closed deleted edit edited empty enough entities error failed file forbidden
  found from group have identifier initiate kicked later long many message modified must not parse replied reply request requests
  retry rights send server specified supergroup text thread too topic type unexpected upgraded user wrong`.split(
    /\s+/,
  ),
);

/** Whether a refusal repeats a word of the payload, as "can't parse entities" may. */
function repeatsPayload(message: string, payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null) return false;
  const sent = Object.values(payload).filter((value) => typeof value === 'string');
  const words = message.match(/[\p{L}\p{M}\p{N}_]{3,}/gu) ?? [];
  const telling = words.filter((word) => !TELEGRAMS_WORDS.has(word.toLowerCase()));
  return telling.some((word) => sent.some((text) => text.includes(word)));
}

/**
 * Removes credentials in the forms of Telegram and the service, every address with its query, quotations (a parser quotes what it cannot
 * read), and all but ASCII, in which every program's own messages are.
 */
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

/** How much waits for a reader, in characters: hours of an idle bot, and little memory. */
const MOST_WAITING = 512 * 1024;
/** How long a full or closed pipe, or a full disk, is left alone, in ms. */
const AGAIN_AFTER_MS = 100;
/** How long the end of the process waits for a slow reader, in ms. */
const LAST_WORDS_MS = 500;
const LOOK_AGAIN_MS = 10;
/** pino's number for `warn`. */
const WARN = 40;

/**
 * Standard output as the log's destination. Lines that cannot be written wait, within a bound, and are tried again whatever the reason: a
 * pipe may get a reader again, and a disk room. Lines beyond the bound are lost, and the log says so in their place. None of this keeps the
 * process running. pino's own destination retries for ever, keeps lines without a bound, and lets an error end the process.
 *
 * `format` turns a line into its written form.
 */
function openLogOutput(format: (line: string) => string = (line) => line): DestinationStream {
  // Once opened here, a full pipe says so at once instead of blocking the writer.
  const { fd } = process.stdout;
  let waiting: string[] = [];
  let length = 0;
  let lost = 0;
  /** The rest of what is being written; nothing else is written meanwhile. */
  let begun: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let isResting = false;

  const keep = (line: string): void => {
    waiting.push(line);
    length += line.length;
  };

  /** Gives what to write next: the rest of what was begun, otherwise all that waits. */
  const takeNext = (): Buffer => {
    if (begun.length > 0 || waiting.length === 0) return begun;
    begun = Buffer.from(waiting.join(''));
    waiting = [];
    length = 0;
    if (lost > 0) keep(format(gap(lost)));
    lost = 0;
    return begun;
  };

  const goOn = (): void => {
    if (isWriting || isResting) return;
    const next = takeNext();
    if (next.length === 0) return;
    isWriting = true;
    write(fd, next, (error, written) => {
      isWriting = false;
      if (error === null) begun = next.subarray(written);
      else rest();
      goOn();
    });
  };

  const rest = (): void => {
    isResting = true;
    const again = (): void => {
      isResting = false;
      goOn();
    };
    setTimeout(again, AGAIN_AFTER_MS).unref();
  };

  const sayLastWords = (): void => {
    const until = performance.now() + LAST_WORDS_MS;
    // One of Node's threads finishes the present write, even while the process ends.
    if (isWriting) begun = Buffer.alloc(0);
    for (let next = takeNext(); next.length > 0; next = takeNext()) {
      try {
        begun = next.subarray(writeSync(fd, next));
      } catch {
        if (performance.now() > until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
      }
    }
  };
  process.on('exit', sayLastWords);

  return {
    write: (line) => {
      const text = format(line);
      if (length + text.length > MOST_WAITING) lost += 1;
      else keep(text);
      goOn();
    },
  };
}

function gap(lines: number): string {
  const msg = 'lines of the log are missing here: nobody took them';
  return `${JSON.stringify({ level: WARN, time: Date.now(), lines, msg })}\n`;
}
