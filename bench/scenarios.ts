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
  /** Watches Lotsawa's event loop from inside. */
  readonly watchesLoop?: boolean;
}

const USUAL: Load = { people: 50, perSecond: 20, mix: USUAL_MIX };
const TEXTS = { ...USUAL_MIX, photo: 0, speech: 0 };
const PAIR = ['lotsawa', 'grammy'] as const;
const ALL = [...PAIR, 'telegraf'] as const;

export const SCENARIOS: readonly Scenario[] = [
  { name: 'mixed', bots: ALL, load: USUAL, seconds: 35 },
  { name: 'far-telegram', bots: PAIR, load: USUAL, seconds: 20, telegramMs: 50 },
  {
    name: 'long-speech',
    bots: PAIR,
    load: { people: 20, perSecond: 1.5, mix: { photo: 0, speech: 1, speechMs: 60_000 } },
    seconds: 16,
  },
  {
    name: 'short-speech',
    bots: PAIR,
    load: { people: 20, perSecond: 1.5, mix: { photo: 0, speech: 1, speechMs: 10_000 } },
    seconds: 16,
  },
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
    load: { ...USUAL, perSecond: undefined },
    seconds: 15,
    env: { SERVICE_CONCURRENCY: '64', WORKERS: '64' },
  },
  { name: 'repeated', bots: PAIR, load: { ...USUAL, repeated: 0.5 }, seconds: 20 },
  {
    name: 'blocks',
    bots: ['lotsawa'],
    load: { ...USUAL, repeated: 0.2, neighbour: { kind: 'big-photo', everyMs: 1000 } },
    seconds: 20,
    watchesLoop: true,
  },
];
