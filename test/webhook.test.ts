/** The bot takes its updates by webhook where one is configured, and goes back to polling when it is not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalService, startLocalService } from '../sandbox/service/local-service.ts';
import { createQuickEngines } from '../sandbox/service/quick-engines.ts';
import { type LocalTelegram, startLocalTelegram } from '../sandbox/telegram/local-telegram.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import { type BotProcess, botEnvironment, makeBotFolder, startBotProcess, TOKEN } from './bot-process.ts';
import { freePort } from './free-port.ts';
import { hasTibetan, isAnswer, newChinese, numberOf } from './phrases.ts';

const SECRET = 'webhook-secret_123';
const folder = makeBotFolder();
let telegram: LocalTelegram;
let service: LocalService;
let bot: BotProcess;
const bots: BotProcess[] = [];
let url: string;

/** Starts the bot with the webhook, or without. */
async function startBot(mode: 'webhook' | 'polling'): Promise<void> {
  const webhook: Record<string, string> =
    mode === 'webhook' ? { WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET } : {};
  const settings = { ...botEnvironment(telegram, service, folder), PORT: new URL(url).port, ...webhook };
  bot = startBotProcess(settings, folder);
  bots.push(bot);
  await bot.says(mode === 'webhook' ? ' · webhook · ' : ' · long polling · ');
}

beforeAll(async () => {
  service = await startLocalService({ engines: createQuickEngines() });
  telegram = await startLocalTelegram({ token: TOKEN });
  url = `http://127.0.0.1:${await freePort()}/telegram`;
  telegram.faults.next('setWebhook', { status: 502, times: 2 });
  await startBot('webhook');
});
afterAll(async () => {
  await bot.stop('SIGKILL');
  await telegram.close();
  await service.close();
  folder.remove();
});

const calls = (method: string) => telegram.calls.filter((call) => call.method === method);
const newcomer = () => telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });

function answerTo(asked: Message, matches = isAnswer): Promise<Message> {
  const isMeant = (message: Message) => message.from?.is_bot === true && matches(message);
  return telegram.world.waitForMessage(asked.chat, isMeant, { after: asked });
}

async function expectAnswered(asked: Message): Promise<void> {
  const answer = await answerTo(asked, ({ text }) => hasTibetan(text));
  expect(numberOf(answer.text)).toBe(numberOf(asked.text));
}

it('Telegram is told where to deliver, again where that failed, with the secret and the kinds of update that are wanted', () => {
  expect(calls('setWebhook').map(({ ok }) => ok)).toEqual([false, false, true]);
  expect(
    calls('setWebhook')
      .slice(-1)
      .map(({ payload }) => payload),
  ).toEqual([
    {
      url,
      secret_token: SECRET,
      max_connections: 100,
      allowed_updates: expect.arrayContaining(['message', 'callback_query']),
    },
  ]);
  expect(calls('getUpdates')).toEqual([]);
});

it('what many people send at once is delivered and answered, to each their own', async () => {
  const asked = Array.from({ length: 30 }, () => {
    const person = newcomer();
    return person.send(person.chat, { text: newChinese() });
  });
  await Promise.all(asked.map(expectAnswered));
});

it('a press is acknowledged without waiting for what its sender had asked before', async () => {
  const person = newcomer();
  const offer = await answerTo(person.send(person.chat, { text: '/dialect' }));
  service.faults.next('translation', { type: 'slow', ms: 59_000 });
  person.send(person.chat, { text: newChinese() });
  await expect.poll(() => service.calls.at(-1)?.outcome).toBe('running');
  await person.press(offer, 'dialect:amdo');
  expect(service.calls.at(-1)?.outcome).toBe('running');
});

describe('a request that is not from Telegram', () => {
  const update = {
    update_id: 1,
    message: { message_id: 1, date: 1, chat: { id: 1, type: 'private' }, text: '你好' },
  };
  const send = (headers: Record<string, string>, body = JSON.stringify(update)) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  const secret = { 'x-telegram-bot-api-secret-token': SECRET };
  const wrong = { 'x-telegram-bot-api-secret-token': `${SECRET}x` };

  it.each<[string, () => Promise<Response>, number]>([
    ['with a wrong secret', () => send(wrong), 401],
    ['with malformed JSON', () => send(secret, '{'), 400],
  ])('(%s) is refused, unpaid', async (_what, request, status) => {
    const before = service.calls.length;
    const answer = await request();
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(/^[A-Z][A-Za-z ]+\n$/);
    expect(service.calls.length).toBe(before);
  });
});

it('what is sent while the bot is away is delivered when it is back; without WEBHOOK_URL, by polling', async () => {
  expect(await bot.stop('SIGKILL')).toBe('SIGKILL');
  const first = newcomer();
  const missed = first.send(first.chat, { text: newChinese() });
  await startBot('webhook');
  await expectAnswered(missed);

  expect(await bot.stop()).toBe(0);
  const later = first.send(first.chat, { text: newChinese() });
  await startBot('polling');
  expect(calls('deleteWebhook').map(({ payload }) => payload)).toEqual([{ drop_pending_updates: false }]);
  await expectAnswered(later);
});

it('and from polling to the webhook again, also when Telegram does not take it at first', async () => {
  expect(await bot.stop()).toBe(0);
  telegram.faults.next('setWebhook', {
    status: 400,
    description: 'Bad Request: bad webhook: Failed to resolve host: Name or service not known',
  });
  await startBot('webhook');
  const person = newcomer();
  await expectAnswered(person.send(person.chat, { text: newChinese() }));
  expect(bot.output()).toContain('WEBHOOK_URL');
});

it('a PORT that is taken ends the start with exit code 1 and says so', async () => {
  const elsewhere = makeBotFolder();
  const PORT = new URL(url).port;
  const second = startBotProcess({ ...botEnvironment(telegram, service, elsewhere), PORT }, elsewhere);
  bots.push(second);
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain(`PORT ${PORT} on HOST 127.0.0.1 is in use`);
  elsewhere.remove();
});

it('the log of all this holds neither the secret nor the token', () => {
  const log = bots.map(({ output }) => output()).join('');
  expect(log).not.toContain(SECRET);
  expect(log).not.toContain(TOKEN.split(':')[1]);
});
