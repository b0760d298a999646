/** Writing, reading, replying, editing: the conversation between a person at the page and a bot. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { startPage } from '../../page/page-server.ts';
import { PHONE, test } from './page-test.ts';
import { PageView } from './page-view.ts';

test('a text goes out with Enter, and each script is marked', async ({ sandbox: { bot, cast }, view }) => {
  await view.say('你好');
  expect(await bot.hears(({ message }) => message?.text)).toBe('你好');
  await bot.say(cast.tenzin.id, 'བཀྲ་ཤིས་བདེ་ལེགས།');
  const answer = view.messages('bot').getByTestId('message-text');
  expect(await answer.textContent()).toBe('བཀྲ་ཤིས་བདེ་ལེགས།');
  expect(await answer.locator('[lang="bo"]').textContent()).toBe('བཀྲ་ཤིས་བདེ་ལེགས།');
  expect(await view.messages('person').locator('[lang="zh-Hans"]').textContent()).toBe('你好');
});

test('Shift+Enter breaks the line, and arrow up edits what was sent', async ({ sandbox: { bot }, view }) => {
  await view.input.fill('one');
  await view.input.press('Shift+Enter');
  await view.input.pressSequentially('two');
  const composed = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
  await view.input.dispatchEvent('keydown', composed);
  expect(await view.input.inputValue()).toBe('one\ntwo');
  await view.input.press('Enter');
  expect(await bot.hears(({ message }) => message?.text)).toBe('one\ntwo');
  await view.messages('person').waitFor();
  await view.input.press('ArrowUp');
  expect(await view.input.inputValue()).toBe('one\ntwo');
  await view.say('three');
  expect(await bot.hears(({ edited_message }) => edited_message?.text)).toBe('three');
  await view.part('edited').waitFor();
  expect(await view.messages('person').count()).toBe(1);
});

test('markup in a message is shown as the text that it is', async ({ sandbox: { bot, cast }, view }) => {
  const hostile = '<img src=x onerror="document.title=1"><b>bold?</b>';
  await view.say(hostile);
  await bot.say(cast.tenzin.id, hostile);
  for (const from of ['bot', 'person'] as const) {
    const text = view.messages(from).getByTestId('message-text');
    expect(await text.textContent()).toBe(hostile);
    expect(await text.locator('img, b, strong').count()).toBe(0);
  }
});

test("the bot's formatting is rendered, and a link with a script is none", async ({
  sandbox: { bot, cast },
  view,
}) => {
  const html =
    '<b>bold <i>both</i></b> <code>code</code> <pre>block</pre> <a href="https://example.org/">site</a>';
  await bot.say(cast.tenzin.id, html, { parse_mode: 'HTML' });
  const script = { type: 'text_link', offset: 0, length: 5, url: 'javascript:alert(1)' };
  await bot.say(cast.tenzin.id, 'press me', { entities: [script] }).catch(() => undefined);
  const text = view.messages('bot').first().getByTestId('message-text');
  expect(await text.locator('strong em').textContent()).toBe('both');
  expect(await text.locator('pre code').textContent()).toBe('block');
  expect(await text.locator('a').getAttribute('href')).toBe('https://example.org/');
  expect(await view.page.locator('a[href^="javascript"]').count()).toBe(0);
});

test('a reply quotes its message on both sides', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
  const asked = await bot.say(cast.tenzin.id, 'What shall I read?');
  await view.messages('bot').hover();
  await view.part('reply').click();
  await view.say('This one');
  const replied = await bot.hears(({ message }) => message);
  expect(replied).toMatchObject({ text: 'This one', reply_to_message: { message_id: asked } });
  await bot.say(cast.tenzin.id, 'Read', { reply_parameters: { message_id: replied.message_id } });
  expect(await view.messages('person').getByTestId('quote').textContent()).toContain('What shall I read?');
  await view.messages('bot').nth(1).waitFor();
  expect(await view.messages('bot').nth(1).getByTestId('quote').textContent()).toContain('This one');
});

test('a selected part of a message is quoted to the bot', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
  const asked = await bot.say(cast.tenzin.id, 'tea and <b>more tea</b>, 你好', { parse_mode: 'HTML' });
  const words = view.messages('bot').getByTestId('message-text');
  await words.waitFor();
  // Runs in the page: the second "tea", which stands in an element of its own, and the comma after it.
  await view.page.evaluate(`(() => {
    const bold = document.querySelector('[data-from="bot"] strong').firstChild;
    getSelection().setBaseAndExtent(bold, 5, bold.parentElement.nextSibling, 1);
  })()`);
  await view.part('quote-selection').click();
  await view.part('composer-context').filter({ hasText: 'Quote Lotsawa' }).getByText('tea,').waitFor();
  await view.say('This tea?');
  expect(await bot.hears(({ message }) => message)).toMatchObject({
    text: 'This tea?',
    reply_to_message: { message_id: asked },
    quote: {
      text: 'tea,',
      position: 13,
      is_manual: true,
      entities: [{ type: 'bold', offset: 0, length: 3 }],
    },
  });
  const quote = view.messages('person').getByTestId('quote');
  await quote.getByText('tea,', { exact: true }).waitFor();
});

test('a text that no message holds goes out as several, cut between sentences', async ({ sandbox, view }) => {
  const { bot, cast, telegram } = sandbox;
  const asked = await bot.say(cast.tenzin.id, 'Tell me everything');
  await view.messages('bot').hover();
  await view.part('reply').click();
  const text = 'དེབ་འདི་ཧ་ཅང་ཡག་པོ་འདུག་ལོ། '.repeat(180).trim();
  await view.say(text);
  await view.messages('person').nth(1).waitFor();
  const [first, second, ...more] = telegram.world
    .messages(cast.tenzin)
    .filter(({ from }) => from?.id === cast.tenzin.id);
  expect([first?.text, second?.text].join(' ')).toBe(text);
  expect(first?.text).toMatch(/།$/);
  expect(first?.reply_to_message?.message_id).toBe(asked);
  expect(second?.reply_to_message).toBeUndefined();
  expect(more).toEqual([]);
});

test('emoji, Chinese and Tibetan are drawn on a machine that has no such fonts', async ({
  sandbox,
  view,
}) => {
  await sandbox.bot.say(sandbox.cast.tenzin.id, '🔁 བོད་ཡིག 你好 ❤');
  const answer = view.messages('bot').getByTestId('message-text');
  await answer.waitFor();
  expect(await answer.locator('.emoji').allTextContents()).toEqual(['🔁', '❤']);
  // Runs in the page: the families that the page brings and that have all of what they are for.
  const brought = await view.page.evaluate<string[]>(`(async () => {
    const samples = { 'Lotsawa Emoji': '🔁', 'Noto Sans SC Variable': '你好', 'Lotsawa Tibetan': 'བོད' };
    const loaded = Object.entries(samples).map(async ([family, text]) => {
      const faces = await document.fonts.load('16px "' + family + '"', text);
      return faces.length > 0 && faces.every(({ status }) => status === 'loaded') ? [family] : [];
    });
    return (await Promise.all(loaded)).flat();
  })()`);
  expect(brought).toEqual(['Lotsawa Emoji', 'Noto Sans SC Variable', 'Lotsawa Tibetan']);
  // The card of a group without the bot shows a Chinese example as code.
  await view.openChat(sandbox.cast.family.id);
  await view.page.locator('.welcome code').waitFor();
  const without = await view.page.evaluate<string[]>(`Array.from(document.querySelectorAll('body *'))
    .filter((element) => !getComputedStyle(element).fontFamily.includes('Noto Sans SC Variable'))
    .map(({ outerHTML }) => outerHTML)`);
  expect(without).toEqual([]);
});

test('an own message can be deleted; another group member may not delete it', async ({
  sandbox: { cast, telegram },
  view,
}) => {
  await view.openChat(cast.group.id);
  await view.say('mine');
  await view.messages('person').waitFor();
  await view.become(cast.anna.id);
  await view.openMenu(view.messages('person'));
  await view.part('forward').waitFor();
  expect(await view.part('delete').count()).toBe(0);
  await view.page.keyboard.press('Escape');
  await view.become(cast.tenzin.id);
  await view.openMenu(view.messages('person'));
  await view.part('delete').click();
  await view.messages('person').waitFor({ state: 'detached' });
  expect(telegram.world.messages(cast.group)).toEqual([]);
});

test('messages elsewhere are counted, and a chat action shows until the message', async ({
  sandbox: { bot, cast },
  view,
}) => {
  for (const text of ['one', 'two']) await bot.say(cast.group.id, text);
  const unread = view.part('unread');
  await unread.filter({ hasText: '2' }).waitFor();
  await view.openChat(cast.group.id);
  await unread.waitFor({ state: 'detached' });
  expect(await view.messages('bot').count()).toBe(2);
  const status = view.part('chat-status');
  // Shown for five seconds.
  await Promise.all([
    status.filter({ hasText: 'is recording voice' }).waitFor(),
    bot.call('sendChatAction', { chat_id: cast.group.id, action: 'record_voice' }),
  ]);
  await bot.say(cast.group.id, 'done');
  await status.filter({ hasNotText: 'is recording voice' }).waitFor();
});

test('each person has a chat with the bot, and all share the group', async ({
  sandbox: { bot, cast },
  view,
}) => {
  await view.say('from Tenzin');
  await view.become(cast.limei.id);
  await view.messages('person').waitFor({ state: 'detached' });
  await view.openChat(cast.group.id);
  await view.say('@lotsawa_bot 你好');
  const shared = view.messages('person');
  await shared.waitFor();
  await view.become(cast.anna.id);
  expect(await shared.getAttribute('data-sender-id')).toBe(String(cast.limei.id));
  await view.page.reload();
  expect(await shared.getAttribute('data-sender-id')).toBe(String(cast.limei.id));
  await view.say('/help@lotsawa_bot');
  const asked = await bot.hears(({ message }) => (message?.text?.startsWith('/help') ? message : undefined));
  expect(asked).toMatchObject({ from: { id: cast.anna.id }, chat: { id: cast.group.id } });
});

test('a person who scrolled up stays there, and can jump to news', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
  for (let n = 1; n <= 14; n += 1) await bot.say(cast.tenzin.id, `line ${n}\n\n\nof a long conversation`);
  await view.messages('bot').nth(13).waitFor();
  await view.part('log').evaluate((log) => {
    log.scrollTop = 0;
  });
  const jump = view.page.locator('#jump');
  await jump.waitFor();
  await bot.say(cast.tenzin.id, 'the newest');
  await jump.filter({ hasText: '1 new' }).waitFor();
  expect(await view.part('log').evaluate((log) => log.scrollTop)).toBe(0);
  await jump.click();
  await jump.waitFor({ state: 'hidden' });
});

test('a chat opens at the beginning of what was not read', async ({ sandbox, phone }) => {
  const { bot, cast } = sandbox;
  const log = phone.part('log');
  const isAtItsTop = (part: Locator) =>
    expect
      .poll(async () => ((await part.boundingBox())?.y ?? -99) - ((await log.boundingBox())?.y ?? 0))
      .toSatisfy((distance) => distance >= 0 && distance < 60);
  await bot.call('setMyDescription', { description: 'What I can do.\n'.repeat(30) });
  await phone.page.reload();
  await phone.openChat(cast.tenzin.id);
  await isAtItsTop(phone.page.locator('.welcome'));
  const long = `A long answer\n${'of many lines\n'.repeat(60)}`;
  await bot.say(cast.tenzin.id, long);
  await isAtItsTop(phone.messages('bot').first());
  await phone.part('back').click();
  for (const text of ['not read', long, 'the last']) await bot.say(cast.group.id, text);
  await phone.openChat(cast.group.id);
  await isAtItsTop(phone.messages('bot').filter({ hasText: 'not read' }));
});

test('without the sandbox the page says so, and the title keeps its room', async ({ sandbox, browser }) => {
  const page = await startPage({ ...sandbox, port: 0 });
  const phone = await PageView.open(browser, page.url, PHONE);
  await phone.part('chat-item').first().click();
  const title = async () => (await phone.part('chat-info').boundingBox())?.width;
  const before = await title();
  await page.close();
  await phone.part('chat-status').filter({ hasText: 'connection lost' }).waitFor();
  expect(await title()).toBe(before);
  await phone.say('Hello?');
  await phone.part('toast').filter({ hasText: 'still running' }).waitFor();
  expect(await phone.input.inputValue()).toBe('Hello?');
  await phone.page.close();
});
