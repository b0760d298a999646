/** Somebody else with the bot's token meddles with its webhook: Telegram goes on delivering all that was asked for. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LocalTelegram, startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import { createLog } from '../../src/log.ts';
import { BotApi } from '../../src/telegram/api/api.ts';
import { keepWebhook, setWebhook } from '../../src/telegram/intake/intake.ts';
import { TOKEN } from '../bot-process.ts';
import { type HttpUnderTest, PATH, SECRET, startHttpUnderTest } from '../http/http-under-test.ts';

const LOOK_EVERY_MS = 20;

let telegram: LocalTelegram;
let server: HttpUnderTest;
let api: BotApi;
let url: string;
let stop: AbortController;
let kept: Promise<void>;
let log: string[];
beforeEach(async () => {
  telegram = await startLocalTelegram({ token: TOKEN });
  server = await startHttpUnderTest();
  url = `${server.url}${PATH}`;
  api = new BotApi({ token: TOKEN, apiRoot: telegram.apiRoot });
  stop = new AbortController();
  log = [];
  const deps = { api, log: createLog('debug', { write: (line) => log.push(line) }) };
  const webhook = { url, secret: SECRET };
  await setWebhook(webhook, deps, stop.signal);
  kept = keepWebhook(webhook, deps, stop.signal, LOOK_EVERY_MS);
});
afterEach(async () => {
  stop.abort();
  await kept;
  await server.close();
  await telegram.close();
});

const settings = () => telegram.calls.filter(({ method }) => method === 'setWebhook').length;
const looks = () => telegram.calls.filter(({ method }) => method === 'getWebhookInfo').length;

async function lookedTwiceMore(): Promise<void> {
  const before = looks();
  await expect.poll(looks).toBeGreaterThan(before + 2);
}

it.each<[string, () => Promise<unknown>]>([
  ['removed it', () => api.deleteWebhook()],
  ['led it elsewhere', () => api.setWebhook('https://elsewhere.example.org/')],
])('who has %s changes nothing for long', async (_, meddle) => {
  await lookedTwiceMore();
  expect(settings()).toBe(1);
  const asItWas = await api.getWebhookInfo();
  await meddle();
  const pema = telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  pema.send(pema.chat, { text: 'delivered or not' });
  await expect.poll(() => log.join('')).toContain('setting it again');
  // The log speaks before Telegram has done it, and until then what is not asked for is not delivered.
  const { max_connections, allowed_updates } = asItWas;
  await expect.poll(() => api.getWebhookInfo()).toMatchObject({ url, max_connections, allowed_updates });
  const asked = pema.send(pema.chat, { text: 'delivered' });
  await expect
    .poll(() => server.queued())
    .toContainEqual(
      expect.objectContaining({ message: expect.objectContaining({ message_id: asked.message_id }) }),
    );
  const settled = settings();
  await lookedTwiceMore();
  expect(settings()).toBe(settled);
  expect(log.join('')).not.toContain(SECRET);
});

it('why Telegram cannot deliver is in the log', async () => {
  await lookedTwiceMore();
  expect(log.join('')).not.toContain('failed to deliver');
  await server.close();
  const pema = telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  pema.send(pema.chat, { text: 'not delivered' });
  await expect.poll(() => log.join('')).toMatch(/Connection failed.*failed to deliver an update/);
  expect(settings()).toBe(1);
});
