/** The fault matrix of the call that sets the webhook: whatever becomes of it, updates are delivered in the end. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type LocalService, startLocalService } from '../../sandbox/service/local-service.ts';
import { createQuickEngines } from '../../sandbox/service/quick-engines.ts';
import { startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import { botEnvironment, makeBotFolder, startBotProcess, TOKEN } from '../bot-process.ts';
import { freePort } from '../free-port.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { BROKEN_CONNECTIONS, NO_ANSWERS, ODD_BUT_TRUE } from './breakages.ts';
import { type Breakage, startFaultProxy } from './fault-proxy.ts';
import { KINDS, REFUSALS } from './telegram-refusals.ts';

const FAILURES = Object.entries({ ...BROKEN_CONNECTIONS, ...NO_ANSWERS, ...REFUSALS }).filter(([fault]) =>
  KINDS.includes(fault),
);
/** With an oddity after them, which may be an answer, as many as the tries that a call has. */
const FAILURES_A_START = 4;
const LINES = Array.from({ length: Math.ceil(FAILURES.length / FAILURES_A_START) }, (_, index) => [
  ...FAILURES.slice(index * FAILURES_A_START, (index + 1) * FAILURES_A_START),
  ...Object.entries(ODD_BUT_TRUE).slice(index, index + 1),
]);
/** Silence, which only the time limit of every call ends, is the matter of `telegram`. */
const STARTS = LINES.map(
  (faults) =>
    [faults.map(([fault]) => fault).join(', then '), faults.map(([, breakage]) => breakage)] as const,
);

let service: LocalService;
beforeAll(async () => {
  service = await startLocalService({ engines: createQuickEngines() });
});
afterAll(() => service.close());

/** A bot that takes its updates by webhook, and whose first calls of `setWebhook` break in these ways. */
async function startBot(breakages: readonly Breakage[]) {
  const ends = new AsyncDisposableStack();
  const folder = makeBotFolder();
  ends.defer(() => folder.remove());
  const telegram = await startLocalTelegram({ token: TOKEN });
  ends.defer(() => telegram.close());
  const proxy = await startFaultProxy({ target: telegram.apiRoot });
  ends.defer(() => proxy.close());
  const rules = breakages.map((breakage) => proxy.breakNext({ call: 'setWebhook', mark: '', breakage }));
  const port = String(await freePort());
  const webhook = {
    WEBHOOK_URL: `http://127.0.0.1:${port}/telegram`,
    WEBHOOK_SECRET: 'a-secret',
    PORT: port,
  };
  const settings = { ...botEnvironment(telegram, service, folder), ...webhook, TELEGRAM_API_ROOT: proxy.url };
  const bot = startBotProcess(settings, folder);
  ends.defer(async () => {
    await bot.stop('SIGKILL');
  });
  return { bot, world: telegram.world, rules, [Symbol.asyncDispose]: () => ends.disposeAsync() };
}

describe('a webhook whose setting meets', () => {
  it.concurrent.for(STARTS)('%s is set', async ([, breakages], { expect }) => {
    await using scene = await startBot(breakages);
    const { bot, world, rules } = scene;
    await bot.says(' · webhook · ');
    const person = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
    const asked = person.send(person.chat, { text: newChinese() });
    const isAnswer = ({ from }: { from?: { is_bot: boolean } }) => from?.is_bot === true;
    const answer = await world.waitForMessage(asked.chat, isAnswer, { after: asked });
    expect(answer.text).toSatisfy(hasTibetan);
    expect(rules.map(({ broken }) => broken())).toEqual(breakages.map(() => 1));
    expect(bot.output()).not.toMatch(/uncaught|unhandled/i);
  });
});
