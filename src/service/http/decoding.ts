/** Undoes a compression that was not asked for: a proxy between the service and us may add one all the same, or only say so. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { ServiceFailure } from '../calls/failure.ts';

/** Makes what undoes an encoding, given the first bytes of the body; none where they are not known. */
type Decoding = (beginning: Buffer) => Transform;

/** The word means zlib's format, but some servers send what is in it without its head (RFC 9110 §8.4.1.2): the first byte tells. */
const deflate: Decoding = ([first = 8]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw());

const DECODINGS: ReadonlyMap<string, Decoding> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', deflate],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);
/** What servers put there though nothing is encoded. */
const NONE: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);
/** No server has a reason to compress more often. */
const MOST_LAYERS = 2;
/** Every answer in JSON begins with `{` and nothing compressed does: such a body is only said to be compressed. Sound has no such sign. */
const BRACE = 0x7b;

/**
 * The body without its `content-encoding`, decoded as it comes: the reader's own limits stop a decompression bomb.
 * Destroying it destroys `body`. Throws `malformed` for an encoding that cannot be undone; compressed speech must not pass for sound.
 */
export async function decoded(body: Readable, encoding = ''): Promise<Readable> {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  const layers = names.filter((name) => !NONE.has(name)).reverse();
  if (layers.length === 0) return body;
  const beginning = await beginningOf(body);
  if (beginning[0] === BRACE) return body;
  const decodings = layers.flatMap((name) => DECODINGS.get(name) ?? []);
  if (decodings.length < layers.length || layers.length > MOST_LAYERS) {
    // Destroyed unread, a body of undici's emits an error, and one without a listener would end the process.
    body.on('error', () => {}).destroy();
    throw new ServiceFailure('malformed', 'the answer is in an unknown encoding', { outcome: 'in-doubt' });
  }
  const unknown = Buffer.alloc(0);
  const decoders = decodings.map((decoding, index) => decoding(index === 0 ? beginning : unknown));
  // An error anywhere in the chain shows where the result is read.
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
