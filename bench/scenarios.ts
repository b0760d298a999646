/** The loads under which the bots are measured. */
import type { BotName } from './bots.ts';
import type { Load } from './load/load.ts';
import { USUAL_MIX } from './load/requests.ts';
import type { ServiceTimes } from './load/service.ts';

export interface Scenario {
  readonly name: string;
  readonly bots: readonly BotName[];
  readonly load: Load;
  /** How long to measure, after a warm-up, in s. */
  readonly seconds: number;
  readonly telegramMs?: number;
  readonly times?: Partial<ServiceTimes>;
  /** Further settings of Lotsawa. */
  readonly env?: Readonly<Record<string, string>>;
  /** Lotsawa keeps its data on a PostgreSQL server of its own. */
  readonly onPostgres?: boolean;
}

const USUAL: Load = { people: 50, perSecond: 20, mix: USUAL_MIX };
const TEXTS = { ...USUAL_MIX, photo: 0, speech: 0 };
const PAIR = ['lotsawa', 'grammy'] as const;
const ALL = [...PAIR, 'telegraf'] as const;

export const SCENARIOS: readonly Scenario[] = [
  { name: 'mixed', bots: ALL, load: USUAL, seconds: 35 },
  { name: 'postgres', bots: PAIR, load: USUAL, seconds: 20, onPostgres: true },
  { name: 'far-telegram', bots: PAIR, load: USUAL, seconds: 20, telegramMs: 50 },
  {
    name: 'behind-speech',
    bots: ALL,
    load: { ...USUAL, mix: TEXTS, neighbour: { kind: 'speech', speechMs: 20_000 } },
    seconds: 15,
    // 20 s of speech that take 20 s, as fast as they play.
    times: { speed: 1 },
  },
  {
    name: 'behind-picture',
    bots: PAIR,
    load: { ...USUAL, mix: TEXTS, neighbour: { kind: 'big-photo', everyMs: 1000 } },
    seconds: 15,
  },
  {
    name: 'saturated',
    bots: PAIR,
    load: { people: 50, mix: USUAL_MIX },
    seconds: 15,
    env: { SERVICE_CONCURRENCY: '64', WORKERS: '64' },
  },
  { name: 'repeated', bots: PAIR, load: { ...USUAL, repeated: 0.5 }, seconds: 20 },
];
