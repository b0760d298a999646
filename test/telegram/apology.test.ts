/** The sender of a request that was given up hears of it, however they asked. */
import type { Update } from 'telegraf/types';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalTelegram, startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import type { InterfaceLanguage } from '../../src/language/interface-language.ts';
import { createLog } from '../../src/log.ts';
import { BotApi } from '../../src/telegram/api/api.ts';
import { loadWords } from '../../src/telegram/locale.ts';
import { apologise } from '../../src/telegram/middleware/failure-boundary.ts';
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

const send = (person: Person) => person.send(person, { text: 'one' });

it.each<[string, InterfaceLanguage, (person: Person) => Promise<Message>]>([
  ['a message', 'zh', async (person) => send(person)],
  [
    'a button that was pressed',
    'bo',
    async (person) => {
      const inline_keyboard = [[{ text: 'Translate', callback_data: 'translate' }]];
      const { message_id } = await api.sendMessage(person.id, 'x', { reply_markup: { inline_keyboard } });
      const message = await telegram.world.waitForMessage(person, (one) => one.message_id === message_id);
      person.press(message, 'Translate').catch(() => {});
      return message;
    },
  ],
])('%s is answered in its sender’s language, under it', async (_, languageCode, ask) => {
  const { world } = telegram;
  const person = world.addPerson({ firstName: 'Pema', languageCode });
  const asked = await ask(person);
  await apologise({ api, words, log, access: NOBODY_BLOCKED }, (await updates()).at(-1), { sent: [] });
  const apology = await world.waitForMessage(person, ({ from }) => from?.is_bot === true, { after: asked });
  expect(apology.text).toBe(says('given-up', languageCode));
  expect(apology.reply_to_message?.message_id).toBe(asked.message_id);
});
