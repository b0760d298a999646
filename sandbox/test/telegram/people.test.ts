/** The people’s side: what their apps send, and what the bot is told of it. */
import type { RichBlock } from '@grammyjs/types';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Person } from '../../telegram/person.ts';
import { file } from '../test-bot.ts';
import { type BotClient, oggOpus, startBotClient, TOKEN } from './bot-client.ts';

let bot: BotClient;
let tashi: Person;

beforeEach(async () => {
  bot = await startBotClient();
  tashi = bot.telegram.world.addPerson({ firstName: 'Tashi', username: 'tashi', languageCode: 'bo' });
  return () => bot.close();
});

const typed: Array<[text: string, entities: Array<[type: string, part: string]>]> = [
  ['/speak amdo', [['bot_command', '/speak']]],
  ['/speak@lotsawa_bot amdo', [['bot_command', '/speak@lotsawa_bot']]],
  ['ཀ /help', [['bot_command', '/help']]],
  ['a/b', []],
  ['//', []],
  ['@lotsawa_bot བོད་', [['mention', '@lotsawa_bot']]],
  ['😀 @lotsawa_bot', [['mention', '@lotsawa_bot']]],
  ['me@example.org', [['email', 'me@example.org']]],
  ['see https://example.org/a_b.', [['url', 'https://example.org/a_b']]],
  ['www.example.org', [['url', 'www.example.org']]],
  ['#བོད་ཡིག', [['hashtag', '#བོད']]],
  ['#1', []],
];

test.each(typed)('Telegram finds its entities in %j', (text, expected) => {
  const { entities = [] } = tashi.send(tashi, { text });
  const found = entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)]);
  expect(found).toEqual(expected);
});

test('a text is trimmed, and refused if empty or of 4097 characters', () => {
  expect(tashi.send(tashi, { text: '\n བོད་ \n' }).text).toBe('བོད་');
  expect(() => tashi.send(tashi, { text: '  ' })).toThrow(RangeError);
  expect(() => tashi.send(tashi, { text: 'ཀ'.repeat(4097) })).toThrow(RangeError);
});

test('a rich message, poll and checklist obey Telegram’s limits', () => {
  const paragraph = (text: string) => ({ type: 'paragraph' as const, text });
  const list = (levels: number): RichBlock =>
    levels === 0 ? paragraph('tea') : { type: 'list', items: [{ label: '•', blocks: [list(levels - 1)] }] };
  const sent = [
    { blocks: [paragraph('ཀ'.repeat(32_768))] },
    { blocks: [list(15)] },
    { question: 'Tea?', options: ['Yes'] },
    { title: 'Tea', tasks: ['Butter'] },
  ];
  for (const composed of sent) {
    const { message_id } = tashi.compose(tashi, composed);
    expect(bot.telegram.world.messages(tashi.chat).at(-1)?.message_id).toBe(message_id);
  }
  const refused = [
    { blocks: [] },
    { blocks: [paragraph('ཀ'.repeat(32_769))] },
    { blocks: [list(16)] },
    { blocks: Array.from({ length: 501 }, () => paragraph('tea')) },
    { question: '', options: ['Yes'] },
    { question: 'Tea?', options: [] },
    { question: 'Tea?', options: ['x'.repeat(101)] },
    { title: 'Tea', tasks: [] },
    { title: 'Tea', tasks: Array.from({ length: 31 }, () => 'Butter') },
  ];
  for (const composed of refused) expect(() => tashi.compose(tashi, composed)).toThrow(RangeError);
});

test('a channel’s direct messages reach one reader, without chat actions', async () => {
  const chat = bot.telegram.world.addGroup({ title: 'News', isDirectMessages: true, members: [tashi] });
  tashi.send(chat, { text: '/help' });
  const send = (topic: object) => bot.call('sendMessage', { chat_id: chat.id, text: 'hi', ...topic });
  expect(await send({})).toMatchObject({ error_code: 400 });
  expect(await send({ direct_messages_topic_id: 7 })).toMatchObject({ error_code: 400 });
  expect(await send({ direct_messages_topic_id: tashi.id })).toMatchObject({
    result: { direct_messages_topic: { topic_id: tashi.id } },
  });
  expect(await bot.call('sendChatAction', { chat_id: chat.id, action: 'typing' })).toMatchObject({
    error_code: 400,
  });
});

test('a long text goes out whole in messages that hold it', () => {
  const pieces = ['ཀ', '༄༅།། ', 'word ', '你好。', '😀', '👨\u200d👩\u200d👧', '\n\n', 'e\u0301'];
  const texts = fc
    .array(fc.constantFrom(...pieces), { minLength: 400, maxLength: 900 })
    .map((some) => some.join('').repeat(4));
  const bare = (text: string) => text.replaceAll(/\s/g, '');
  fc.assert(
    fc.property(texts, (text) => {
      const sent = tashi.sendLong(tashi, { text }).map((message) => message.text ?? '');
      expect(bare(sent.join(''))).toBe(bare(text));
      for (const [index, part] of sent.entries()) {
        expect(part.length).toBeLessThanOrEqual(4096);
        expect(part.isWellFormed()).toBe(true);
        expect(part).not.toMatch(/^[\u0301\u200d]/);
        if (index < sent.length - 1) expect(part.length).toBeGreaterThan(2000);
      }
    }),
    { numRuns: 30 },
  );
});

