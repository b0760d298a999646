/** A light Telegram, a light service, and the bots between them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../test/free-port.ts';
import { type BotName, startNamed } from './bots.ts';
import { type LightService, type ServiceTimes, startLightService, USUAL_TIMES } from './load/service.ts';
import type { Voice } from './load/sound.ts';
import { type LightTelegram, startLightTelegram } from './load/telegram.ts';
import type { BotProcess } from './process.ts';

export interface Stage extends AsyncDisposable {
  readonly telegram: LightTelegram;
  readonly service: LightService;
  /** Starts a bot; resolves once it takes updates and has registered its menus. */
  start(
    name: BotName,
    how?: { env?: Readonly<Record<string, string>>; nodeOptions?: readonly string[] },
  ): Promise<BotProcess>;
}

/** A machine that is busy with other work takes its time. */
const START_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 50;
/** Menus are registered after this time without a call to Telegram. */
const QUIET_MS = 500;
const SILENCE: Voice = (ms) => Buffer.alloc(ms * 32);

export async function openStage(
  options: { voice?: Voice; telegramMs?: number | undefined; times?: Partial<ServiceTimes> | undefined } = {},
): Promise<Stage> {
  const { voice = SILENCE, telegramMs = 0, times } = options;
  const ends = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-bench-'));
  ends.defer(() => rmSync(folder, { recursive: true, force: true }));
  const telegram = await startLightTelegram(telegramMs);
  ends.defer(telegram.close);
  const service = await startLightService(voice, { ...USUAL_TIMES, ...times });
  ends.defer(service.close);

  return {
    telegram,
    service,
    start: async (name, { env, nodeOptions = [] } = {}) => {
      const port = env?.PORT ?? String(await freePort());
      const servers = { telegramUrl: telegram.url, serviceUrl: service.url };
      const bot = startNamed(name, { ...servers, folder, nodeOptions, env: { PORT: port, ...env } });
      ends.defer(bot.stop);
      const until = performance.now() + START_WITHIN_MS;
      while (!(await isReady(name, port, telegram))) {
        if (bot.hasEnded() || performance.now() > until)
          throw new Error(`a bot did not start:\n${bot.errors()}`);
        await delay(LOOK_EVERY_MS);
      }
      return bot;
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** The others have no `/readyz`; of several processes of Lotsawa one alone polls. */
async function isReady(name: BotName, port: string, telegram: LightTelegram): Promise<boolean> {
  const polledAt = await Promise.race([telegram.polled, delay(LOOK_EVERY_MS)]);
  if (polledAt === undefined || performance.now() - telegram.lastCallAt() < QUIET_MS) return false;
  if (name !== 'lotsawa') return true;
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  return answer?.ok === true;
}
