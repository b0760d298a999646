/** One round: one bot under one load, from its start to its figures. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BotName, startNamed } from './bots.ts';
import { type Figures, summarise } from './figures.ts';
import type { Faults } from './load/exchange.ts';
import { watchOwnLag } from './load/lag.ts';
import { createCrowd, NEIGHBOUR } from './load/load.ts';
import { type LightService, startLightService, USUAL_TIMES } from './load/service.ts';
import type { Voice } from './load/sound.ts';
import { type LightTelegram, startLightTelegram } from './load/telegram.ts';
import { LOOP_PROBE, longestBlocks } from './loop-probe.ts';
import type { BotProcess } from './process.ts';
import type { Scenario } from './scenarios.ts';

export interface Round extends Figures {
  readonly bot: BotName;
  readonly seed: number;
  readonly faults: Faults;
  /** The generator's own delay, 99th percentile, in ms. */
  readonly lagMs: number;
  readonly longestBlockMs: number | undefined;
  readonly longestBlockWallMs: number | undefined;
}

const START_WITHIN_MS = 20_000;
const WARM_UP_MS = 4000;
/** A bot counts as started after this time without a call to Telegram: its menus are registered by then. */
const QUIET_MS = 500;
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
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-bench-'));
  ends.defer(() => rmSync(folder, { recursive: true, force: true }));
  let telegram: LightTelegram | undefined;
  const theTelegram = (): LightTelegram => {
    if (telegram === undefined) throw new Error('Telegram has not begun');
    return telegram;
  };
  const crowd = await createCrowd(scenario.load, seed, theTelegram);
  telegram = await startLightTelegram({
    answerMs: scenario.telegramMs ?? 0,
    onSent: crowd.exchange.sent,
  });
  ends.defer(telegram.close);
  const service = await startLightService({
    voice,
    times: { ...USUAL_TIMES, ...scenario.times },
    speechMs: crowd.speechMs,
    pictureBytes: crowd.pictureBytes,
  });
  ends.defer(service.close);
  const watches = scenario.watchesLoop === true;
  const process = startNamed(bot, {
    telegramUrl: telegram.url,
    serviceUrl: service.url,
    folder,
    ...(scenario.env && { env: scenario.env }),
    ...(watches && { nodeOptions: LOOP_PROBE }),
  });
  ends.defer(process.stop);
  await started(process, telegram);

  await crowd.run(WARM_UP_MS);
  await drained(crowd.exchange.waiting, process);
  if (watches) await longestBlocks(process);
  const before = { ...counts(process, telegram, service), asked: crowd.exchange.all().length };
  process.resetPeaks();
  const lag = watchOwnLag();
  const beganAt = performance.now();
  await crowd.run(scenario.seconds * 1000);
  const endedAt = performance.now();
  await drained(crowd.exchange.waiting, process);
  const lagMs = lag();
  const after = counts(process, telegram, service);
  const probe = watches ? await longestBlocks(process) : undefined;

  const measured = crowd.exchange.all().slice(before.asked);
  const faults = crowd.exchange.faults();
  return {
    bot,
    seed,
    lagMs,
    longestBlockMs: probe?.longestCpuMs,
    longestBlockWallMs: probe?.longestWallMs,
    faults: { ...faults, wrong: faults.wrong + service.wrong() },
    ...summarise({
      exchanged: measured.filter(({ request }) => request.person !== NEIGHBOUR),
      all: measured,
      callOf: service.call,
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

/** Resolves when the bot polls and has registered its menus. */
async function started(process: BotProcess, telegram: LightTelegram): Promise<void> {
  const polled = await Promise.race([telegram.polled, delay(START_WITHIN_MS)]);
  if (polled === undefined) throw new Error(`a bot did not start:\n${process.errors()}`);
  while (performance.now() - telegram.lastCallAt() < QUIET_MS) await delay(QUIET_MS / 5);
}

async function drained(waiting: () => number, process: BotProcess): Promise<void> {
  const until = performance.now() + DRAIN_WITHIN_MS;
  while (waiting() > 0 && performance.now() < until) {
    if (process.hasEnded()) throw new Error(`a bot ended:\n${process.errors()}`);
    await delay(20);
  }
}

function counts(process: BotProcess, telegram: LightTelegram, service: LightService) {
  return { ...process.usage(), botApiCalls: telegram.calls(), paid: service.paid() };
}
