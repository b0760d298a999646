/** The bot's metrics for Prometheus (spec §7): names and numbers alone, never a text or an id. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallKind } from '../paid-calls.ts';
import type { Ending, SpeechEnding } from '../service/calls/events.ts';

export interface Metrics {
  /**
   * Counts an attempt at a piece of work that ended after `ms`. `updates`: 1, or the number of parts of an album. `failed` work is tried
   * again or becomes a dead letter; a request answered with the words of a failure is `ok`. An inline query is `failed` if it gets no
   * answer, and `superseded`, without a time, if its person typed on.
   */
  handled(kind: string, outcome: 'ok' | 'failed' | 'superseded', updates: number, ms: number): void;
  /** Counts updates that were given up. */
  deadLetters(updates: number): void;
  /** Counts a try of a call to the service that took `ms`; for speech, until its first sample. */
  serviceCall(kind: CallKind | 'token', outcome: Ending, ms: number): void;
  /** Counts a stream of speech that ended after its first sample. */
  speechEnded(outcome: SpeechEnding): void;
  /** Counts a paid call that a kept result saved. */
  reused(kind: CallKind): void;
  /** Counts a repeated call of this Bot API method. */
  telegramRetried(method: string): void;
  /** Counts a failed request for updates, or updates that could not be written. */
  pollFailed(kind: string): void;
  /** Gives all metrics in Prometheus' text format. */
  render(): Promise<string>;
  /** The content type of `render`'s result. */
  readonly contentType: string;
}

/** The release, and figures that are read on every request; one that fails shows as NaN. */
export interface Gauges {
  /** The release that runs. */
  readonly version: string;
  /** Updates that wait or run. */
  queueDepth(): Promise<number>;
  /** What was spent today (UTC), in yuan. */
  spentTodayYuan(): Promise<number>;
}

/** In seconds, from a cached answer to the longest recognition or speech. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Creates the metrics in a registry of their own, with Node's usual ones (memory, CPU, event loop lag). */
export function createMetrics(gauges: Gauges): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const updates = new Counter({
    name: 'lotsawa_updates_total',
    help: 'Updates handled, once for each attempt',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const handlingSeconds = new Histogram({
    name: 'lotsawa_update_handling_seconds',
    help: 'Time from the start of an attempt to its end, an album counting once',
    labelNames: ['kind'],
    buckets: SECONDS,
    registers,
  });
  const deadLetters = new Counter({
    // A published name, older than the term dead letter.
    name: 'lotsawa_updates_set_aside_total',
    help: 'Dead letters: updates that were given up',
    registers,
  });
  const serviceCalls = new Counter({
    name: 'lotsawa_service_calls_total',
    help: 'Tries of calls to the service',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const serviceSeconds = new Histogram({
    name: 'lotsawa_service_call_seconds',
    help: 'Time of one try; for speech, until its first sample',
    labelNames: ['kind'],
    buckets: SECONDS,
    registers,
  });
  const speechStreams = new Counter({
    name: 'lotsawa_speech_streams_total',
    help: 'Streams of speech that began, by how they ended',
    labelNames: ['outcome'],
    registers,
  });
  const cacheHits = new Counter({
    name: 'lotsawa_cache_hits_total',
    help: 'Results that were used again instead of paid for',
    labelNames: ['kind'],
    registers,
  });
  const telegramRetries = new Counter({
    name: 'lotsawa_telegram_retries_total',
    help: 'Calls to Telegram that were repeated',
    labelNames: ['method'],
    registers,
  });
  const pollFailures = new Counter({
    name: 'lotsawa_poll_failures_total',
    help: 'Requests for updates that failed',
    labelNames: ['kind'],
    registers,
  });
  new Gauge({
    name: 'lotsawa_build_info',
    help: 'Always 1; the release and the Node that run are in the labels',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: gauges.version, node: process.versions.node }, 1);
  new Gauge({
    name: 'lotsawa_queue_depth',
    help: 'Updates that wait or run',
    registers,
    collect: lookedUp(gauges.queueDepth),
  });
  new Gauge({
    name: 'lotsawa_spent_today_yuan',
    help: 'What paid calls cost in the present UTC day',
    registers,
    collect: lookedUp(gauges.spentTodayYuan),
  });

  return {
    handled: (kind, outcome, count, ms) => {
      updates.inc({ kind, outcome }, count);
      if (outcome !== 'superseded') handlingSeconds.observe({ kind }, seconds(ms));
    },
    deadLetters: (count) => deadLetters.inc(count),
    serviceCall: (kind, outcome, ms) => {
      serviceCalls.inc({ kind, outcome });
      serviceSeconds.observe({ kind }, seconds(ms));
    },
    speechEnded: (outcome) => speechStreams.inc({ outcome }),
    reused: (kind) => cacheHits.inc({ kind }),
    telegramRetried: (method) => telegramRetries.inc({ method }),
    pollFailed: (kind) => pollFailures.inc({ kind }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function lookedUp(read: () => Promise<number>) {
  return async function (this: Gauge): Promise<void> {
    this.set(await read().catch(() => Number.NaN));
  };
}

/** A clock that was set back must not lower a sum. */
function seconds(ms: number): number {
  return Math.max(0, ms) / 1000;
}
