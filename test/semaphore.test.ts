/** What is held at once stays within its bound, each person has their turn, and nobody is passed over for ever. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Semaphore } from '../src/media/semaphore.ts';

/** Work that notes when it begins, and ends when the gate opens. */
function noting(semaphore: Semaphore, gate: { promise: Promise<unknown> }) {
  const begun: string[] = [];
  const hold = (
    name: string,
    units: number,
    { person = name, ...more }: Partial<Parameters<Semaphore['spend']>[0]> = {},
  ) =>
    semaphore.spend({ units, person, ...more }, async () => {
      begun.push(name);
      await gate.promise;
    });
  return { begun, hold };
}

it('holds no more than there is, and what is larger counts as all of it', async () => {
  const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 150 }), fc.constantFrom('a', 'b', 'c')), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(sizes, async (asked) => {
      const semaphore = new Semaphore(100);
      let held = 0;
      let done = 0;
      await Promise.all(
        asked.map(([units, person]) =>
          semaphore.spend({ units, person }, async () => {
            held += Math.min(units, 100);
            expect(held).toBeLessThanOrEqual(100);
            await Promise.resolve();
            held -= Math.min(units, 100);
            done += 1;
          }),
        ),
      );
      expect(done).toBe(asked.length);
    }),
  );
});

describe('turns', () => {
  it("of one place: another's small work goes before nine large ones, and another's large work before eight", async () => {
    const gate = Promise.withResolvers<void>();
    const { begun, hold } = noting(new Semaphore(1), gate);
    const large = Array.from({ length: 10 }, (_, index) => hold(`A${index}`, 1, { size: 20, person: 'A' }));
    const others = [hold('B large', 1, { size: 20 }), hold('C small', 1, { size: 1 })];
    gate.resolve();
    await Promise.all([...large, ...others]);
    expect(begun.slice(0, 4)).toEqual(['A0', 'C small', 'A1', 'B large']);
    expect(begun.slice(4)).toEqual(['A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9']);
  });

  it("of memory: what fits passes what does not, also its own person's", async () => {
    const gate = Promise.withResolvers<void>();
    const { begun, hold } = noting(new Semaphore(100), gate);
    const all = [hold('first', 60), hold('too large', 50), hold('small', 40)];
    await nextTurn();
    expect(begun).toEqual(['first', 'small']);
    gate.resolve();
    await Promise.all(all);
    expect(begun).toEqual(['first', 'small', 'too large']);
  });

  it('no stream of small works keeps a large one waiting for ever', async () => {
    const semaphore = new Semaphore(100);
    let largeBegan = false;
    let small = 0;
    const stream = async (person: string): Promise<void> => {
      while (!largeBegan) {
        small += 1;
        expect(small).toBeLessThan(100);
        await semaphore.spend({ units: 10, person }, () => Promise.resolve());
      }
    };
    const streams = Array.from({ length: 10 }, (_, index) => stream(`person ${index}`));
    await semaphore.spend({ units: 100, person: 'large' }, async () => {
      largeBegan = true;
    });
    await Promise.all(streams);
  });
});

it('who gives up gives their turn away, and is told', async () => {
  const gate = Promise.withResolvers<void>();
  const giver = new AbortController();
  const { begun, hold } = noting(new Semaphore(100), gate);
  const first = hold('first', 60);
  const given = hold('given up', 100, { person: 'giver', signal: giver.signal });
  const second = hold('second', 50);
  giver.abort();
  await expect(given).rejects.toMatchObject({ kind: 'cancelled' });
  gate.resolve();
  await Promise.all([first, second]);
  expect(begun).toEqual(['first', 'second']);
  await expect(hold('late', 1, { signal: giver.signal })).rejects.toMatchObject({ kind: 'cancelled' });
});