test('a reply shows its message as it now is, one level deep', async () => {
  const first = tashi.send(tashi, { text: 'first' });
  const second = tashi.send(tashi, { text: 'second', replyTo: first });
  tashi.editText(first, 'first, edited');
  const third = tashi.send(tashi, { text: 'third', replyTo: second, quote: 'cond' });
  const updates = await bot.updates();
  expect(updates[1]).toMatchObject({ message: { reply_to_message: { text: 'first' } } });
  expect(updates[2]).toMatchObject({
    edited_message: { text: 'first, edited', edit_date: expect.any(Number) },
  });
  expect(updates[3]).toMatchObject({ message: { quote: { text: 'cond', position: 2, is_manual: true } } });
  expect(bot.telegram.world.message(third)?.reply_to_message).not.toHaveProperty('reply_to_message');
  tashi.deleteMessage(first);
  expect(bot.telegram.world.message(second)).not.toHaveProperty('reply_to_message');
});

test('a photo comes as JPEGs of several sizes under new ids', async () => {
  const canvas = { width: 600, height: 1500, channels: 3, background: 'teal' } as const;
  const picture = await sharp({ create: canvas }).png().toBuffer();
  const { photo = [], caption } = await tashi.sendPhoto(tashi, picture, { caption: ' བོད ' });
  expect(caption).toBe('བོད');
  expect(photo.map(({ width, height }) => [width, height])).toEqual([
    [36, 90],
    [128, 320],
    [320, 800],
    [512, 1280],
  ]);
  const again = await tashi.sendPhoto(tashi, picture);
  expect(again.photo?.[0]?.file_unique_id).toBe(photo[0]?.file_unique_id);
  expect(again.photo?.[0]?.file_id).not.toBe(photo[0]?.file_id);
});

test('an album is one update for each photo, in order, with one media_group_id', async () => {
  const canvas = { width: 60, height: 40, channels: 3, background: 'teal' } as const;
  const bytes = await sharp({ create: canvas }).png().toBuffer();
  await tashi.sendAlbum(tashi, [{ bytes, caption: 'first' }, { bytes }]);
  const [first, second] = (await bot.updates()).map(({ message }) => message);
  expect(first).toMatchObject({ caption: 'first', media_group_id: expect.any(String) });
  expect(second).toMatchObject({ media_group_id: first?.media_group_id, photo: [{ width: 60 }] });
});

test('a document is kept byte for byte', async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 0]);
  const sent = await tashi.sendDocument(tashi, bytes, {
    fileName: 'སྤེལ།.bin',
    mimeType: 'application/x-test',
  });
  const { result } = await bot.call('getFile', { file_id: sent.document?.file_id });
  const { file_path } = z.object({ file_path: z.string(), file_size: z.literal(5) }).parse(result);
  const url = `${bot.telegram.apiRoot}/file/bot${TOKEN}/${file_path}`;
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
});

test('a voice note is resent by its file id, unless that is forgotten', async () => {
  const form = { chat_id: String(tashi.id), voice: file(oggOpus(), 'a.ogg', 'audio/ogg'), duration: '7' };
  await bot.upload('sendVoice', form);
  const { voice } = bot.telegram.world.messages(tashi).at(-1) ?? {};
  const again = await bot.send({ chat_id: tashi.id, voice: voice?.file_id }, 'sendVoice');
  expect(again.voice).toMatchObject({ file_unique_id: voice?.file_unique_id, duration: 7 });
  bot.telegram.world.forgetFile(voice?.file_id ?? '');
  expect(await bot.call('sendVoice', { chat_id: tashi.id, voice: voice?.file_id })).toMatchObject({
    description: 'Bad Request: wrong file identifier/HTTP URL specified',
  });
});

test('what is no Opus in OGG does not become a voice note', async () => {
  const chat_id = String(tashi.id);
  const mp3 = await bot.upload('sendVoice', {
    chat_id,
    voice: file(Buffer.from('ID3'), 'a.mp3', 'audio/mpeg'),
  });
  const data = await bot.upload('sendVoice', {
    chat_id,
    voice: file(Buffer.from('?'), 'a.bin', 'application/x'),
  });
  expect(mp3.result).toMatchObject({ audio: { file_name: 'a.mp3' } });
  expect(data.result).toMatchObject({ document: { file_name: 'a.bin' } });
});

test('an album by the bot takes attached files', async () => {
  const picture = await sharp({ create: { width: 50, height: 50, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const media = JSON.stringify([
    { type: 'photo', media: 'attach://one', caption: '<b>one</b>', parse_mode: 'HTML' },
    { type: 'photo', media: 'attach://two' },
  ]);
  const one = file(picture, 'one.png', 'image/png');
  const sent = await bot.upload('sendMediaGroup', { chat_id: String(tashi.id), media, one, two: one });
  expect(sent.result).toMatchObject([
    { caption: 'one', caption_entities: [{ type: 'bold' }] },
    { photo: [{ width: 50 }] },
  ]);
});

test('a bot that a person blocked cannot write until it is unblocked', async () => {
  tashi.blocksBot = true;
  expect(await bot.call('sendMessage', { chat_id: tashi.id, text: 'hi' })).toEqual({
    ok: false,
    error_code: 403,
    description: 'Forbidden: bot was blocked by the user',
  });
  tashi.blocksBot = false;
  await bot.send({ chat_id: tashi.id, text: 'hi' });
  expect(await bot.updates()).toMatchObject([
    { my_chat_member: { new_chat_member: { status: 'kicked', user: { id: bot.telegram.bot.id } } } },
    { my_chat_member: { old_chat_member: { status: 'kicked' }, new_chat_member: { status: 'member' } } },
  ]);
});

test('waiting for a message that does not come tells what the chat holds', async () => {
  tashi.send(tashi, { text: 'only this' });
  const waiting = bot.telegram.world.waitForMessage(tashi, () => false, { timeoutMs: 1 });
  await expect(waiting).rejects.toThrow('only this');
});
