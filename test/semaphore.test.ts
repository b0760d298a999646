/** What is held at once stays within its bound, each person has their turn, and nobody is passed over for ever. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Semaphore } from '../src/media/semaphore.ts';
import { NoRoom, waitingAs } from '../src/patience.ts';

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
  it("another's work goes before the second that somebody has waiting", async () => {
    const gate = Promise.withResolvers<void>();
    const { begun, hold } = noting(new Semaphore(1), gate);
    const many = Array.from({ length: 5 }, (_, index) => hold(`A${index}`, 1, { person: 'A' }));
    const others = [hold('B', 1), hold('C', 1)];
    gate.resolve();
    await Promise.all([...many, ...others]);
    expect(begun).toEqual(['A0', 'A1', 'B', 'C', 'A2', 'A3', 'A4']);
  });

  it("somebody's slow work is made up for by as many works of others", async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const semaphore = new Semaphore(1);
    const begun: string[] = [];
    const work = (name: string, seconds: number) =>
      semaphore.spend({ units: 1, person: name[0] ?? '' }, async () => {
        begun.push(name);
        vi.advanceTimersByTime(seconds * 1000);
      });
    await Promise.all([
      ...['A0', 'A1'].map((name) => work(name, 3.5)),
      ...['B0', 'B1', 'B2', 'B3', 'B4', 'B5'].map((name) => work(name, 0.5)),
    ]);
    expect(begun.join(' ')).toBe('A0 B0 B1 B2 A1 B3 B4 B5');
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

it('who finds no room to wait is told, and leaves their turn to others', async () => {
  const gate = Promise.withResolvers<void>();
  const { begun, hold } = noting(new Semaphore(1), gate);
  const first = hold('first', 1);
  const full = {
    beginWait: () => false,
    leaveLane: async () => new AbortController().signal,
    endWait: () => {},
  };
  const refused = waitingAs(full, () => hold('refused', 1));
  // It may be let in just as it is refused.
  const alsoRefused = waitingAs(full, () => hold('also refused', 1));
  gate.resolve();
  await expect(refused).rejects.toThrow(NoRoom);
  await expect(alsoRefused).rejects.toThrow(NoRoom);
  await Promise.all([first, hold('last', 1)]);
  expect(begun).toEqual(['first', 'last']);
});
