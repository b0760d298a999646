/**
 * Estimates what a large deployment needs: simulates a busy day of many people minute by minute, with the service's prices and the costs per
 * request that `npm run bench -- --only units` measures. `node bench/scale.ts [--cpu-ms N] [--database-ms N] [--seed N]`.
 */
import { parseArgs } from 'node:util';
import { poissonCount, seeded, zipfShareOfRepeats } from './load/random.ts';

/** One paid call (service-interface §8). */
const YUAN_PER_CALL = 0.4;

const { values } = parseArgs({
  options: {
    /** CPU of a process and its encoders per request of the usual mix, in ms (figures.md, units). */
    'cpu-ms': { type: 'string', default: '23' },
    /** CPU of PostgreSQL per request that is paid for, in ms; one that re-uses takes half of it. */
    'database-ms': { type: 'string', default: '6.5' },
    seed: { type: 'string', default: '1' },
  },
});
const CPU_MS = Number(values['cpu-ms']);
const DATABASE_MS = Number(values['database-ms']);
/** On a busy day. */
const REQUESTS_PER_PERSON = 6;

/** A process is a core; above this share of it waiting begins to grow. */
const MAX_BUSY = 0.6;
/** Calls in flight per process (SERVICE_CONCURRENCY), and how long one takes on average, in s (the bench's mix). */
const SERVICE_CONCURRENCY = 16;
const SERVICE_S = 0.27;
/** Memory of a process with its encoders, the image's, in MB. */
const PROCESS_MB = 210;
/** What a paid call leaves in PostgreSQL, with its indexes, in kB: a result, by the usual mix of kinds, and its line in the ledger. */
const RESULT_KB = 6.2;
const RESULT_DAYS = 90;
const LEDGER_KB = 0.22;
const LEDGER_DAYS = 400;

/** Share of the day's requests in each hour, from midnight on: asleep, a rise at eight, a peak in the evening. */
const HOURS = [9, 5, 3, 2, 2, 4, 12, 28, 45, 52, 54, 55, 60, 56, 52, 52, 54, 58, 66, 82, 95, 88, 58, 26];

/**
 * Requests repeat as words of a language do: the request of rank r has a frequency of 1/r^s. Most requests are still new; this share of them
 * is drawn from common ones.
 */
const COMMON_SHARE = 0.5;
const ZIPF_EXPONENT = 1;
const COMMON_REQUESTS = 100_000;

interface Day {
  readonly requests: number;
  readonly peakPerS: number;
  readonly calls: number;
  readonly reused: number;
}

/** Simulates a day of this many people, minute by minute, without results kept from days before. */
function simulate(people: number, reuses: boolean, seed: number): Day {
  const random = seeded(seed);
  const whole = HOURS.reduce((sum, share) => sum + share, 0);
  let requests = 0;
  let peakPerS = 0;
  for (const share of HOURS) {
    const perMinute = (people * REQUESTS_PER_PERSON * share) / whole / 60;
    for (let minute = 0; minute < 60; minute += 1) {
      const asked = poissonCount(random, perMinute);
      requests += asked;
      peakPerS = Math.max(peakPerS, asked / 60);
    }
  }
  const common = Math.round(requests * COMMON_SHARE);
  const reused = reuses ? Math.round(common * zipfShareOfRepeats(common, COMMON_REQUESTS, ZIPF_EXPONENT)) : 0;
  return { requests, peakPerS, calls: requests - reused, reused };
}

function row(people: number, reuses: boolean): Record<string, string> {
  const { requests, peakPerS, calls, reused } = simulate(people, reuses, Number(values.seed));
  const share = reused / requests;
  const cores = (peakPerS * CPU_MS) / 1000;
  const inFlight = peakPerS * (1 - share) * SERVICE_S;
  const processes = Math.max(1, Math.ceil(cores / MAX_BUSY), Math.ceil(inFlight / SERVICE_CONCURRENCY));
  return {
    people: people.toLocaleString('en'),
    're-use': reuses ? 'yes' : 'no',
    'requests/day': requests.toLocaleString('en'),
    'peak/s': peakPerS.toFixed(1),
    'calls in flight': Math.ceil(inFlight).toLocaleString('en'),
    processes: String(processes),
    'memory GB': ((processes * PROCESS_MB) / 1024).toFixed(1),
    'database cores': ((peakPerS * DATABASE_MS * (1 - share / 2)) / 1000 / MAX_BUSY).toFixed(1),
    'database GB': ((calls * RESULT_KB * RESULT_DAYS + requests * LEDGER_KB * LEDGER_DAYS) / 1e6).toFixed(0),
    'paid calls/day': calls.toLocaleString('en'),
    'yuan/day': Math.round(calls * YUAN_PER_CALL).toLocaleString('en'),
  };
}

console.log(
  `A busy day: ${REQUESTS_PER_PERSON} requests a person, ${CPU_MS} ms of CPU and ${DATABASE_MS} ms of PostgreSQL's each.`,
);
console.table([1e4, 1e5, 1e6, 1e7].flatMap((people) => [row(people, false), row(people, true)]));
