/** What of an error may be written down: no text of a person, no token, no secret (spec §6). */
import { Failure } from './errors.ts';

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

/** How deep causes are followed: enough for a network error below a failure, and an end for rings. */
const CAUSE_DEPTH = 3;

/**
 * What the log may say of an error: its message without whatever may be a person's text, an address or a credential. Never the payload
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

/** Stands for words that repeat what was sent. */
const WITHHELD = '(withheld: repeats the request)';
/** Words of Telegram's own, which a text may hold by chance. */
const TELEGRAMS_WORDS = new Set(
  `after bad been blocked bot button cannot chat closed deleted edit edited empty enough entities error failed file forbidden
  found from group have identifier initiate kicked later long many message modified must not parse replied reply request requests
  retry rights send server specified supergroup text thread too topic type unexpected upgraded user wrong`.split(
    /\s+/,
  ),
);

/** Whether a refusal repeats a word of what was sent, as "can't parse entities" may. */
function repeatsPayload(message: string, payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null) return false;
  const sent = Object.values(payload).filter((value) => typeof value === 'string');
  const words = message.match(/[\p{L}\p{M}\p{N}_]{3,}/gu) ?? [];
  const telling = words.filter((word) => !TELEGRAMS_WORDS.has(word.toLowerCase()));
  return telling.some((word) => sent.some((text) => text.includes(word)));
}

/**
 * Takes out whatever stands where Telegram and the service put credentials, every address with its query, what is quoted (a
 * parser quotes what it cannot read), and what no program's own message is written in.
 */
function redact(text: string): string {
  return text
    .replace(/\b(?:https?|postgres(?:ql)?):\/\/\S+/g, '[address]')
    .replace(/\bbot\d+(?::|%3A)[\w-]+/gi, 'bot[token]')
    .replace(/\b\d{6,}(?::|%3A)[\w-]{8,}/gi, '[token]')
    .replace(/[^\n]+/g, withoutQuoted)
    .replace(/[^\n\t\x20-\x7e…]+/g, '…');
}

/** A line without all that is between its first and its last quotation mark; no pattern, since it may hold nothing but such marks. */
function withoutQuoted(line: string): string {
  const first = line.search(/["“`]/);
  const last = Math.max(...['"', '”', '`'].map((mark) => line.lastIndexOf(mark)));
  return first === -1 || last <= first ? line : `${line.slice(0, first)}"…"${line.slice(last + 1)}`;
}
