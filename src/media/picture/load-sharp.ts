/** sharp, loaded when it is first needed: the start waits neither for libvips nor for the memory that it takes. */
import { createRequire } from 'node:module';
import type { SharpConstructor } from 'sharp';

const require = createRequire(import.meta.url);

/**
 * Gives sharp, set process-wide to one thread per picture and no cache: both only grow memory here. The first call
 * takes some 30 ms, every other none.
 *
 * By `require`, which forgets what could not be loaded: for an `import`, one shortage of file descriptors lasts as long as the process.
 */
export async function loadSharp(): Promise<SharpConstructor> {
  const sharp: SharpConstructor = require('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
