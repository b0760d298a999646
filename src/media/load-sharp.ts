/** sharp, loaded when it is first needed: the start waits neither for libvips nor for the memory that it takes. */
import type { SharpConstructor } from 'sharp';

/**
 * Gives sharp, set process-wide to one thread per picture and no cache: both only grow memory here. The first call
 * takes some 30 ms, every other none.
 */
export async function loadSharp(): Promise<SharpConstructor> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
