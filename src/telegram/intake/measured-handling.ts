/** Counts and times what a handler does, by the kind of update. */
import type { QueueHandler } from '../../queue/queue.ts';
import { kindOf } from './usable-update.ts';

type HandlingOutcome = 'ok' | 'failed' | 'superseded';

/** Told how handling went. */
export interface HandlingMetrics {
  /**
   * One attempt at a piece of work ended after `ms`. `updates` is 1, or the parts of an album; `failed` work is tried
   * again or set aside, while a request that was answered with the words of a failure is `ok`. An inline query is `failed` where it
   * gets no answer, and `superseded`, without a time, where its person typed on.
   */
  handled(kind: string, outcome: HandlingOutcome, updates: number, ms: number): void;
}

/** The same handler, its attempts counted. */
export function measured(handler: QueueHandler, metrics: HandlingMetrics): QueueHandler {
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
