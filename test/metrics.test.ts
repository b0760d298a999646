/** The metrics, where a figure is not what it should be. */
import { expect, it } from 'vitest';
import { Metrics } from '../src/app/metrics.ts';

const metrics = (queueDepth: () => Promise<number>) =>
  new Metrics({ version: '1.2.3', queueDepth, spentTodayYuan: async () => 1.2 });

it('a figure that cannot be looked up is no number, and hides no other', async () => {
  const text = await metrics(() => Promise.reject(new Error('locked'))).render();
  expect(text).toMatch(/^lotsawa_queue_depth nan$/im);
  expect(text).toContain('lotsawa_spent_today_yuan 1.2');
});
