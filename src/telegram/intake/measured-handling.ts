/** Counts and times what a handler does, by the kind of update. */
import type { Metrics } from '../../metrics.ts';
import type { QueueHandler } from '../../queue/queue.ts';
import { kindOf } from './usable-update.ts';

/** The same handler, its attempts counted. */
export function measured(handler: QueueHandler, metrics: Pick<Metrics, 'handled'>): QueueHandler {
  return async (work) => {
    const kind = kindOf(work.bodies[0]) ?? 'other';
    const startedAt = performance.now();
    const note = (outcome: 'ok' | 'failed') =>
      metrics.handled(kind, outcome, work.bodies.length, performance.now() - startedAt);
    try {
      await handler(work);
      note('ok');
    } catch (error) {
      note('failed');
      throw error;
    }
  };
}
