/** What the local Telegram can be told to do to calls, and the record of them. */
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Person } from '../../telegram/person.ts';
import { type BotClient, startBotClient, TOKEN } from './bot-client.ts';

let bot: BotClient;
let tashi: Person;
let clock: number;

beforeEach(async () => {
  clock = Date.parse('2026-01-01T00:00:00Z');
  bot = await startBotClient({ now: () => new Date(clock) });
  tashi = bot.telegram.world.addPerson({ firstName: 'Tashi' });
  return () => bot.close();
});

const say = () => bot.call('sendMessage', { chat_id: tashi.id, text: 'hi' });

test('an error comes as often as planned, and has no effect', async () => {
  const { faults, world } = bot.telegram;
  faults.next('sendMessage', { status: 500, times: 2 });
  expect(await bot.call('getMe')).toMatchObject({ ok: true });
  expect(await say()).toEqual({ ok: false, error_code: 500, description: 'Internal Server Error' });
  expect(await say()).toMatchObject({ error_code: 500 });
  expect(world.messages(tashi)).toEqual([]);
  expect(await say()).toMatchObject({ ok: true });
  faults.next('*', { retryAfter: 7 });
  expect(await say()).toEqual({
    ok: false,
    error_code: 429,
    description: 'Too Many Requests: retry after 7',
    parameters: { retry_after: 7 },
  });
  faults.next('getMe', { status: 502, body: '<html>Bad Gateway</html>' });
  const proxied = await fetch(`${bot.telegram.apiRoot}/bot${TOKEN}/getMe`);
  expect([proxied.status, await proxied.text()]).toEqual([502, '<html>Bad Gateway</html>']);
});

test('downloads suffer too', async () => {
  const { document } = await tashi.sendDocument(tashi, Buffer.from('x'), { fileName: 'x', mimeType: 'x/x' });
  const { result } = await bot.call('getFile', { file_id: document?.file_id });
  const { file_path } = z.object({ file_path: z.string() }).parse(result);
  const url = `${bot.telegram.apiRoot}/file/bot${TOKEN}/${file_path}`;
  bot.telegram.faults.next('downloadFile', { status: 404 });
  expect((await fetch(url)).status).toBe(404);
  expect(await (await fetch(url)).text()).toBe('x');
});

test('a reset has no effect, and a lost answer has', async () => {
  const { faults, world, calls } = bot.telegram;
  faults.next('sendMessage', { mode: 'reset' });
  await expect(say()).rejects.toThrow();
  expect(world.messages(tashi)).toHaveLength(0);
  faults.next('sendMessage', { mode: 'lost' });
  await expect(say()).rejects.toThrow();
  expect(world.messages(tashi)).toHaveLength(1);
  faults.next('sendMessage', { mode: 'hang' });
  const unanswered = expect(say()).rejects.toThrow();
  await world.waitUntil(() => calls.length === 3);
  expect(calls.at(-1)).toMatchObject({ method: 'sendMessage', answered: false, ok: false });
  await bot.close();
  await unanswered;
});

test('a held call takes effect when it is released, later than one sent after it', async () => {
  const release = bot.telegram.faults.hold('sendMessage');
  const late = bot.send({ chat_id: tashi.id, text: 'late' });
  await bot.telegram.world.waitUntil(() => bot.telegram.calls.length === 1);
  await bot.send({ chat_id: tashi.id, text: 'early' });
  release();
  await late;
  expect(bot.telegram.world.messages(tashi).map(({ text }) => text)).toEqual(['early', 'late']);
});

test('flood limits hold only when switched on, and end with time', async () => {
  const { faults } = bot.telegram;
  expect((await Promise.all([say(), say(), say()])).every(({ ok }) => ok)).toBe(true);
  faults.flood = true;
  expect(await say()).toMatchObject({ ok: true });
  expect(await say()).toMatchObject({ error_code: 429, parameters: { retry_after: 1 } });
  clock += 1000;
  expect(await say()).toMatchObject({ ok: true });
  faults.clear();
  expect(await say()).toMatchObject({ ok: true });
});

test('a group takes 20 messages and edits a minute', async () => {
  const group = bot.telegram.world.addGroup({ title: 'Tea', members: [tashi] });
  bot.telegram.faults.flood = { perChatPerSecond: 100, perSecond: 100 };
  const { message_id } = await bot.send({ chat_id: group.id, text: '0' });
  for (let edit = 1; edit < 20; edit++)
    await bot.send({ chat_id: group.id, message_id, text: `${edit}` }, 'editMessageText');
  clock += 20_000;
  expect(await bot.call('sendMessage', { chat_id: group.id, text: 'one more' })).toMatchObject({
    error_code: 429,
    parameters: { retry_after: 40 },
  });
});

test('every call is on record with its parameters as understood', async () => {
  const voice = new File(['OggS'], 'a.ogg', { type: 'audio/ogg' });
  await bot.upload('sendAudio', { chat_id: String(tashi.id), audio: voice, duration: '3', caption: 'བོད' });
  await bot.call('sendMessage', { chat_id: 1, text: 'nobody' });
  const [audio, text] = bot.telegram.calls;
  expect(audio).toMatchObject({ method: 'sendAudio', ok: true, at: clock });
  expect(audio?.payload).toEqual({
    chat_id: tashi.id,
    duration: 3,
    caption: 'བོད',
    audio: { fileId: expect.any(String), size: 4, fileName: 'a.ogg' },
  });
  expect(text).toMatchObject({ ok: false, errorCode: 400, description: 'Bad Request: chat not found' });
});
