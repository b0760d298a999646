/** The sender of a request that was given up hears of it, however they asked. */
import type { Update } from 'telegraf/types';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalTelegram, startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import { createLog } from '../../src/log.ts';
import { BotApi } from '../../src/telegram/api/api.ts';
import { apologise } from '../../src/telegram/intake/apology.ts';
import { loadWords } from '../../src/telegram/locale.ts';
import { TOKEN } from '../bot-process.ts';
import { says } from '../phrases.ts';

const words = loadWords(new URL('../../locales/', import.meta.url));
const log = createLog('silent');
const NOBODY_BLOCKED = { isBlocked: async () => false };

let telegram: LocalTelegram;
let api: BotApi;
beforeAll(async () => {
  telegram = await startLocalTelegram({ token: TOKEN });
  api = new BotApi({ token: TOKEN, apiRoot: telegram.apiRoot });
});
afterAll(() => telegram.close());

/** What the bot has been sent since the last time it was asked. */
const updates = async (): Promise<Update[]> => {
  const received = await api.getUpdates(0, 100, 0, undefined);
  await api.getUpdates(0, 100, (received.at(-1)?.update_id ?? 0) + 1, undefined);
  return received;
};

it.each([
  ['a message', false],
  ['a message that was edited', true],
])('%s is answered in its sender’s language, once', async (_, isEdited) => {
  const { world } = telegram;
  const person = world.addPerson({ firstName: 'Pema', languageCode: 'zh' });
  const message = person.send(person, { text: 'one' });
  if (isEdited) person.editText(message, 'two');
  await apologise({ api, words, log, access: NOBODY_BLOCKED }, (await updates()).at(-1), { sent: [] });
  const apology = await world.waitForMessage(person, ({ from }) => from?.is_bot === true);
  expect(apology.text).toBe(says('given-up', 'zh'));
  expect(apology.reply_to_message?.message_id).toBe(message.message_id);
});

it('a button that was pressed is answered under its message', async () => {
  const { world } = telegram;
  const person = world.addPerson({ firstName: 'Pema', languageCode: 'bo' });
  const inline_keyboard = [[{ text: 'Translate', callback_data: 'translate' }]];
  const { message_id } = await api.sendMessage(person.id, 'x', { reply_markup: { inline_keyboard } });
  const message = await world.waitForMessage(person, (one) => one.message_id === message_id);
  const pressed = person.press(message, 'Translate');
  const [press] = await updates();
  await apologise({ api, words, log, access: NOBODY_BLOCKED }, press, { sent: [] });
  const apology = await world.waitForMessage(person, ({ from }) => from?.is_bot === true, { after: message });
  expect(apology.text).toBe(says('given-up', 'bo'));
  expect(apology.reply_to_message?.message_id).toBe(message_id);
  await api.answerCbQuery(press && 'callback_query' in press ? press.callback_query.id : '');
  await pressed;
});
