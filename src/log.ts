/** The log: pino, and the one way in which an error may be written to it (no text of a person, no token, no secret: spec §6). */
import { type DestinationStream, type Logger, pino } from 'pino';
import { Failure } from './errors.ts';

export type Log = Logger;

/** A log of JSON lines at `level` and above, to standard output or to `destination`. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino({ level, base: undefined, serializers: { error: describeError } }, destination);
}

export interface ErrorDescription {
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

/** How deep causes are followed: enough for a network error below a failure, and an end for rings. */
const CAUSE_DEPTH = 3;

/**
 * What the log may say of an error. Messages are kept only of our own `Failure`s, of Telegram's answers (their descriptions)
 * and of errors with a stack of ours; payloads, URLs and tokens never (Telegraf's errors carry the payload, its links the token).
 */
export function describeError(error: unknown, depth = CAUSE_DEPTH): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error };
  const description: ErrorDescription = { name: error.name, message: redact(error.message) };
  if (error instanceof Failure) {
    description.kind = error.kind;
    if (error.code !== undefined) description.code = error.code;
    if (error.traceId !== undefined) description.traceId = error.traceId;
    // The service's words for a code that it does not document; they repeat nothing that was sent.
    const text = property(error, 'text');
    if (typeof text === 'string') description.text = text;
  } else {
    const code = property(error, 'code');
    if (typeof code === 'string' || typeof code === 'number') description.code = code;
    const method = property(property(error, 'on'), 'method');
    if (typeof method === 'string') description.method = method;
    else if (error.stack !== undefined) description.stack = redact(error.stack);
  }
  if (error.cause !== undefined && depth > 0) description.cause = describeError(error.cause, depth - 1);
  return description;
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** Takes out whatever stands where Telegram and the service put credentials, and every address with its query. */
function redact(text: string): string {
  return text
    .replace(/\bbot\d+:[\w-]+/g, 'bot[token]')
    .replace(/\b(?:https?|postgres(?:ql)?):\/\/\S+/g, '[address]');
}
