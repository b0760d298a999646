/** Sound that is kept is heard whole by everyone who listens, and sound that is too long by one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Replay } from '../../src/interpreter/synthesis.ts';

async function* inChunks(sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (const [index, size] of sizes.entries()) {
    await new Promise((resolve) => setImmediate(resolve));
    yield Buffer.alloc(size, index + 1);
  }
}

const whole = (sizes: readonly number[]) =>
  Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index + 1)));
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });

it('is heard whole after a listener has left anywhere, even in the midst of waiting', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(12), fc.nat(300), async (chunks, leftAfter, most) => {
      const replay = new Replay(inChunks(chunks), most);
      const first = replay.listen()[Symbol.asyncIterator]();
      for (let heard = 0; heard < leftAfter; heard += 1) await first.next();
      // One too long to keep has no second listener.
      fc.pre(replay.canRepeat);
      // Asked for, and not waited for.
      void first.next();
      expect(Buffer.concat(await Array.fromAsync(replay.listen()))).toEqual(whole(chunks));
    }),
  );
});

it('is heard whole once where it is too long to be kept, and says so', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(300), async (chunks, most) => {
      const replay = new Replay(inChunks(chunks), most);
      expect(Buffer.concat(await Array.fromAsync(replay.listen()))).toEqual(whole(chunks));
      expect(replay.canRepeat).toBe(whole(chunks).length <= most);
    }),
  );
});
