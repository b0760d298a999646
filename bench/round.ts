/** One round: one bot under one load, from its start to its figures. */
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgresServer } from '../test/postgres-server.ts';
import type { BotName } from './bots.ts';
import { type Figures, summarise } from './figures.ts';
import type { Exchange, Faults } from './load/exchange.ts';
import { watchOwnLag } from './load/lag.ts';
import { createCrowd, NEIGHBOUR } from './load/load.ts';
import type { Voice } from './load/sound.ts';
import type { BotProcess } from './process.ts';
import type { Scenario } from './scenarios.ts';
import { openStage, type Stage } from './stage.ts';

export interface Round extends Figures {
  readonly bot: BotName;
  readonly seed: number;
  readonly faults: Faults;
  /** The generator's own delay, 99th percentile, in ms. */
  readonly lagMs: number;
}

const WARM_UP_MS = 4000;
const DRAIN_WITHIN_MS = 60_000;
/** A round is run again, this often at most, if the generator lagged by more than this. */
const MAX_LAG_MS = 10;
const TRIES = 3;

/** A round in which the generator lagged is run again. */
export async function runRound(scenario: Scenario, bot: BotName, seed: number, voice: Voice): Promise<Round> {
  for (let attempt = 1; ; attempt += 1) {
    const round = await runOnce(scenario, bot, seed, voice);
    if (round.lagMs <= MAX_LAG_MS || attempt === TRIES) return round;
    console.error(`    the generator lagged by ${round.lagMs.toFixed(1)} ms: once more`);
  }
}

/** Runs a round only once, however much the generator lagged: a database that stays keeps what was asked for. */
export async function runOnce(scenario: Scenario, bot: BotName, seed: number, voice: Voice): Promise<Round> {
  await using ends = new AsyncDisposableStack();
  let { env } = scenario;
  if (scenario.onPostgres === true && bot === 'lotsawa') {
    const server = await startPostgresServer();
    ends.defer(server.close);
    env = { ...env, DATABASE_URL: await server.createDatabase() };
  }
  const { telegramMs, times } = scenario;
  const stage = ends.use(await openStage({ voice, telegramMs, times }));
  const crowd = await createCrowd(scenario.load, seed, stage);
  const process = await stage.start(bot, { ...(env && { env }) });

  await crowd.run({ ms: WARM_UP_MS });
  await drained(crowd.exchange, process);
  const before = { ...counts(process, stage), asked: crowd.exchange.all().length };
  process.resetPeaks();
  const lag = watchOwnLag();
  const beganAt = performance.now();
  await crowd.run({ ms: scenario.seconds * 1000 });
  const endedAt = performance.now();
  await drained(crowd.exchange, process);
  const lagMs = lag();
  const after = counts(process, stage);

  const measured = crowd.exchange.all().slice(before.asked);
  const faults = crowd.exchange.faults();
  return {
    bot,
    seed,
    lagMs,
    faults: { ...faults, wrong: faults.wrong + stage.service.wrong() },
    ...summarise({
      exchanged: measured.filter(({ request }) => request.person !== NEIGHBOUR),
      all: measured,
      callOf: stage.service.call,
      seconds: (endedAt - beganAt) / 1000,
      endedAt,
      cpuS: after.cpuS - before.cpuS,
      ownCpuS: after.ownCpuS - before.ownCpuS,
      botApiCalls: after.botApiCalls - before.botApiCalls,
      paid: after.paid - before.paid,
      largestMb: after.largestMb,
      treeMb: after.treeMb,
    }),
  };
}

async function drained(exchange: Exchange, process: BotProcess): Promise<void> {
  const until = performance.now() + DRAIN_WITHIN_MS;
  while (exchange.waiting() > 0 && performance.now() < until) {
    if (process.hasEnded()) throw new Error(`a bot ended:\n${process.errors()}`);
    await delay(20);
  }
}

function counts(process: BotProcess, { telegram, service }: Stage) {
  return { ...process.usage(), botApiCalls: telegram.calls(), paid: service.paid() };
}
