/** What the bot offers: buttons, voice notes, commands, inline results. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { file, formOf } from '../test-bot.ts';
import { test } from './page-test.ts';

const keyboard = (...buttons: object[]): Record<string, unknown> => ({
  reply_markup: { inline_keyboard: [buttons] },
});

test('an empty chat shows the bot’s description in the person’s language', async ({
  sandbox: { bot, cast },
  view,
}) => {
  await bot.call('setMyDescription', { description: 'I greet\nwhoever comes' });
  await bot.call('setMyDescription', { description: 'ངས་བཀྲ་ཤིས་བདེ་ལེགས་ཞུ།', language_code: 'bo' });
  const description = view.part('description');
  await description.filter({ hasText: 'ངས་བཀྲ་ཤིས་བདེ་ལེགས་ཞུ།' }).waitFor();
  await view.become(cast.anna.id);
  await description.filter({ hasText: 'I greet' }).waitFor();
  await view.page.reload();
  await description.filter({ hasText: 'whoever comes' }).waitFor();
});

test('a pressed button is busy until the bot answers with its words', async ({
  sandbox: { bot, cast },
  view,
}) => {
  await bot.say(cast.tenzin.id, 'A result', keyboard({ text: 'Speak', callback_data: 'speak:amdo' }));
  const button = view.part('inline-button');
  await button.click();
  const query = await bot.hears(({ callback_query }) => callback_query);
  expect(query.data).toBe('speak:amdo');
  expect(await button.getAttribute('aria-busy')).toBe('true');
  await bot.call('answerCallbackQuery', { callback_query_id: query.id, text: 'Speaking Amdo' });
  await view.part('toast').filter({ hasText: 'Speaking Amdo' }).waitFor();
  expect(await button.getAttribute('aria-busy')).toBeNull();

  await button.click();
  const { id } = await bot.hears(({ callback_query }) => callback_query);
  await bot.call('answerCallbackQuery', { callback_query_id: id, text: 'All is erased', show_alert: true });
  await view.part('alert').filter({ hasText: 'All is erased' }).waitFor();
  await view.part('alert-ok').click();
  await view.part('alert').waitFor({ state: 'hidden' });
});

test('an answer with a link to the bot leads to its chat, with the parameter', async ({
  sandbox: { bot, cast },
  view,
}) => {
  await view.openChat(cast.group.id);
  await bot.say(cast.group.id, 'Your own figures', keyboard({ text: 'Show', callback_data: 'usage' }));
  await view.part('inline-button').click();
  const { id } = await bot.hears(({ callback_query }) => callback_query);
  await bot.call('answerCallbackQuery', { callback_query_id: id, url: 't.me/lotsawa_bot?start=usage' });
  await view.part('start').click();
  const started = await bot.hears(({ message }) => message);
  expect(started).toMatchObject({ text: '/start usage', chat: { id: cast.tenzin.id } });
});

test('a message that the bot changes keeps the focus on the button that was pressed', async ({
  sandbox: { bot, cast },
  view,
}) => {
  const chat_id = cast.tenzin.id;
  const message_id = await bot.say(chat_id, 'Amdo', keyboard({ text: 'Khampa', callback_data: 'khampa' }));
  await view.part('inline-button').press('Enter');
  const { id } = await bot.hears(({ callback_query }) => callback_query);
  const changed = keyboard({ text: 'Khampa ✓', callback_data: 'khampa' });
  await bot.call('editMessageText', { chat_id, message_id, text: 'Khampa', ...changed });
  await bot.call('answerCallbackQuery', { callback_query_id: id });
  const button = view.part('inline-button').filter({ hasText: '✓' });
  await button.waitFor();
  expect(await button.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
});

test('a copy button fills the clipboard, and a pressed command is sent', async ({
  sandbox: { bot, cast, url },
  view,
}) => {
  await view.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const copy = keyboard({ text: 'Copy', copy_text: { text: 'བོད་ཡིག' } });
  await bot.say(cast.tenzin.id, 'Send /help for more', copy);
  await view.part('inline-button').click();
  await view.part('toast').filter({ hasText: 'Copied' }).waitFor();
  expect(await view.page.evaluate('navigator.clipboard.readText()')).toBe('བོད་ཡིག');
  await view.messages('bot').getByRole('button', { name: '/help' }).click();
  expect(await bot.hears(({ message }) => message?.text)).toBe('/help');
});

test('a voice note has a length, can be sought in, and shows its caption', async ({
  sandbox: { bot, cast },
  view,
}) => {
  const tone = await readFile(new URL('tone.ogg', import.meta.url));
  const voice = file(tone, 'voice.ogg', 'audio/ogg');
  const form = formOf({ chat_id: String(cast.tenzin.id), duration: '3', caption: 'བོད་སྐད', voice });
  await bot.call('sendVoice', form);
  await view.part('audio').waitFor();
  const heard = (what: string) => view.page.evaluate(`document.querySelector('audio').${what}`);
  await expect.poll(() => heard('duration')).toBeCloseTo(3, 0);
  await view.page.evaluate(
    '{ const audio = document.querySelector("audio"); audio.muted = true; audio.currentTime = 2; audio.play() }',
  );
  await expect.poll(() => heard('ended')).toBe(true);
  expect(await view.messages('bot').getByTestId('message-text').textContent()).toBe('བོད་སྐད');
});

test('a slash offers this chat’s commands, chosen by arrows or Enter', async ({
  sandbox: { bot, cast },
  view,
}) => {
  const register = (description: string, more: object) =>
    bot.call('setMyCommands', {
      commands: ['speak', 'settings'].map((command) => ({ command, description })),
      ...more,
    });
  await register('Everywhere', {});
  await register('བོད་སྐད་', { scope: { type: 'all_private_chats' }, language_code: 'bo' });

  await view.input.pressSequentially('/s');
  const offered = view.part('suggestion');
  await offered.nth(1).waitFor();
  expect(await offered.allTextContents()).toEqual(['/speakབོད་སྐད་', '/settingsབོད་སྐད་']);
  await view.input.press('ArrowDown');
  expect(await view.input.getAttribute('aria-activedescendant')).toBe(
    await offered.nth(1).getAttribute('id'),
  );
  await view.input.press('Enter');
  expect(await view.input.inputValue()).toBe('/settings ');

  await view.openChat(cast.group.id);
  await view.input.pressSequentially('/sp');
  await offered.first().waitFor();
  expect(await offered.allTextContents()).toEqual(['/speakEverywhere']);
  await view.input.press('Enter');
  expect(await view.input.inputValue()).toBe('/speak@lotsawa_bot ');
  await offered.waitFor({ state: 'detached' });
});

test('inline mode marks the first result, which Enter chooses', async ({ sandbox: { bot, cast }, view }) => {
  await view.openChat(cast.group.id);
  const answer = async (asked: string, words: string) => {
    const { id, query } = await bot.hears(({ inline_query }) => inline_query);
    expect(query).toBe(asked);
    const result = { type: 'article', id: '1', title: words, input_message_content: { message_text: words } };
    const button = { text: 'More', start_parameter: 'more' };
    await bot.call('answerInlineQuery', { inline_query_id: id, results: [result], button });
  };
  const marked = view.page.locator('[data-testid="suggestion"][aria-selected="true"]');
  await view.input.fill('@lotsawa_bot 你好');
  await answer('你好', 'first');
  await marked.filter({ hasText: 'first' }).waitFor();
  await view.input.fill('@lotsawa_bot two');
  await marked.waitFor({ state: 'detached' });
  await answer('two', 'second');
  await marked.filter({ hasText: 'second' }).waitFor();
  await view.input.press('Enter');
  const sent = view.messages('person').filter({ hasText: 'via @lotsawa_bot' });
  expect(await sent.getByTestId('message-text').textContent()).toBe('second');
  await expect.poll(() => view.input.inputValue()).toBe('');

  await view.input.fill('@lotsawa_bot three');
  await answer('three', 'third');
  await view.part('suggestion').filter({ hasText: 'third' }).waitFor();
  await view.part('inline-results-button').click();
  await view.part('start').click();
  const heard = await bot.hears(({ message }) => (message?.text?.startsWith('/') ? message : undefined));
  expect(heard.text).toBe('/start more');
});
