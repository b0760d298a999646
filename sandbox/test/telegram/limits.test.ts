/** What a bot may send at most, and in which forms it may say so. */
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../../telegram/person.ts';
import { file } from '../test-bot.ts';
import { type BotClient, keyboard, oggOpus, startBotClient, TOKEN } from './bot-client.ts';

let bot: BotClient;
const TASHI = 42;
let shy: Person;

beforeAll(async () => {
  bot = await startBotClient();
  bot.telegram.world.addPerson({ firstName: 'Tashi', id: TASHI });
  shy = bot.telegram.world.addPerson({ firstName: 'Shy', forbidsVoice: true });
  return () => bot.close();
});

test('a voice note to a person who forbids them is refused', async () => {
  const ogg = file(oggOpus(), 'a.ogg', 'audio/ogg');
  const chat_id = String(shy.id);
  expect(await bot.upload('sendVoice', { chat_id, voice: ogg })).toMatchObject({
    error_code: 400,
    description: 'Bad Request: VOICE_MESSAGES_FORBIDDEN',
  });
  expect(await bot.upload('sendAudio', { chat_id, audio: ogg })).toMatchObject({ ok: true });
  expect(await bot.call('getChat', { chat_id })).toMatchObject({
    result: { type: 'private', has_restricted_voice_and_video_messages: true },
  });
  shy.forbidsVoice = false;
  expect(await bot.upload('sendVoice', { chat_id, voice: ogg })).toMatchObject({ ok: true });
});

test('an empty file, and a photo that is none, are refused', async () => {
  const empty = file(Buffer.alloc(0), 'a.ogg', 'audio/ogg');
  const noPhoto = file(Buffer.from('no picture'), 'a.jpg', 'image/jpeg');
  expect(await bot.upload('sendVoice', { chat_id: '42', voice: empty })).toMatchObject({
    description: 'Bad Request: file must be non-empty',
  });
  expect(await bot.upload('sendPhoto', { chat_id: '42', photo: noPhoto })).toMatchObject({
    description: 'Bad Request: IMAGE_PROCESS_FAILED',
  });
});

test('videos go out with their captions, which can be edited, and can be sent again', async () => {
  const chat_id = String(TASHI);
  const clip = file(Buffer.from('a clip'), 'clip.mp4', 'video/mp4');
  const said = { width: '640', height: '360', duration: '3', caption: 'tea' };
  await bot.upload('sendVideo', { chat_id, video: clip, ...said });
  const sent = bot.telegram.world.messages(TASHI).at(-1);
  expect(sent).toMatchObject({ video: { width: 640, mime_type: 'video/mp4' }, caption: 'tea' });
  const edit = { chat_id, message_id: sent?.message_id, caption: 'more tea' };
  expect(await bot.call('editMessageCaption', edit)).toMatchObject({ result: { caption: 'more tea' } });
  const again = { chat_id, video: sent?.video?.file_id };
  expect(await bot.call('sendVideo', again)).toMatchObject({ result: { video: { height: 360 } } });
});

test('an unknown method is 404, a wrong token 401', async () => {
  expect(await bot.call('sendTelepathy')).toMatchObject({ error_code: 404, description: 'Not Found' });
  const response = await fetch(`${bot.telegram.apiRoot}/bot1:wrong/getMe`);
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ ok: false, error_code: 401, description: 'Unauthorized' });
});

test('what is just within the limits is taken, and trimmed before it is measured', async () => {
  const longest = 'ཀ'.repeat(4096);
  expect(await bot.send({ chat_id: TASHI, text: ` ${longest}\n` })).toMatchObject({ text: longest });
  const rows = [
    [{ text: 'A', callback_data: 'ཀ'.repeat(21) }],
    [{ text: 'B', copy_text: { text: 'ཀ'.repeat(256) } }],
  ];
  const kept = await bot.send({ chat_id: TASHI, text: 'hi', reply_markup: keyboard(...rows) });
  expect(kept.reply_markup).toEqual({ inline_keyboard: rows });
});

test('parameters come in a query, a form, or as JSON text', async () => {
  const reply_markup = JSON.stringify(keyboard([{ text: 'A', callback_data: 'a' }]));
  const first = await bot.upload('sendMessage', { chat_id: '42', text: 'from a form', reply_markup });
  expect(first.result).toMatchObject({
    text: 'from a form',
    reply_markup: { inline_keyboard: [[{ text: 'A' }]] },
  });
  const asked = new URLSearchParams({ chat_id: '42', text: 'from the query' });
  const response = await fetch(`${bot.telegram.apiRoot}/bot${TOKEN}/sendmessage?${asked}`);
  expect(await response.json()).toMatchObject({ ok: true, result: { text: 'from the query' } });
});

test('a parameter that the Bot API lacks is refused', async () => {
  await expect(bot.send({ chat_id: TASHI, text: 'hi', disable_notifications: true })).rejects.toThrow(
    'sendMessage has no parameter "disable_notifications"',
  );
});

test('a reply to a lost message goes out where the bot allows it', async () => {
  const reply_parameters = { message_id: 9999, allow_sending_without_reply: true };
  const sent = await bot.send({ chat_id: TASHI, text: 'hi', reply_parameters });
  expect(sent.reply_to_message).toBeUndefined();
});

test('the answer to a send is the message as the chat holds it', async () => {
  const { result } = await bot.call('sendMessage', {
    chat_id: TASHI,
    text: '<b>hi</b> @tashi',
    parse_mode: 'HTML',
  });
  expect(result).toEqual(bot.telegram.world.messages(TASHI).at(-1));
});
