/** Measurements of Lotsawa without a comparison in rounds: its start, and a long day of everything. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BotName } from './bots.ts';
import { createCrowd } from './load/load.ts';
import { WHOLE_MIX } from './load/requests.ts';
import type { Voice } from './load/sound.ts';
import { LOOP_PROBE, longestBlocks } from './loop-probe.ts';
import { backlog, limits, scale, units } from './scale/singles.ts';
import { openStage } from './stage.ts';

interface Options {
  readonly voice: Voice;
  readonly isQuick: boolean;
  readonly rounds: number;
}

type Single = (options: Options) => Promise<Record<string, number[]>>;

export const SINGLES: Readonly<Record<string, Single>> = { start, soak };

/** Measurements with much kept, or much waiting: they take long, so each runs only by name. */
export const AT_SCALE: Readonly<Record<string, Single>> = { backlog, scale, units, limits };

/** From the start of the process to its first getUpdates; the first start of each only warms the caches. */
async function start({ rounds }: Options): Promise<Record<string, number[]>> {
  const measured: Record<string, number[]> = {};
  for (const bot of ['lotsawa', 'grammy', 'telegraf'] satisfies BotName[]) {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await using stage = await openStage();
      const { startedAt } = await stage.start(bot);
      times.push((await stage.telegram.polled) - startedAt);
    }
    measured[bot] = times.slice(1);
  }
  return measured;
}

const SOAKED = { full: 100_000, quick: 10_000 };
const STEPS = 10;
const SOAK = { people: 2016, atOnce: 48, mix: WHOLE_MIX };
const SOAK_TIMES = { translationMs: 20, recognitionMs: 50, firstSoundMs: 50, speed: 100 };
/** A pause before looking at memory, so that garbage does not count. */
const REST_MS = 3000;

/** Everything that people ask of the bot: the figures after each tenth of it, and what went wrong. */
async function soak({ isQuick, voice }: Options): Promise<Record<string, number[]>> {
  await using stage = await openStage({ voice, times: SOAK_TIMES });
  const crowd = await createCrowd(SOAK, 1, stage);
  const bot = await stage.start('lotsawa', { nodeOptions: LOOP_PROBE });
  // Loading the bot's code blocks the loop before anybody asks.
  await longestBlocks(bot);
  const steps: { ownMb: number; openFiles: number; blockedMs: number }[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    await crowd.run({ requests: SOAKED[isQuick ? 'quick' : 'full'] / STEPS });
    const { longestCpuMs: blockedMs } = await longestBlocks(bot);
    await delay(REST_MS);
    steps.push({ ...bot.usage(), blockedMs });
  }
  const { lost, doubled, wrong } = crowd.exchange.faults();
  return {
    'memory MB': steps.map(({ ownMb }) => ownMb),
    'open files': steps.map(({ openFiles }) => openFiles),
    'longest block of the loop, ms': steps.map(({ blockedMs }) => blockedMs),
    'lost, doubled, wrong': [lost, doubled, wrong],
  };
}
