/** Undoes a compression that nobody asked for: somebody between the service and us may add one all the same. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ServiceFailure } from './failure.ts';

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * The body as it was before its `content-encoding`, as it comes: a bomb is met by whoever counts what it becomes. Destroying
 * it destroys `body`. Throws `malformed` for an encoding that cannot be undone; compressed speech must not pass for sound.
 */
export function decoded(body: Readable, encoding: string | undefined): Readable {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return body;
  const decoder = DECODERS.get(name)?.();
  if (decoder === undefined) {
    // undici tells a body that is left unread of it by an error, and one that nobody hears would end the process.
    body.on('error', () => {}).destroy();
    throw new ServiceFailure('malformed', 'the answer is in an unknown encoding', { outcome: 'in-doubt' });
  }
  // What breaks shows where the result is read.
  return pipeline(body, decoder, () => {});
}
