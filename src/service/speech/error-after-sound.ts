/** An error that the service appends to sound which it has begun: it is thrown as one, and never played. */
import type { Reader } from '../wire/answer.ts';
import { errorIn, isEnvelope } from '../wire/error-body.ts';
import { parseExactJson } from '../wire/exact-json.ts';

/** An error is far shorter, in bytes. */
const LONGEST_ERROR = 8000;
const BRACE = 0x7b;
const BEGINS_LIKE_JSON = /^\{\s*("|$)/;
const LOOKED_AT = 8;

/** The sound without an envelope at its end, whose error is thrown. Only what may be the beginning of one is held back. */
export async function* withoutErrorAfter(
  sound: AsyncIterable<Buffer>,
  { privates }: Reader,
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of sound) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = endOfSound(bytes);
    held = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  const body = parseExactJson(held.toString('utf8'));
  const error = errorIn(body, privates);
  if (error !== undefined) throw error;
  if (held.length > 0 && !isEnvelope(body)) yield held;
}

/** Where text begins that may be an envelope and goes on to the end of these bytes; their length where there is none. */
function endOfSound(bytes: Buffer): number {
  let text = bytes.length;
  while (text > 0 && isOfText(bytes[text - 1] ?? 0)) text -= 1;
  const earliest = Math.max(text, bytes.length - LONGEST_ERROR);
  for (let at = bytes.indexOf(BRACE, earliest); at >= 0; at = bytes.indexOf(BRACE, at + 1)) {
    if (BEGINS_LIKE_JSON.test(bytes.toString('latin1', at, at + LOOKED_AT))) return at;
  }
  return bytes.length;
}

/** Not a control character. Quiet sound is full of them (0x00), so that a search back from its end soon stops. */
function isOfText(byte: number): boolean {
  return byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
