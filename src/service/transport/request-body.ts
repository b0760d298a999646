/** Request bodies of known length, made in pieces small enough that making them holds nobody up. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { escapedBase64, escapedBase64Length } from './form-base64.ts';

export interface RequestBody {
  /** bytes, for Content-Length */
  readonly length: number;
  /** The body from its beginning; a further try takes it anew. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** A short body in one piece. */
export function textBody(text: string): RequestBody {
  const bytes = Buffer.from(text);
  return {
    length: bytes.length,
    async *pieces() {
      if (bytes.length > 0) yield bytes;
    },
  };
}

export type FormField = readonly [name: string, value: string | Uint8Array];

/** Divisible by 3, so that no base64 padding stands inside; about 0.2 ms of work for each piece. */
const PIECE_BYTES = 48_000;

/**
 * An `application/x-www-form-urlencoded` body (service-interface §4.2); bytes go base64 encoded and then URL encoded.
 * Such a body has up to 14 MB, so it is neither kept whole nor made in one go: what is escaped is counted once to learn the
 * length, and encoded for every sending.
 */
export async function formBody(fields: readonly FormField[]): Promise<RequestBody> {
  let length = 0;
  for await (const piece of formPieces(fields, textLength, escapedBase64Length)) length += piece;
  return { length, pieces: () => formPieces(fields, Buffer.from, escapedBase64) };
}

function textLength(text: string): number {
  return text.length;
}

/** What `ofText` (of ASCII) and `ofBytes` make of the body, piece by piece, with a turn of the event loop between two pieces. */
async function* formPieces<T>(
  fields: readonly FormField[],
  ofText: (text: string) => T,
  ofBytes: (bytes: Uint8Array) => T,
): AsyncGenerator<T> {
  for (const [index, [name, value]] of fields.entries()) {
    const separator = index === 0 ? '' : '&';
    if (typeof value === 'string') {
      yield ofText(separator + new URLSearchParams([[name, value]]).toString());
      continue;
    }
    yield ofText(`${separator}${name}=`);
    for (let start = 0; start < value.length; start += PIECE_BYTES) {
      await nextTurn();
      yield ofBytes(value.subarray(start, start + PIECE_BYTES));
    }
  }
}
