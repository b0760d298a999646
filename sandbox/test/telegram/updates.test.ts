/** Long polling and the webhook. */
import { createServer } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '../../telegram/person.ts';
import { type BotClient, startBotClient, TOKEN } from './bot-client.ts';

let bot: BotClient;
let tashi: Person;

beforeEach(async () => {
  bot = await startBotClient();
  tashi = bot.telegram.world.addPerson({ firstName: 'Tashi', languageCode: 'bo' });
  return () => bot.close();
});

test('a waiting poll ends with all updates of the first one’s moment', async () => {
  const poll = bot.call('getUpdates', { timeout: 50 });
  await bot.telegram.botReady();
  const { message_id } = tashi.send(tashi, { text: 'hello' });
  tashi.send(tashi, { text: 'and goodbye' });
  expect((await poll).result).toMatchObject([
    { message: { message_id, text: 'hello', chat: { id: tashi.id }, from: { language_code: 'bo' } } },
    { message: { text: 'and goodbye' } },
  ]);
});

test('updates come again until confirmed; a negative offset keeps the last', async () => {
  for (const text of ['one', 'two', 'three']) tashi.send(tashi, { text });
  const first = await bot.call('getUpdates', { limit: 2 });
  expect(first.result).toMatchObject([{ message: { text: 'one' } }, { message: { text: 'two' } }]);
  expect(await bot.call('getUpdates', { limit: 2 })).toEqual(first);
  const [one, two] = await bot.updates();
  expect((two?.update_id ?? 0) - (one?.update_id ?? 0)).toBe(1);
  // The bot's own messages never come back to it.
  await bot.send({ chat_id: tashi.id, text: 'from me' });
  expect(await bot.updates()).toEqual([]);
  for (const text of ['four', 'five']) tashi.send(tashi, { text });
  const last = [{ message: { text: 'five' } }];
  expect((await bot.call('getUpdates', { offset: -1 })).result).toMatchObject(last);
  expect(await bot.updates()).toMatchObject(last);
});

test('a second poll ends the first with 409', async () => {
  const first = bot.call('getUpdates', { timeout: 50 });
  await bot.telegram.botReady();
  const second = bot.call('getUpdates', { timeout: 50 });
  expect(await first).toMatchObject({
    error_code: 409,
    description:
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  });
  tashi.send(tashi, { text: 'hello' });
  expect((await second).result).toHaveLength(1);
});

test('a poll whose connection is gone swallows nothing', async () => {
  const gone = new AbortController();
  const url = `${bot.telegram.apiRoot}/bot${TOKEN}/getUpdates?timeout=50`;
  const poll = fetch(url, { signal: gone.signal });
  await bot.telegram.botReady();
  gone.abort();
  await expect(poll).rejects.toThrow();
  await bot.telegram.world.waitUntil(() => bot.telegram.calls.every(({ answered }) => answered));
  tashi.send(tashi, { text: 'hello' });
  expect(await bot.updates()).toHaveLength(1);
});

test('reactions come only if asked for, and only then', async () => {
  const message = tashi.send(tashi, { text: 'hello' });
  tashi.react(message, ['👍']);
  expect(await bot.updates()).toHaveLength(1);
  await bot.call('getUpdates', { allowed_updates: ['message_reaction'] });
  tashi.react(message, ['👍']);
  tashi.send(tashi, { text: 'not asked for' });
  expect(await bot.updates()).toMatchObject([{ message_reaction: { new_reaction: [{ emoji: '👍' }] } }]);
});

interface Hook {
  url: string;
  /** Each request: its secret and its update. */
  taken: Array<{ secret: unknown; update: { message?: { text?: string } } }>;
  close(): void;
}

/** A webhook that refuses the first two requests, and answers with `reply` afterwards. */
async function startHook(reply: object): Promise<Hook> {
  const taken: Hook['taken'] = [];
  let refusals = 2;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (refusals > 0) {
      refusals -= 1;
      response.writeHead(500).end();
      return;
    }
    const secret = request.headers['x-telegram-bot-api-secret-token'];
    taken.push({ secret, update: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}/hook`, taken, close: () => void server.close() };
}

test('a webhook gets every update in order, again after a failure', async () => {
  const hook = await startHook({ method: 'sendMessage', chat_id: tashi.id, text: 'in the answer' });
  tashi.send(tashi, { text: 'before' });
  expect(await bot.call('setWebhook', { url: hook.url, secret_token: 's3cret' })).toMatchObject({ ok: true });
  tashi.send(tashi, { text: 'after' });

  await bot.telegram.world.waitUntil(() => bot.telegram.world.messages(tashi).length === 4);

  expect(hook.taken.map(({ update }) => update.message?.text)).toEqual(['before', 'after']);
  expect(hook.taken.map(({ secret }) => secret)).toEqual(['s3cret', 's3cret']);
  expect((await bot.call('getWebhookInfo')).result).toMatchObject({
    url: hook.url,
    last_error_message: 'Wrong response from the webhook: 500 Internal Server Error',
  });
  expect(await bot.call('getUpdates')).toMatchObject({
    error_code: 409,
    description:
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  });
  await bot.call('deleteWebhook');
  expect(await bot.call('getUpdates')).toMatchObject({ ok: true });
  hook.close();
});

test('deleting the webhook can drop what waits', async () => {
  tashi.send(tashi, { text: 'hello' });
  await bot.call('deleteWebhook', { drop_pending_updates: true });
  expect(await bot.updates()).toEqual([]);
});
