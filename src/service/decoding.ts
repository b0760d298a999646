/** Undoes a compression that nobody asked for: somebody between the service and us may add one all the same, or only say so. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { ServiceFailure } from './failure.ts';

/** What undoes an encoding of bytes that begin so, as far as that is known. */
type Decoding = (beginning: Buffer) => Transform;

/** With zlib's head, or without, as some take the word (RFC 9110 §8.4.1.2). */
const deflate: Decoding = ([first = 8]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw());

const DECODINGS: ReadonlyMap<string, Decoding> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', deflate],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);
/** What servers put there that encode nothing. */
const NONE: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);
/** Nobody compresses more often in earnest. */
const MOST_LAYERS = 2;
/** `{`: every answer in JSON begins so, and none that is compressed. Of sound nothing tells whether it is. */
const BRACE = 0x7b;

/**
 * The body as it was before its `content-encoding`, as it comes: a bomb is met by whoever counts what it becomes. Destroying
 * it destroys `body`. Throws `malformed` for an encoding that cannot be undone; compressed speech must not pass for sound.
 */
export async function decoded(body: Readable, encoding = ''): Promise<Readable> {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  const layers = names.filter((name) => !NONE.has(name)).reverse();
  if (layers.length === 0) return body;
  const beginning = await beginningOf(body);
  if (beginning[0] === BRACE) return body;
  const decodings = layers.flatMap((name) => DECODINGS.get(name) ?? []);
  if (decodings.length < layers.length || layers.length > MOST_LAYERS) {
    // undici tells a body that is left unread of it by an error, and one that nobody hears would end the process.
    body.on('error', () => {}).destroy();
    throw new ServiceFailure('malformed', 'the answer is in an unknown encoding', { outcome: 'in-doubt' });
  }
  const unknown = Buffer.alloc(0);
  const decoders = decodings.map((decoding, index) => decoding(index === 0 ? beginning : unknown));
  // What breaks shows where the result is read.
  return decoders.reduce<Readable>((source, decoder) => pipeline(source, decoder, () => {}), body);
}

/** The first bytes of a body, which stay in it; none where there are none, or it breaks. */
function beginningOf(body: Readable): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const look = (): void => {
    const bytes: unknown = body.read();
    if (!Buffer.isBuffer(bytes)) return;
    body.unshift(bytes);
    end(bytes);
  };
  const end = (bytes: Buffer = Buffer.alloc(0)): void => {
    body.off('readable', look).off('end', onEnd).off('close', onEnd);
    resolve(bytes);
  };
  const onEnd = (): void => end();
  // Heard here, so that it does not end the process; the reader meets it all the same.
  body.on('error', onEnd).on('readable', look).once('end', onEnd).once('close', onEnd);
  return promise;
}
