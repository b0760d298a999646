/** The metrics, where a figure is not what it should be. */
import { expect, it } from 'vitest';
import { Metrics } from '../src/app/metrics.ts';

it('a figure that cannot be looked up is no number, and hides no other', async () => {
  const metrics = new Metrics('1.2.3');
  metrics.gauge('queue_depth', 'waiting', () => Promise.reject(new Error('locked')));
  metrics.gauge('spent_today_yuan', 'spent', async () => 1.2);
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/^lotsawa_queue_depth nan$/im);
  expect(text).toContain('lotsawa_spent_today_yuan 1.2');
});
