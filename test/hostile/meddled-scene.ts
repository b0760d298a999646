/** A scene with a meddler between the bot and Telegram, and another between it and the service. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { hasTibetan, newChinese, numberOf } from '../phrases.ts';
import { type Scene, startScene } from '../scene.ts';
import { type Meddler, startMeddler } from './meddler.ts';

export interface MeddledScene extends Scene {
  /** Before the Bot API. */
  readonly beforeTelegram: Meddler;
  /** Before the token, recognition, translation and speech. */
  readonly beforeService: Meddler;
  /** Somebody new sends a text and has its translation: the bot lives, and takes updates in. */
  servesOthers(): Promise<void>;
  /** The bot gets this as the body of an answer to `getUpdates`; resolves when it asks again, and so is done with it. */
  givesUpdates(body: string): Promise<void>;
  /** Resolves when nothing waits in the bot's queue or is handled. */
  idle(): Promise<void>;
}

/** Resolves when the bot asks for updates. */
export async function startMeddledScene(env: Record<string, string> = {}): Promise<MeddledScene> {
  const meddlers: Meddler[] = [];
  const scene = await startScene({
    env,
    between: async (telegram, service) => {
      meddlers.push(await startMeddler(telegram.apiRoot), await startMeddler(service.url));
      const [toTelegram = '', toService = ''] = meddlers.map(({ url }) => url);
      return {
        TELEGRAM_API_ROOT: toTelegram,
        SERVICE_AUTH_URL: toService,
        SERVICE_BASE_URL: toService,
      };
    },
  });
  const [beforeTelegram, beforeService] = meddlers;
  if (beforeTelegram === undefined || beforeService === undefined) throw new Error('nobody meddles');

  const servesOthers = async (): Promise<void> => {
    const text = newChinese();
    const answer = await scene.ask(scene.newcomer(), text);
    if (!hasTibetan(answer.text) || numberOf(answer.text) !== numberOf(text)) {
      throw new Error(`instead of a translation came: ${answer.text}`);
    }
  };

  return {
    ...scene,
    beforeTelegram,
    beforeService,
    servesOthers,
    givesUpdates: async (body) => {
      const { promise: takenIn, resolve } = Promise.withResolvers<void>();
      void beforeTelegram.next('/getUpdates', (response) => {
        void beforeTelegram.comes('/getUpdates').then(resolve);
        response.setHeader('content-type', 'application/json').end(body);
      });
      // Ends the poll that is under way, so that the next one comes.
      await servesOthers();
      await takenIn;
    },
    idle: async () => {
      const metrics = async () => {
        const port = /"port":(\d+)/.exec(scene.log())?.[1];
        return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      };
      await expect.poll(metrics, { timeout: 100_000 }).toMatch(/^lotsawa_queue_depth 0$/m);
    },
    close: async () => {
      await scene.close();
      await Promise.all(meddlers.map((meddler) => meddler.close()));
    },
  };
}

/** The most memory that a process has held so far (VmHWM), in MB. */
export function peakMemoryMb(pid: number | undefined): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
