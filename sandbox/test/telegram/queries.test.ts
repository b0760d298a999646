/** Pressed buttons and inline mode. */
import { beforeEach, expect, test } from 'vitest';
import type { Message } from '../../telegram/objects.ts';
import type { Person } from '../../telegram/person.ts';
import { type BotClient, startBotClient } from './bot-client.ts';

let bot: BotClient;
let tashi: Person;
let question: Message;
let clock: number;

beforeEach(async () => {
  clock = Date.parse('2026-01-01T00:00:00Z');
  bot = await startBotClient({ now: () => new Date(clock) });
  tashi = bot.telegram.world.addPerson({ firstName: 'Tashi' });
  const rows = [
    [{ text: 'Amdo', callback_data: 'dialect:amdo' }],
    [{ text: 'Site', url: 'https://example.org' }],
  ];
  question = await bot.send({ chat_id: tashi.id, text: 'Which?', reply_markup: { inline_keyboard: rows } });
  return () => bot.close();
});

/** The id of the query that waits for the bot. */
async function queryId(kind: 'callback_query' | 'inline_query'): Promise<string | undefined> {
  return (await bot.updates()).at(-1)?.[kind]?.id;
}

test('a press reaches the bot with its message, and gets the answer', async () => {
  const pressed = tashi.press(question, 'Amdo');
  const [update] = await bot.updates();
  expect(update).toMatchObject({
    callback_query: {
      data: 'dialect:amdo',
      from: { id: tashi.id },
      chat_instance: expect.any(String),
      message: { message_id: question.message_id, text: 'Which?', reply_markup: question.reply_markup },
    },
  });
  const id = update?.callback_query?.id;
  await bot.call('answerCallbackQuery', { callback_query_id: id, text: 'Amdo it is', show_alert: true });
  expect(await pressed).toEqual({ text: 'Amdo it is', showAlert: true });
});

test('a press may be answered with a link to the bot, and with no other', async () => {
  const pressed = tashi.press(question, 'Amdo');
  const callback_query_id = await queryId('callback_query');
  const answer = (url: string) => bot.call('answerCallbackQuery', { callback_query_id, url });
  for (const url of ['https://example.org', 't.me/other_bot?start=more', 'tme/lotsawa_bot?start=more'])
    expect(await answer(url)).toMatchObject({ error_code: 400, description: 'Bad Request: URL_INVALID' });
  expect(await answer('t.me/lotsawa_bot?start=more')).toMatchObject({ ok: true });
  expect(await pressed).toEqual({ url: 't.me/lotsawa_bot?start=more' });
});

test('a button may begin an inline query with nothing', async () => {
  for (const action of ['switch_inline_query', 'switch_inline_query_current_chat']) {
    const reply_markup = { inline_keyboard: [[{ text: 'Share', [action]: '' }]] };
    const sent = await bot.send({ chat_id: tashi.id, text: 'Share me', reply_markup });
    expect(sent.reply_markup).toEqual(reply_markup);
  }
});

test('a press that is answered after 15 seconds is stale', async () => {
  const pressed = tashi.press(question, 'Amdo', { timeoutMs: 1 });
  const unanswered = expect(pressed).rejects.toThrow('did not answer');
  const callback_query_id = await queryId('callback_query');
  clock += 15_001;
  expect(await bot.call('answerCallbackQuery', { callback_query_id })).toMatchObject({
    error_code: 400,
    description: 'Bad Request: query is too old and response timeout expired or query ID is invalid',
  });
  await unanswered;
});

test('only a callback button can be pressed', async () => {
  await expect(tashi.press(question, 'Site')).rejects.toThrow(RangeError);
  await expect(tashi.press(question, 'Kham')).rejects.toThrow(RangeError);
});

test('an edit without a keyboard takes the keyboard away', async () => {
  const chat = { chat_id: tashi.id, message_id: question.message_id };
  const edited = await bot.send({ ...chat, text: 'Which?' }, 'editMessageText');
  expect(edited).not.toHaveProperty('reply_markup');
  expect(edited.edit_date).toBe(clock / 1000);
});

const ARTICLE = { type: 'article', id: '1', title: 'T', input_message_content: { message_text: 'བོད་' } };

test('an inline query’s chosen result is sent via the bot', async () => {
  const asked = tashi.inlineQuery('藏');
  const inline_query_id = await queryId('inline_query');
  const reply_markup = { inline_keyboard: [[{ text: 'More', callback_data: 'more' }]] };
  const results = [{ ...ARTICLE, reply_markup }];
  expect(await bot.call('answerInlineQuery', { inline_query_id, results, cache_time: 5 })).toMatchObject({
    ok: true,
  });
  const answer = await asked;
  expect(answer).toMatchObject({ cacheTime: 5, isPersonal: false, results: [{ id: '1', title: 'T' }] });

  const sent = tashi.chooseInlineResult(tashi, answer, '1', '藏');

  expect(sent).toMatchObject({ text: 'བོད་', from: { id: tashi.id }, via_bot: { id: bot.telegram.bot.id } });
  const chosen = (await bot.updates()).at(-1)?.chosen_inline_result;
  expect(chosen).toMatchObject({ result_id: '1', query: '藏', inline_message_id: expect.any(String) });
  const inline_message_id = chosen?.inline_message_id;
  const edited = await bot.call('editMessageText', { inline_message_id, text: 'བོད་ཡིག' });
  expect(edited).toEqual({ ok: true, result: true });
  expect(await bot.updates()).toEqual([]);
  expect(bot.telegram.world.message(sent)?.text).toBe('བོད་ཡིག');
});
