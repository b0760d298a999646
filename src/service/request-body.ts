/** Request bodies of known length, made in pieces small enough that making them holds nobody up. */
import { setImmediate as nextTurn } from 'node:timers/promises';

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

/** Divisible by 3, so that no base64 padding stands inside; about 0.3 ms of work for each piece. */
const PIECE_BYTES = 48_000;

/**
 * An `application/x-www-form-urlencoded` body (service-interface §4.2); bytes go base64 encoded and then URL encoded.
 * Such a body has up to 14 MB, so it is neither kept whole nor made in one go: the bytes are encoded once to learn the
 * length and again for every sending.
 */
export async function formBody(fields: readonly FormField[]): Promise<RequestBody> {
  let length = 0;
  for await (const piece of formPieces(fields)) length += piece.length;
  return {
    length,
    async *pieces() {
      for await (const piece of formPieces(fields)) yield Buffer.from(piece, 'latin1');
    },
  };
}

/** The body as ASCII text, with a turn of the event loop between two pieces. */
async function* formPieces(fields: readonly FormField[]): AsyncGenerator<string> {
  for (const [index, [name, value]] of fields.entries()) {
    const separator = index === 0 ? '' : '&';
    if (typeof value === 'string') {
      yield separator + new URLSearchParams([[name, value]]).toString();
      continue;
    }
    yield `${separator}${name}=`;
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      await nextTurn();
      const base64 = bytes.toString('base64', start, start + PIECE_BYTES);
      yield base64.replaceAll('+', '%2B').replaceAll('/', '%2F').replaceAll('=', '%3D');
    }
  }
}
