/** The page for everyone: phones, keyboards, people who want nothing to leave their machine. */
import { expect } from 'vitest';
import { test } from './page-test.ts';

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

test('a page of 360 px never scrolls sideways', async ({ sandbox: { bot, cast }, phone }) => {
  expect(await phone.page.evaluate(overflow)).toBe(0);
  await phone.openChat(cast.tenzin.id);
  const buttons = [
    ['Ü-Tsang', 'Khampa', 'Amdo'],
    ['Read again in Chinese', 'Copy'],
  ];
  const inline_keyboard = buttons.map((row) => row.map((text) => ({ text, callback_data: text })));
  const text = `${'ཀ'.repeat(300)} ${'w'.repeat(300)}`;
  await bot.say(cast.tenzin.id, text, { reply_markup: { inline_keyboard } });
  await phone.messages('bot').waitFor();
  expect(await phone.page.evaluate(overflow)).toBe(0);
  expect(await phone.part('log').evaluate((log) => log.scrollWidth - log.clientWidth)).toBe(0);
  await phone.part('panel-toggle').click();
  await phone.part('counter').waitFor();
  expect(await phone.page.evaluate(overflow)).toBe(0);
  await phone.page.keyboard.press('Escape');
  await phone.part('back').click();
  await phone.part('chat-item').first().waitFor();
  expect(await phone.input.isVisible()).toBe(false);
  await phone.openChat(cast.group.id);
  await phone.page.reload();
  await phone.input.waitFor();
  await phone.part('back').click();
  await phone.part('chat-item').first().waitFor();
});

test('the keyboard alone reaches person, group, message and button', async ({
  sandbox: { bot, cast },
  view,
}) => {
  const { page } = view;
  const focused = () => page.evaluate('document.activeElement.dataset.testid ?? document.activeElement.name');
  const tabTo = async (wanted: string, key = 'Tab'): Promise<void> => {
    for (let steps = 0; (await focused()) !== wanted; steps += 1) {
      if (steps > 40) throw new Error(`Tab does not reach ${wanted}`);
      await page.keyboard.press(key);
    }
  };
  await tabTo('person');
  await page.keyboard.press('ArrowRight');
  await tabTo('chat-item');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('composer-input');
  await page.keyboard.type('/start@lotsawa_bot');
  await page.keyboard.press('Enter');
  const heard = await bot.hears(({ message }) => message);
  expect(heard).toMatchObject({ from: { id: cast.limei.id }, chat: { id: cast.group.id } });
  const reply_markup = { inline_keyboard: [[{ text: 'Help', callback_data: 'help' }]] };
  await bot.say(cast.group.id, 'Welcome', { reply_markup });
  await view.messages('bot').waitFor();
  await tabTo('inline-button', 'Shift+Tab');
  await page.keyboard.press('Enter');
  const { id } = await bot.hears(({ callback_query }) => callback_query);
  await bot.call('answerCallbackQuery', { callback_query_id: id, text: 'Helped' });
  await view.part('toast').filter({ hasText: 'Helped' }).waitFor();
});

test('arrow keys move between messages, and Tab between their actions', async ({
  sandbox: { bot, cast },
  view,
}) => {
  for (const text of ['first', 'second']) await bot.say(cast.tenzin.id, text);
  await view.messages('bot').nth(1).waitFor();
  await view.part('log').focus();
  for (const key of ['ArrowUp', 'ArrowUp', 'Tab', 'Enter']) await view.page.keyboard.press(key);
  expect(await view.part('composer-context').textContent()).toContain('first');
});

test('the page allows nothing from elsewhere, and shows no file as a page', async ({
  sandbox: { cast, url, telegram },
}) => {
  const policy = (await fetch(url)).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const refused = await fetch(new URL('/api/sendText', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://elsewhere.example' },
    body: JSON.stringify({ personId: cast.tenzin.id, chatId: cast.tenzin.id, text: 'not from the page' }),
  });
  expect(refused.status).toBe(403);
  expect(telegram.world.messages(cast.tenzin)).toEqual([]);

  const hostile = Buffer.from('<script>alert(1)</script>');
  const named = { fileName: 'page.html', mimeType: 'text/html' };
  const { document } = await cast.tenzin.sendDocument(cast.tenzin, hostile, named);
  const { headers } = await fetch(new URL(`/api/files/${document?.file_id}`, url));
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('content-disposition')).toBe('attachment');
});
