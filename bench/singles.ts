/** Measurements of Lotsawa without a crowd: its start, and its memory over time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BotName, startNamed } from './bots.ts';
import { createCrowd } from './load/load.ts';
import { USUAL_MIX } from './load/requests.ts';
import { startLightService, USUAL_TIMES } from './load/service.ts';
import type { Voice } from './load/sound.ts';
import { type LightTelegram, startLightTelegram } from './load/telegram.ts';
import { backlog, scale, units } from './scale/singles.ts';

type Single = (options: {
  voice: Voice;
  isQuick: boolean;
  rounds: number;
}) => Promise<Record<string, number[]>>;

export const SINGLES: Readonly<Record<string, Single>> = { start, memory };

/** Measurements with much kept, or much waiting: they take long, so each runs only by name. */
export const AT_SCALE: Readonly<Record<string, Single>> = { backlog, scale, units };

/** From the start of the process to its first getUpdates; the first start of each only warms the caches. */
async function start({ rounds }: { rounds: number }): Promise<Record<string, number[]>> {
  const measured: Record<string, number[]> = {};
  for (const bot of ['lotsawa', 'grammy', 'telegraf'] satisfies BotName[]) {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) times.push(await startOnce(bot));
    measured[bot] = times.slice(1);
  }
  return measured;
}

async function startOnce(bot: BotName): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-bench-'));
  const telegram = await startLightTelegram({ answerMs: 0, onSent: () => undefined });
  const process = startNamed(bot, { telegramUrl: telegram.url, serviceUrl: telegram.url, folder });
  const readyAt = await telegram.polled;
  await delay(500);
  await process.stop();
  await telegram.close();
  rmSync(folder, { recursive: true, force: true });
  return readyAt - process.startedAt;
}

const FEWER = { full: 10_000, quick: 1000 };
const TIMES_MORE = 10;
/** A pause before looking at memory, so that garbage does not count. */
const REST_MS = 3000;

/** The memory after many updates, compared with that after a tenth of them. */
async function memory({
  isQuick,
  voice,
}: {
  isQuick: boolean;
  voice: Voice;
}): Promise<Record<string, number[]>> {
  await using ends = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-bench-'));
  ends.defer(() => rmSync(folder, { recursive: true, force: true }));
  const fewer = isQuick ? FEWER.quick : FEWER.full;
  let telegram: LightTelegram | undefined;
  const crowd = (seed: number, requests: number) =>
    createCrowd(
      { people: 50, perSecond: undefined, mix: { ...USUAL_MIX, photo: 0, speech: 0 }, requests },
      seed,
      () => {
        if (telegram === undefined) throw new Error('Telegram has not begun');
        return telegram;
      },
    );
  const before = await crowd(1, fewer);
  const after = await crowd(2, fewer * (TIMES_MORE - 1));
  let present = before;
  telegram = await startLightTelegram({ answerMs: 0, onSent: (sent) => present.exchange.sent(sent) });
  ends.defer(telegram.close);
  const service = await startLightService({
    voice,
    times: { ...USUAL_TIMES, translationMs: 0 },
    speechMs: () => 0,
    pictureBytes: () => 0,
  });
  ends.defer(service.close);
  const process = startNamed('lotsawa', { telegramUrl: telegram.url, serviceUrl: service.url, folder });
  ends.defer(process.stop);
  await telegram.polled;

  await before.run(0);
  await delay(REST_MS);
  const fewerMb = process.usage().ownMb;
  present = after;
  await after.run(0);
  await delay(REST_MS);
  const moreMb = process.usage().ownMb;
  return { fewerMb: [fewerMb], moreMb: [moreMb], ratio: [moreMb / fewerMb] };
}
