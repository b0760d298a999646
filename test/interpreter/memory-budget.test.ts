/** What is held in memory at once stays within its bound, and nobody is passed over. */
import { expect, it } from 'vitest';
import { createMemoryBudget } from '../../src/interpreter/memory-budget.ts';
import { aGate } from '../queue/open-queue.ts';

it('pictures are held in memory within a budget, first come, first served, also when one gives up', async () => {
  const budget = createMemoryBudget(100);
  const { signal } = new AbortController();
  const giver = new AbortController();
  const gate = aGate();
  const done: string[] = [];
  let held = 0;
  const hold = (name: string, bytes: number, by = signal) =>
    budget.spend(bytes, by, async () => {
      held += bytes;
      expect(held).toBeLessThanOrEqual(100);
      await gate.passed;
      held -= bytes;
      done.push(name);
    });
  const first = hold('first', 60);
  const large = hold('large', 50, giver.signal);
  const small = hold('small', 40);
  const whole = budget.spend(1000, signal, async () => done.push('larger than all'));
  giver.abort();
  await expect(large).rejects.toMatchObject({ kind: 'cancelled' });
  gate.open();
  await Promise.all([first, small, whole]);
  expect(done).toEqual(['first', 'small', 'larger than all']);
});
