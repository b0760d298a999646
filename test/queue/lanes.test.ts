/** The order of work: one lane in order, lanes side by side, no more at once than there are workers. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Job, Lanes } from '../../src/queue/lanes.ts';

interface NamedJob extends Job {
  readonly name: string;
}

function job(lane: string, name: string, options: Partial<Job> = {}): NamedJob {
  return { lane, name, dueAt: 0, isSuspect: false, ...options };
}

/** Lanes whose jobs run until the test ends them. */
function stage(workers: number) {
  const running = new Map<string, (again?: NamedJob) => void>();
  const started: string[] = [];
  const lanes = new Lanes<NamedJob>(workers, ({ name }) => {
    started.push(name);
    return new Promise((resolve) => running.set(name, resolve));
  });
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return {
    lanes,
    started,
    end: async (name: string, again?: NamedJob) => {
      running.get(name)?.(again);
      running.delete(name);
      await settled();
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('jobs of one lane run one after another, in order', async () => {
  const { lanes, started, end } = stage(8);
  for (const name of ['a', 'b', 'c']) lanes.add(job('1', name));
  expect(started).toEqual(['a']);
  expect(lanes.depth).toBe(3);
  await end('a');
  expect(started).toEqual(['a', 'b']);
  await end('b');
  await end('c');
  expect(started).toEqual(['a', 'b', 'c']);
  expect(lanes.depth).toBe(0);
});

it('lanes run side by side, up to the number of workers, and take turns', async () => {
  const { lanes, started, end } = stage(2);
  lanes.add(job('1', 'a1'));
  lanes.add(job('1', 'a2'));
  lanes.add(job('2', 'b1'));
  lanes.add(job('3', 'c1'));
  expect(started).toEqual(['a1', 'b1']);
  await end('a1');
  expect(started).toEqual(['a1', 'b1', 'c1']);
  await end('b1');
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2']);
});

it('a job that is not due holds its own lane, and no other', async () => {
  const { lanes, started } = stage(8);
  lanes.add(job('1', 'later', { dueAt: performance.now() + 1000 }));
  lanes.add(job('1', 'after it'));
  lanes.add(job('2', 'other'));
  expect(started).toEqual(['other']);
  await vi.advanceTimersByTimeAsync(999);
  expect(started).toEqual(['other']);
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual(['other', 'later']);
});

describe('a waiting job that is replaced', () => {
  it('is due when the new one is', async () => {
    const { lanes, started } = stage(8);
    const album = job('1', 'one part', { dueAt: performance.now() + 1000 });
    lanes.add(album);
    await vi.advanceTimersByTimeAsync(800);
    const found = lanes.findWaiting('1', ({ name }) => name === 'one part');
    expect(found).toBe(album);
    lanes.replace(album, job('1', 'two parts', { dueAt: performance.now() + 1000 }));
    await vi.advanceTimersByTimeAsync(999);
    expect(started).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toEqual(['two parts']);
  });

  it('is not one that has started', () => {
    const { lanes } = stage(8);
    lanes.add(job('1', 'a'));
    expect(lanes.findWaiting('1', () => true)).toBeUndefined();
    expect(lanes.findWaiting('2', () => true)).toBeUndefined();
  });
});

it('a job given back takes the first place in its lane', async () => {
  const { lanes, started, end } = stage(8);
  lanes.add(job('1', 'a'));
  lanes.add(job('1', 'b'));
  await end('a', job('1', 'a again'));
  expect(started).toEqual(['a', 'a again']);
  expect(lanes.depth).toBe(2);
  await end('a again');
  expect(started).toEqual(['a', 'a again', 'b']);
});

it('of suspects one runs at a time; nothing else waits for them, and they wait for nothing else', async () => {
  const { lanes, started, end } = stage(8);
  lanes.add(job('1', 'a'));
  lanes.add(job('2', 'suspect', { isSuspect: true }));
  lanes.add(job('3', 'another suspect', { isSuspect: true }));
  lanes.add(job('4', 'b'));
  expect(started).toEqual(['a', 'suspect', 'b']);
  await end('suspect');
  expect(started).toEqual(['a', 'suspect', 'b', 'another suspect']);
});

describe('closing', () => {
  it('waits for what runs, and starts nothing more', async () => {
    const { lanes, started, end } = stage(8);
    lanes.add(job('1', 'a'));
    lanes.add(job('1', 'b'));
    lanes.add(job('2', 'later', { dueAt: performance.now() + 1000 }));
    let closed = false;
    const closing = lanes.close().then(() => {
      closed = true;
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect(closed).toBe(false);
    await end('a');
    await closing;
    lanes.add(job('3', 'c'));
    expect(started).toEqual(['a']);
  });

  it('is done at once where nothing runs', async () => {
    await stage(8).lanes.close();
  });
});

it('whatever comes, each lane keeps its order, and no more run at once than may', async () => {
  const arrivals = fc.array(fc.tuple(fc.constantFrom('1', '2', '3', '4'), fc.nat(3)), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 4 }), async (jobs, workers) => {
      let running = 0;
      const done: NamedJob[] = [];
      const lanes = new Lanes<NamedJob>(workers, async (current) => {
        running += 1;
        expect(running).toBeLessThanOrEqual(workers);
        for (let turn = 0; turn < -current.dueAt; turn += 1) await Promise.resolve();
        running -= 1;
        done.push(current);
        return undefined;
      });
      const all = jobs.map(([lane, turns], index) => job(lane, String(index), { dueAt: -turns }));
      for (const one of all) lanes.add(one);
      for (let turn = 0; turn < 500 && lanes.depth > 0; turn += 1) await Promise.resolve();
      expect(done).toHaveLength(all.length);
      for (const lane of ['1', '2', '3', '4']) {
        const of = (list: readonly NamedJob[]) =>
          list.filter((one) => one.lane === lane).map(({ name }) => name);
        expect(of(done)).toEqual(of(all));
      }
    }),
  );
});
