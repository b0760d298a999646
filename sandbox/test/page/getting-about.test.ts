/** What people do between chats: links to the bot, forwarding, blocking it, reactions, captions. */
import sharp from 'sharp';
import { expect } from 'vitest';
import { test } from './page-test.ts';

test('a link with ?start= opens the chat, and a press starts it', async ({
  sandbox: { bot, cast },
  view,
}) => {
  const started = () =>
    bot.hears(({ message }) => (message?.text?.startsWith('/start') ? message : undefined));
  const help = { text: '/start help', chat: { id: cast.tenzin.id } };
  await bot.say(cast.group.id, 'Read more: t.me/lotsawa_bot?start=help');
  await view.openChat(cast.group.id);
  await view.messages('bot').getByRole('link').click();
  // An empty chat has one Start, in its welcome; any other has it in the place of the text field.
  expect(await view.part('bar').count()).toBe(0);
  await view.part('start').click();
  expect(await started()).toMatchObject(help);
  await view.openChat(cast.group.id);
  await view.messages('bot').getByRole('link').click();
  await view.part('bar').filter({ hasText: 'Start' }).click();
  expect(await started()).toMatchObject(help);
  await view.input.waitFor();
});

test('a link with ?startgroup= adds the bot to the picked group', async ({
  sandbox: { bot, cast },
  view,
}) => {
  const follow = async (link: string) => {
    await view.part('chat-info').click();
    await view.part('link').fill(link);
    await view.part('open-link').click();
  };
  await follow('t.me/other_bot?start=x');
  await view.part('toast').filter({ hasText: 'no link to @lotsawa_bot' }).waitFor();
  await follow('https://t.me/lotsawa_bot?startgroup=hi');
  await view.pick(cast.family.id);
  const started = await bot.hears(({ message }) => (message?.text ? message : undefined));
  expect(started).toMatchObject({ text: '/start@lotsawa_bot hi', chat: { id: cast.family.id } });
  expect(cast.family.hasBot).toBe(true);
});

test('a forwarded message names its sender, and an album stays whole', async ({
  sandbox: { bot, cast, telegram },
  view,
}) => {
  const forward = async (from: 'bot' | 'person') => {
    await view.openMenu(view.messages(from).first());
    await view.part('forward').click();
    await view.pick(cast.group.id);
    await view.part('forwarded').first().waitFor();
  };
  await bot.say(cast.tenzin.id, 'བོད་ཡིག');
  await forward('bot');
  await view.part('forwarded').filter({ hasText: 'Forwarded from Lotsawa' }).waitFor();
  expect(await view.messages('person').getByTestId('message-text').textContent()).toBe('བོད་ཡིག');

  await view.openChat(cast.tenzin.id);
  const canvas = { width: 99, height: 99, channels: 3, background: '#a33' } as const;
  const bytes = await sharp({ create: canvas }).png().toBuffer();
  const [first] = await cast.tenzin.sendAlbum(cast.tenzin, [{ bytes, caption: 'two pages' }, { bytes }]);
  await view.part('photo').nth(1).waitFor();
  await forward('person');
  await expect.poll(() => telegram.world.messages(cast.group).length).toBe(3);
  const [, one, two] = telegram.world.messages(cast.group);
  expect(one).toMatchObject({ caption: 'two pages', forward_origin: { type: 'user' } });
  expect(one?.media_group_id).toBe(two?.media_group_id);
  expect(one?.media_group_id).not.toBe(first?.media_group_id);
});

test('a person who blocks the bot gets nothing until it is unblocked', async ({
  sandbox: { bot, cast },
  view,
}) => {
  await view.part('chat-info').click();
  await view.part('forbids-voice').check();
  await expect.poll(() => cast.tenzin.forbidsVoice).toBe(true);
  await view.part('blocks-bot').check();
  await expect.poll(() => cast.tenzin.blocksBot).toBe(true);
  await expect(bot.say(cast.tenzin.id, 'hello')).rejects.toThrow('bot was blocked by the user');
  await view.part('sheet-close').click();
  await view.part('bar').filter({ hasText: 'Unblock' }).click();
  await view.input.waitFor();
  await bot.say(cast.tenzin.id, 'hello');
  await view.messages('bot').waitFor();
});

test('reactions stand under the message, also after the page reloads', async ({
  sandbox: { bot, cast, telegram },
  view,
}) => {
  await view.say('thank you');
  const { message_id } = await bot.hears(({ message }) => message);
  const reaction = [{ type: 'emoji', emoji: '🙏' }];
  await bot.call('setMessageReaction', { chat_id: cast.tenzin.id, message_id, reaction });
  const shown = view.part('reaction');
  await shown.filter({ hasText: '🙏' }).waitFor();
  await view.messages('person').click({ button: 'right' });
  await view.part('react').first().click();
  await shown.filter({ hasText: '👍' }).waitFor();
  const [message] = telegram.world.messages(cast.tenzin);
  expect(message && telegram.world.reactions(message)).toMatchObject([{ emoji: '🙏' }, { emoji: '👍' }]);
  await view.page.reload();
  await shown.filter({ hasText: '🙏' }).waitFor();
});

test('a photo without a caption is given one afterwards', async ({ sandbox: { bot }, view }) => {
  await view.part('sample').first().click();
  await view.messages('person').waitFor();
  await view.openMenu(view.messages('person'));
  await view.part('edit').click();
  await view.say('chinese');
  const edited = await bot.hears(({ edited_message }) => edited_message);
  expect(edited).toMatchObject({ caption: 'chinese' });
  await view.part('edited').waitFor();
});
