/** A process that is started while the one before it still finishes takes over from it: nothing is lost, said or paid twice. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalService, startLocalService } from '../src/sandbox/service/local-service.ts';
import { createQuickEngines } from '../src/sandbox/service/quick-engines.ts';
import { type LocalTelegram, startLocalTelegram } from '../src/sandbox/telegram/local-telegram.ts';
import {
  type BotFolder,
  type BotProcess,
  botEnvironment,
  makeBotFolder,
  startBotProcess,
  TOKEN,
} from './bot-process.ts';
import { newChinese, newTibetan, numberOf } from './phrases.ts';

let service: LocalService;
let telegram: LocalTelegram;
let folder: BotFolder;
const bots: BotProcess[] = [];
beforeAll(async () => {
  service = await startLocalService({ engines: createQuickEngines() });
  telegram = await startLocalTelegram({ token: TOKEN });
  service.onChange(() => telegram.world.events.emit('change'));
  folder = makeBotFolder();
});
afterAll(async () => {
  await Promise.all(bots.map((bot) => bot.stop('SIGKILL')));
  await telegram.close();
  await service.close();
  folder.remove();
});

function startBot(): BotProcess {
  const bot = startBotProcess(botEnvironment(telegram, service, folder), folder);
  bots.push(bot);
  return bot;
}

it.each(['SIGTERM', 'SIGKILL'] as const)('after %s', async (signal) => {
  const before = bots.at(-1) ?? startBot();
  await before.says('is ready');
  const { world } = telegram;
  const person = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  const paid = service.paid().calls;
  service.faults.next('translation', { type: 'slow', ms: 2000 });
  const running = person.send(person.chat, { text: newChinese() });
  const waiting = person.send(person.chat, { text: newTibetan() });
  await world.waitUntil(() => service.calls.some(({ outcome }) => outcome === 'running'));
  const stopped = signal === 'SIGTERM' ? before.stop(signal) : undefined;
  const after = startBot();
  if (signal === 'SIGKILL') {
    await after.says('its end is waited for');
    await before.stop(signal);
  }
  await stopped;
  await after.says('is ready');

  const answers = () => world.messages(person.chat).filter(({ from }) => from?.is_bot);
  await world.waitUntil(() => answers().some(({ text }) => numberOf(text) === numberOf(waiting.text)));
  expect(answers().map(({ text }) => numberOf(text))).toEqual(
    [running, waiting].map((m) => numberOf(m.text)),
  );
  // What a kill cut off was bought, and its result lost with the process.
  expect(service.paid().calls - paid).toBeLessThanOrEqual(signal === 'SIGKILL' ? 3 : 2);
});
