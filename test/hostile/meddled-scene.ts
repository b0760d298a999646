/** The real bot, with a meddler between it and Telegram and another between it and the service. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type LocalService, startLocalService } from '../../sandbox/service/local-service.ts';
import { createQuickEngines } from '../../sandbox/service/quick-engines.ts';
import { type LocalTelegram, startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { type BotProcess, botEnvironment, makeBotFolder, startBotProcess, TOKEN } from '../bot-process.ts';
import { hasTibetan, isAnswer, newChinese, numberOf } from '../phrases.ts';
import { type Meddler, startMeddler } from './meddler.ts';

export interface MeddledScene {
  readonly telegram: LocalTelegram;
  readonly service: LocalService;
  /** Before the Bot API. */
  readonly beforeTelegram: Meddler;
  /** Before the token, recognition, translation and speech. */
  readonly beforeService: Meddler;
  readonly bot: BotProcess;
  newcomer(): Person;
  /** The bot's first message after `asked`, in its chat. */
  answerTo(asked: Message, timeoutMs?: number): Promise<Message>;
  /** Somebody new sends a text and has its translation: the bot lives, and takes updates in. */
  servesOthers(): Promise<void>;
  /** The bot gets this as the body of an answer to `getUpdates`; resolves when it asks again, and so is done with it. */
  givesUpdates(body: string): Promise<void>;
  /** Resolves when nothing waits in the bot's queue or is handled. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Resolves when the bot asks for updates. */
export async function startMeddledScene(env: Record<string, string> = {}): Promise<MeddledScene> {
  const service = await startLocalService({ engines: createQuickEngines() });
  const telegram = await startLocalTelegram({ token: TOKEN });
  const { world } = telegram;
  const beforeTelegram = await startMeddler(telegram.apiRoot);
  const beforeService = await startMeddler(service.url);
  const folder = makeBotFolder();
  const meddled = {
    TELEGRAM_API_ROOT: beforeTelegram.url,
    SERVICE_AUTH_URL: beforeService.url,
    SERVICE_BASE_URL: beforeService.url,
  };
  const bot = startBotProcess({ ...botEnvironment(telegram, service, folder), ...meddled, ...env }, folder);
  await telegram.botReady();

  const newcomer = () => world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  const answerTo: MeddledScene['answerTo'] = (asked, timeoutMs = 50_000) => {
    return world.waitForMessage(asked.chat, isAnswer, { after: asked, timeoutMs });
  };

  const servesOthers = async (): Promise<void> => {
    const person = newcomer();
    const asked = person.send(person.chat, { text: newChinese() });
    const answer = await answerTo(asked);
    if (!hasTibetan(answer.text) || numberOf(answer.text) !== numberOf(asked.text)) {
      throw new Error(`instead of a translation came: ${answer.text}`);
    }
  };

  return {
    telegram,
    service,
    beforeTelegram,
    beforeService,
    bot,
    newcomer,
    answerTo,
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
        const port = /"port":(\d+)/.exec(bot.output())?.[1];
        return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      };
      await expect.poll(metrics, { timeout: 100_000 }).toMatch(/^lotsawa_queue_depth 0$/m);
    },
    close: async () => {
      await bot.stop('SIGKILL');
      await Promise.all([beforeTelegram.close(), beforeService.close()]);
      await telegram.close();
      await service.close();
      folder.remove();
    },
  };
}

/** The most memory that a process has held so far (VmHWM), in MB. */
export function peakMemoryMb(pid: number | undefined): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
