/** What people do between chats: links to the bot, forwarding, blocking it, reactions, captions. */
import sharp from 'sharp';
import { expect } from 'vitest';
import { test } from './page-test.ts';

test('a link with ?start= opens the chat with the bot, which is started on a press', async ({
  sandbox,
  view,
}) => {
  const { bot, cast } = sandbox;
  await bot.say(cast.group.id, 'Read more: t.me/lotsawa_bot?start=help');
  await view.openChat(cast.group.id);
  await view.messages('bot').getByRole('link').click();
  // An empty chat has one Start, in its welcome; any other has it in the place of the text field.
  expect(await view.part('bar').count()).toBe(0);
  await view.part('start').click();
  const started = () =>
    bot.hears(({ message }) => (message?.text?.startsWith('/start') ? message : undefined));
  expect(await started()).toMatchObject({ text: '/start help', chat: { id: cast.tenzin.id } });
  await view.openChat(cast.group.id);
  await view.messages('bot').getByRole('link').click();
  await view.part('bar').filter({ hasText: 'Start' }).click();
  expect(await started()).toMatchObject({ text: '/start help', chat: { id: cast.tenzin.id } });
  await view.input.waitFor();
});

test('a link with ?startgroup= adds the bot to the group that is picked', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
  await view.part('chat-info').click();
  await view.part('link').fill('https://t.me/lotsawa_bot?startgroup=hi');
  await view.part('open-link').click();
  await view.page.locator(`[data-testid="pick-chat"][data-chat-id="${cast.family.id}"]`).click();
  const started = await bot.hears(({ message }) => (message?.text ? message : undefined));
  expect(started).toMatchObject({ text: '/start@lotsawa_bot hi', chat: { id: cast.family.id } });
  expect(cast.family.hasBot).toBe(true);
});

test('a link to somebody else is not followed from the field', async ({ view }) => {
  await view.part('chat-info').click();
  await view.part('link').fill('t.me/other_bot?start=x');
  await view.part('open-link').click();
  await view.part('toast').filter({ hasText: 'no link to @lotsawa_bot' }).waitFor();
});

test('the button over inline results leads to the chat with the bot', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
  await view.openChat(cast.group.id);
  await view.input.fill('@lotsawa_bot 你好');
  const { id } = await bot.hears(({ inline_query }) => inline_query);
  const button = { text: 'The limit is reached', start_parameter: 'limit' };
  await bot.call('answerInlineQuery', { inline_query_id: id, results: [], button });
  await view.part('inline-results-button').click();
  await view.part('start').click();
  expect(await bot.hears(({ message }) => message?.text)).toBe('/start limit');
});

test('a message is forwarded into another chat, with the name of its sender', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
  await bot.say(cast.tenzin.id, 'བོད་ཡིག');
  await view.messages('bot').hover();
  await view.part('more').click();
  await view.part('forward').click();
  await view.page.locator(`[data-testid="pick-chat"][data-chat-id="${cast.group.id}"]`).click();
  await view.part('forwarded').filter({ hasText: 'Forwarded from Lotsawa' }).waitFor();
  expect(await view.messages('person').getByTestId('message-text').textContent()).toBe('བོད་ཡིག');
});

test('an album is forwarded as a whole, and is an album there', async ({ sandbox, view }) => {
  const { cast, telegram } = sandbox;
  const bytes = await sharp({ create: { width: 99, height: 99, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  const [first] = await cast.tenzin.sendAlbum(cast.tenzin, [{ bytes, caption: 'two pages' }, { bytes }]);
  await view.part('photo').nth(1).waitFor();
  await view.messages('person').first().hover();
  await view.part('more').first().click();
  await view.part('forward').click();
  await view.part('pick-chat').filter({ hasText: 'Tibetan reading circle' }).click();
  await view.part('forwarded').first().waitFor();
  await expect.poll(() => telegram.world.messages(cast.group).length).toBe(2);
  const there = telegram.world.messages(cast.group);
  expect(there[0]).toMatchObject({ caption: 'two pages', forward_origin: { type: 'user' } });
  expect(there[0]?.media_group_id).toBe(there[1]?.media_group_id);
  expect(there[0]?.media_group_id).not.toBe(first?.media_group_id);
});

test('who blocks the bot gets nothing from it until it is unblocked', async ({ sandbox, view }) => {
  const { bot, cast } = sandbox;
  await view.part('chat-info').click();
  await view.part('blocks-bot').check();
  await expect.poll(() => cast.tenzin.blocksBot).toBe(true);
  await expect(bot.say(cast.tenzin.id, 'hello')).rejects.toThrow('bot was blocked by the user');
  await view.part('sheet-close').click();
  await view.part('bar').filter({ hasText: 'Unblock' }).click();
  await view.input.waitFor();
  await bot.say(cast.tenzin.id, 'hello');
  await view.messages('bot').waitFor();
});

test('who refuses voice messages can say so', async ({ sandbox, view }) => {
  await view.part('chat-info').click();
  await view.part('forbids-voice').check();
  await expect.poll(() => sandbox.cast.tenzin.forbidsVoice).toBe(true);
});

test("the bot's reaction stands under the message, also after the page is loaded again", async ({
  sandbox,
  view,
}) => {
  const { bot, cast } = sandbox;
  await view.say('thank you');
  const { message_id } = await bot.hears(({ message }) => message);
  const reaction = [{ type: 'emoji', emoji: '🙏' }];
  await bot.call('setMessageReaction', { chat_id: cast.tenzin.id, message_id, reaction });
  await view.part('reaction').filter({ hasText: '🙏' }).waitFor();
  await view.page.reload();
  await view.part('reaction').filter({ hasText: '🙏' }).waitFor();
});

test('a person reacts from the menu of a message', async ({ sandbox, view }) => {
  const { bot, cast, telegram } = sandbox;
  const messageId = await bot.say(cast.tenzin.id, 'done');
  await view.messages('bot').click({ button: 'right' });
  await view.part('react').first().click();
  await view.part('reaction').waitFor();
  const [message] = telegram.world.messages(cast.tenzin).filter(({ message_id }) => message_id === messageId);
  expect(message && telegram.world.reactions(message)).toEqual([{ type: 'emoji', emoji: '👍' }]);
});

test('a photo without a caption is given one afterwards', async ({ sandbox, view }) => {
  await view.part('sample').first().click();
  await view.messages('person').waitFor();
  await view.messages('person').hover();
  await view.part('more').click();
  await view.part('edit').click();
  await view.say('chinese');
  const edited = await sandbox.bot.hears(({ edited_message }) => edited_message);
  expect(edited).toMatchObject({ caption: 'chinese' });
  await view.part('edited').waitFor();
});
