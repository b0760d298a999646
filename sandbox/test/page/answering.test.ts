/** What the bot offers: buttons, voice notes, commands, inline results. */
import { expect } from 'vitest';
import { test } from './page-test.ts';
import { toneAsVoiceNote } from './tone.ts';

const keyboard = (...buttons: object[]): Record<string, unknown> => ({
  reply_markup: { inline_keyboard: [buttons] },
});

test('an empty chat shows what the bot says of itself, in the language of the person', async ({
  sandbox,
  view,
}) => {
  const { bot, cast } = sandbox;
  await bot.call('setMyDescription', { description: 'I greet\nwhoever comes' });
  await bot.call('setMyDescription', { description: 'ངས་བཀྲ་ཤིས་བདེ་ལེགས་ཞུ།', language_code: 'bo' });
  await view.part('description').filter({ hasText: 'ངས་བཀྲ་ཤིས་བདེ་ལེགས་ཞུ།' }).waitFor();
  await view.become(cast.anna.id);
  await view.part('description').filter({ hasText: 'I greet' }).waitFor();
  await view.page.reload();
  await view.become(cast.anna.id);
  await view.part('description').filter({ hasText: 'whoever comes' }).waitFor();
});

test('a pressed button is busy until the bot answers, whose words then appear', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
  await bot.say(cast.tenzin.id, 'A result', keyboard({ text: 'Speak', callback_data: 'speak:amdo' }));
  const button = view.part('inline-button');
  await button.click();
  const query = await bot.hears(({ callback_query }) => callback_query);
  expect(query.data).toBe('speak:amdo');
  expect(await button.getAttribute('aria-busy')).toBe('true');
  await bot.call('answerCallbackQuery', { callback_query_id: query.id, text: 'Speaking Amdo' });
  await view.part('toast').filter({ hasText: 'Speaking Amdo' }).waitFor();
  expect(await button.getAttribute('aria-busy')).toBeNull();
});

test('an alert stays until it is closed', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
  await bot.say(cast.tenzin.id, 'Forget?', keyboard({ text: 'Yes', callback_data: 'forget' }));
  await view.part('inline-button').click();
  const { id } = await bot.hears(({ callback_query }) => callback_query);
  await bot.call('answerCallbackQuery', {
    callback_query_id: id,
    text: 'Everything is erased',
    show_alert: true,
  });
  await view.part('alert').filter({ hasText: 'Everything is erased' }).waitFor();
  await view.part('alert-ok').click();
  await view.part('alert').waitFor({ state: 'hidden' });
});

test('an answer with a link to the bot leads to its chat, with the parameter', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
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
  sandbox,
  view,
}) => {
  const { bot, cast } = sandbox;
  const messageId = await bot.say(
    cast.tenzin.id,
    'Dialect: Amdo',
    keyboard({ text: 'Khampa', callback_data: 'khampa' }),
  );
  await view.part('inline-button').press('Enter');
  const { id } = await bot.hears(({ callback_query }) => callback_query);
  const changed = keyboard({ text: 'Khampa ✓', callback_data: 'khampa' });
  await bot.call('editMessageText', {
    chat_id: cast.tenzin.id,
    message_id: messageId,
    text: 'Dialect: Khampa',
    ...changed,
  });
  await bot.call('answerCallbackQuery', { callback_query_id: id });
  const button = view.part('inline-button').filter({ hasText: '✓' });
  await button.waitFor();
  expect(await button.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
});

test('a copy button puts its text on the clipboard', async ({ sandbox, view }) => {
  await view.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: sandbox.url });
  const copied = 'བོད་ཡིག';
  await sandbox.bot.say(
    sandbox.cast.tenzin.id,
    'A result',
    keyboard({ text: 'Copy', copy_text: { text: copied } }),
  );
  await view.part('inline-button').click();
  await view.part('toast').filter({ hasText: 'Copied' }).waitFor();
  expect(await view.page.evaluate('navigator.clipboard.readText()')).toBe(copied);
});

test('a voice note has a length, can be sought in, and shows its caption', async ({ sandbox, view }) => {
  await sandbox.bot.speak(sandbox.cast.tenzin.id, await toneAsVoiceNote(3), 3, 'བོད་སྐད');
  const audio = view.part('audio');
  await audio.waitFor();
  const duration = 'const audio = document.querySelector("audio"); audio.duration';
  await expect.poll(() => view.page.evaluate(`{ ${duration} }`)).toBeCloseTo(3, 0);
  await view.page.evaluate(
    '{ const audio = document.querySelector("audio"); audio.muted = true; audio.currentTime = 2; audio.play() }',
  );
  await expect.poll(() => view.page.evaluate('document.querySelector("audio").ended')).toBe(true);
  expect(await view.messages('bot').getByTestId('message-text').textContent()).toBe('བོད་སྐད');
});

test('a slash offers the commands registered for this chat and language, chosen with the arrow keys or completed with Enter', async ({
  sandbox,
  view,
}) => {
  const { bot, cast } = sandbox;
  const register = (description: string, more: object) =>
    bot.call('setMyCommands', {
      commands: [
        { command: 'speak', description },
        { command: 'settings', description },
      ],
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

test('a command in a message of the bot can be pressed', async ({ sandbox, view }) => {
  await sandbox.bot.say(sandbox.cast.tenzin.id, 'Send /help for more');
  await view.messages('bot').getByRole('button', { name: '/help' }).click();
  expect(await sandbox.bot.hears(({ message }) => message?.text)).toBe('/help');
});

test('inline mode shows the results of the bot and sends the chosen one', async ({ sandbox, view }) => {
  const { bot } = sandbox;
  await view.input.fill('@lotsawa_bot 你好');
  const query = await bot.hears(({ inline_query }) => inline_query);
  expect(query.query).toBe('你好');
  const result = {
    type: 'article',
    id: '1',
    title: 'བཀྲ་ཤིས་བདེ་ལེགས།',
    input_message_content: { message_text: 'བཀྲ་ཤིས་བདེ་ལེགས།' },
  };
  await bot.call('answerInlineQuery', { inline_query_id: query.id, results: [result] });
  await view.part('suggestion').click();
  await view.messages('person').filter({ hasText: 'via @lotsawa_bot' }).waitFor();
  expect(await view.input.inputValue()).toBe('');
});

test('Enter chooses the first inline result, which is marked; what was typed since is not sent as that', async ({
  sandbox,
  view,
}) => {
  const { bot } = sandbox;
  const answer = async (words: string) => {
    const { id } = await bot.hears(({ inline_query }) => inline_query);
    const result = { type: 'article', id: '1', title: words, input_message_content: { message_text: words } };
    const button = { text: 'More', start_parameter: 'more' };
    await bot.call('answerInlineQuery', { inline_query_id: id, results: [result], button });
  };
  await view.input.fill('@lotsawa_bot one');
  await answer('first');
  const marked = view.page.locator('[data-testid="suggestion"][aria-selected="true"]');
  await marked.filter({ hasText: 'first' }).waitFor();
  await view.input.fill('@lotsawa_bot two');
  await marked.waitFor({ state: 'detached' });
  await answer('second');
  await marked.filter({ hasText: 'second' }).waitFor();
  await view.input.press('Enter');
  await view.messages('person').filter({ hasText: 'via @lotsawa_bot' }).waitFor();
  expect(await view.messages('person').getByTestId('message-text').textContent()).toBe('second');
});
