/** The bot's metrics for Prometheus: names and numbers alone, never a text or an id. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallKind } from '../paid-calls.ts';
import type { QueueHandler } from '../queue/queue.ts';
import type { Ending } from '../service/calls/events.ts';
import { kindOf } from '../telegram/request/update.ts';

/** In seconds, from a cached answer to the longest recognition or speech. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Uses a registry of its own, with Node's usual metrics (memory, CPU, event loop lag). */
export class Metrics {
  readonly registry = new Registry();
  readonly #updates = this.#counter('updates_total', 'Updates handled, once for each attempt', [
    'kind',
    'outcome',
  ]);
  readonly #handlingSeconds = this.#seconds(
    'update_handling_seconds',
    'Time from the start of an attempt to its end, an album counting once',
  );
  // A published name, older than the term.
  readonly deadLetters = this.#counter(
    'updates_set_aside_total',
    'Dead letters: updates that were given up',
    [],
  );
  readonly #serviceCalls = this.#counter('service_calls_total', 'Tries of calls to the service', [
    'kind',
    'outcome',
  ]);
  readonly #serviceSeconds = this.#seconds(
    'service_call_seconds',
    'Time of one try; for speech, until its first sample',
  );
  readonly speechStreams = this.#counter(
    'speech_streams_total',
    'Streams of speech that began, by how they ended',
    ['outcome'],
  );
  readonly cacheHits = this.#counter('cache_hits_total', 'Results that were used again instead of paid for', [
    'kind',
  ]);
  readonly telegramRetries = this.#counter('telegram_retries_total', 'Calls to Telegram that were repeated', [
    'method',
  ]);
  readonly pollFailures = this.#counter('poll_failures_total', 'Requests for updates that failed', ['kind']);

  constructor(version: string) {
    collectDefaultMetrics({ register: this.registry });
    const help = 'Always 1; the release and the Node that run are in the labels';
    const registers = [this.registry];
    new Gauge({ name: 'lotsawa_build_info', help, labelNames: ['version', 'node'], registers }).set(
      { version, node: process.versions.node },
      1,
    );
  }

  /**
   * Counts an attempt that ended after `ms`. `updates`: 1, or the parts of an album. `failed` work is retried or becomes a dead letter; a
   * request answered with a failure is `ok`. An inline query is `failed` if it gets no answer, and `superseded`, without a time, if its
   * person typed on.
   */
  handled(kind: string, outcome: 'ok' | 'failed' | 'superseded', updates: number, ms: number): void {
    this.#updates.inc({ kind, outcome }, updates);
    if (outcome !== 'superseded') this.#handlingSeconds.observe({ kind }, ms / 1000);
  }

  /** Returns the handler with its attempts counted. */
  measured(handle: QueueHandler): QueueHandler {
    return async (work) => {
      const kind = kindOf(work.bodies[0]) ?? 'other';
      const startedAt = performance.now();
      let outcome: 'ok' | 'failed' = 'failed';
      try {
        const ended = await handle(work);
        outcome = 'ok';
        return ended;
      } finally {
        this.handled(kind, outcome, work.bodies.length, performance.now() - startedAt);
      }
    };
  }

  /** `ms`: for speech, until its first sample. */
  serviceCall(kind: CallKind | 'token', outcome: Ending, ms: number): void {
    this.#serviceCalls.inc({ kind, outcome });
    this.#serviceSeconds.observe({ kind }, ms / 1000);
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `lotsawa_${name}`, help, labelNames, registers: [this.registry] });
  }

  #seconds(name: string, help: string): Histogram<'kind'> {
    const registers = [this.registry];
    return new Histogram({
      name: `lotsawa_${name}`,
      help,
      labelNames: ['kind'],
      buckets: SECONDS,
      registers,
    });
  }

  /** `read` is called for every scrape; the gauge shows NaN if it fails. */
  gauge(name: string, help: string, read: () => Promise<number>): void {
    new Gauge({
      name: `lotsawa_${name}`,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await read().catch(() => Number.NaN));
      },
    });
  }
}
