/** Undoes compression that was not asked for: a proxy on the way may add it all the same, or only claim it. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { ServiceFailure } from '../calls/failure.ts';

/** Makes the decoder of an encoding, given the first bytes of the body, or none if they are unknown. */
type Decoding = (beginning: Buffer) => Transform;

/** `deflate` means zlib's format, but some servers send raw deflate data (RFC 9110 §8.4.1.2); the first byte tells. */
const deflate: Decoding = ([first = 8]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw());

const DECODINGS: ReadonlyMap<string, Decoding> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', deflate],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);
/** Values that servers send although nothing is encoded. */
const NONE: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);
/** No server has a reason for more. */
const MOST_LAYERS = 2;
/**
 * Every JSON answer begins with `{`, and nothing compressed does: such a body is not compressed, whatever its header says. Sound has no
 * such sign.
 */
const BRACE = 0x7b;

/**
 * Decodes the body as it comes; the reader's own limits stop a decompression bomb. Destroying the result destroys `body`. Throws
 * `malformed` for an unknown encoding: compressed speech must not pass for sound.
 */
export async function decoded(body: Readable, encoding = ''): Promise<Readable> {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  const layers = names.filter((name) => !NONE.has(name)).reverse();
  if (layers.length === 0) return body;
  const beginning = await beginningOf(body);
  if (beginning[0] === BRACE) return body;
  const decodings = layers.flatMap((name) => DECODINGS.get(name) ?? []);
  if (decodings.length < layers.length || layers.length > MOST_LAYERS) {
    // A body of undici's that is destroyed unread emits an error, which would end the process without a listener.
    body.on('error', () => {}).destroy();
    throw new ServiceFailure('malformed', 'the answer is in an unknown encoding', { outcome: 'in-doubt' });
  }
  const unknown = Buffer.alloc(0);
  const decoders = decodings.map((decoding, index) => decoding(index === 0 ? beginning : unknown));
  // An error anywhere in the chain surfaces where the result is read.
  return decoders.reduce<Readable>((source, decoder) => pipeline(source, decoder, () => {}), body);
}

/** Peeks at the first bytes of a body; empty if it has none, or breaks. */
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
  // Without this listener an error would end the process; the reader gets it all the same.
  body.on('error', onEnd).on('readable', look).once('end', onEnd).once('close', onEnd);
  return promise;
}
