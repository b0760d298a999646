/** Groups at the page: who is in them, who may do what, topics, and what is said in a group's name. */
import { expect } from 'vitest';
import { z } from 'zod';
import { test } from './page-test.ts';

test('who is in no group joins one and leaves it again', async ({ sandbox: { cast }, view }) => {
  await view.become(cast.sonam.id);
  await view.openChat(cast.group.id);
  expect(await view.input.isVisible()).toBe(false);
  await view.part('bar').filter({ hasText: 'Join group' }).click();
  await view.say('hello everyone');
  await view.messages('person').waitFor();
  await view.part('chat-info').click();
  await view.part('leave').click();
  await expect.poll(() => cast.group.has(cast.sonam)).toBe(false);
});

test('a small group with the bot becomes a supergroup, and leaves the list', async ({
  sandbox: { bot, cast, telegram },
  view,
}) => {
  await view.become(cast.limei.id);
  await view.openChat(cast.family.id);
  await view.part('chat-info').click();
  await view.member(telegram.bot.id, 'add-member').click();
  const told = await bot.hears(({ message }) => message?.new_chat_members && message);
  expect(told).toMatchObject({ chat: { id: cast.family.id }, from: { id: cast.limei.id } });
  await view.member(telegram.bot.id).waitFor();
  await view.service('李梅 added Lotsawa').waitFor();
  await view.part('upgrade').click();
  await view.service('was a group before').waitFor();
  await view.part('sheet-close').click();
  expect(await view.page.locator(`[data-testid="chat-item"][data-chat-id="${cast.family.id}"]`).count()).toBe(
    0,
  );
  await view.say('still here');
  await view.messages('person').waitFor();
});

test('a promoted member may write in a closed topic; others may not', async ({
  sandbox: { cast, telegram },
  view,
}) => {
  await view.openChat(cast.forum.id);
  await view.become(cast.limei.id);
  await view.part('topic').filter({ hasText: 'Announcements' }).click();
  await view.page.getByText('This topic is closed').waitFor();
  expect(await view.input.isVisible()).toBe(false);
  await view.become(cast.anna.id);
  await view.part('chat-info').click();
  await view.member(cast.limei.id).getByTestId('role').selectOption('administrator');
  await expect.poll(() => cast.forum.isAdmin(cast.limei)).toBe(true);
  await view.part('sheet-close').click();
  await view.become(cast.limei.id);
  await view.say('Tomorrow we read together');
  await view.messages('person').waitFor();
  expect(telegram.world.messages(cast.forum).at(-1)).toMatchObject({ is_topic_message: true });
});

test('each topic of a forum shows and takes its own messages', async ({ sandbox: { bot, cast }, view }) => {
  const [reading, translation] = cast.forum.topics;
  await view.openChat(cast.forum.id);
  await view.part('topic').filter({ hasText: 'Reading' }).click();
  await view.say('/speak amdo');
  const heard = await bot.hears(({ message }) => (message?.text === '/speak amdo' ? message : undefined));
  expect(heard).toMatchObject({ message_thread_id: reading?.id, is_topic_message: true });
  await bot.say(cast.forum.id, 'for translators', { message_thread_id: translation?.id });
  const tab = view.part('topic').filter({ hasText: 'Translation' });
  await tab.getByText('1', { exact: true }).waitFor();
  expect(await view.messages('bot').count()).toBe(0);
  await tab.click();
  await view.messages('bot').filter({ hasText: 'for translators' }).waitFor();
  expect(await view.messages('person').count()).toBe(0);
});

test('a topic opens, closes and goes; in closed General only admins write', async ({
  sandbox: { cast },
  view,
}) => {
  await view.openChat(cast.forum.id);
  await view.part('new-topic').click();
  await view.part('topic-name').fill('Songs');
  await view.part('create-topic').click();
  const tab = view.part('topic').filter({ hasText: 'Songs' });
  // The tab comes as an event, maybe before the answer that opens it.
  await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
  await view.part('chat-info').click();
  const row = (topic: string) => view.part('topic-row').filter({ hasText: topic });
  await row('Songs').getByTestId('close-topic').click();
  await expect.poll(() => cast.forum.topics.at(-1)).toMatchObject({ name: 'Songs', isClosed: true });
  await row('Songs').getByText('Reopen').click();
  await expect.poll(() => cast.forum.topics.at(-1)?.isClosed).toBe(false);
  await row('Songs').getByTestId('delete-topic').click();
  await tab.waitFor({ state: 'detached' });

  expect(await row('General').getByTestId('delete-topic').count()).toBe(0);
  await row('General').getByTestId('close-topic').click();
  await expect.poll(() => cast.forum.isGeneralClosed).toBe(true);
  await view.part('sheet-close').click();
  await view.part('topic').filter({ hasText: 'Closed: General' }).click();
  await view.become(cast.limei.id);
  await view.page.getByText('This topic is closed').waitFor();
  await view.become(cast.anna.id);
  await view.part('chat-info').click();
  await row('General').getByText('Reopen').click();
  await expect.poll(() => cast.forum.isGeneralClosed).toBe(false);
});

test('an anonymous admin writes in the name of the group', async ({ sandbox: { bot, cast }, view }) => {
  await view.openChat(cast.group.id);
  await view.part('chat-info').click();
  await view.part('anonymous').check();
  await expect
    .poll(() => cast.group.members.find(({ user }) => user.id === cast.tenzin.id))
    .toMatchObject({ is_anonymous: true });
  await view.part('sheet-close').click();
  await view.say('/listen on');
  expect(await bot.hears(({ message }) => message)).toMatchObject({
    sender_chat: { id: cast.group.id },
    from: { username: 'GroupAnonymousBot' },
  });
  await view.part('role').filter({ hasText: 'anonymous' }).waitFor();
});

test('a linked channel’s post comes into the group, whose readers cannot post', async ({
  sandbox: { cast, telegram },
  view,
}) => {
  await view.openChat(cast.channel.id);
  await view.say('New book');
  await view.openChat(cast.group.id);
  await view.messages('person').filter({ hasText: 'Reading circle news' }).waitFor();
  expect(telegram.world.messages(cast.group).at(-1)).toMatchObject({
    text: 'New book',
    is_automatic_forward: true,
  });
  await view.become(cast.anna.id);
  await view.openChat(cast.channel.id);
  await view.part('bar').filter({ hasText: 'Join channel' }).click();
  await view.page.getByText('Only its admins post in a channel').waitFor();
  expect(await view.input.isVisible()).toBe(false);
  expect(await view.part('add-bot').count()).toBe(0);
  await view.messages('person').filter({ hasText: 'New book' }).waitFor();
});

test('a channel of one’s own has its posts, which the bot hears', async ({
  sandbox: { bot, telegram },
  view,
}) => {
  await view.part('new-group').click();
  await view.part('group-title').fill('News');
  await view.part('group-kind').selectOption('channel');
  await view.part('create-group').click();
  await view.part('chat-info').click();
  await view.member(telegram.bot.id, 'add-member').click();
  const added = await bot.hears((update) => update.my_chat_member);
  expect(added).toMatchObject({ chat: { type: 'channel' }, new_chat_member: { can_post_messages: true } });
  await view.part('sheet-close').click();
  await view.say('/listen on');
  const post = await bot.hears((update) => update.channel_post);
  expect(post).toMatchObject({ text: '/listen on', sender_chat: { title: 'News' } });
  expect(post).not.toHaveProperty('from');
});

test('a member who is no admin is refused by the server, too', async ({
  sandbox: { cast, telegram, url },
}) => {
  const personId = cast.limei.id;
  const refused = async (name: string, given: object) => {
    const { status } = await fetch(new URL(`/api/${name}`, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ personId, chatId: cast.group.id, ...given }),
    });
    expect(status).toBe(403);
  };
  await refused('setMember', { userId: telegram.bot.id, status: 'administrator' });
  await refused('setMember', { userId: cast.anna.id, status: 'left' });
  await refused('setMember', { userId: personId, status: 'administrator' });
  await refused('setAnonymity', { isAnonymous: true });
  const topicId = cast.forum.topics[0]?.id;
  await refused('setTopic', { chatId: cast.forum.id, topicId, isClosed: true });
});

test('a service line says who removed whom, also in a supergroup', async ({
  sandbox: { cast, telegram },
  view,
}) => {
  await view.openChat(cast.group.id);
  await view.part('chat-info').click();
  for (const id of [telegram.bot.id, cast.anna.id])
    await view.member(id).getByTestId('role').selectOption('left');
  await view.part('sheet-close').click();
  for (const name of ['Lotsawa', 'Anna']) await view.service(`Tenzin removed ${name}`).waitFor();
});

test('a command for the bot alone is shown to its person alone', async ({ sandbox: { bot, cast }, view }) => {
  const { group } = cast;
  const commands = [{ command: 'usage', description: 'What you used', is_ephemeral: true }];
  await bot.call('setMyCommands', { commands, scope: { type: 'all_group_chats' } });
  await view.openChat(group.id);
  await view.say('/usage');
  const asked = await bot.hears(({ message }) => (message?.text === '/usage' ? message : undefined));
  const target = { chat_id: group.id, receiver_user_id: cast.tenzin.id };
  await bot.say(group.id, 'Three calls', {
    ephemeral_message_parameters: { receiver_user_id: cast.tenzin.id },
    reply_parameters: { ephemeral_message_id: asked.ephemeral_message_id },
    reply_markup: { inline_keyboard: [[{ text: 'More', callback_data: 'more' }]] },
  });
  await view.messages('bot').filter({ hasText: 'Three calls' }).waitFor();
  expect(await view.part('for-one').count()).toBe(2);
  await view.part('inline-button').click();
  const { id, message } = await bot.hears(({ callback_query }) => callback_query);
  const { ephemeral_message_id } = z.looseObject({ ephemeral_message_id: z.number() }).parse(message);
  await bot.call('editEphemeralMessageText', { ...target, ephemeral_message_id, text: 'Four calls' });
  await bot.call('answerCallbackQuery', { callback_query_id: id });
  const changed = view.messages('bot').filter({ hasText: 'Four calls' });
  await changed.waitFor();
  await view.become(cast.limei.id);
  expect(await view.part('for-one').count()).toBe(0);
  await view.become(cast.tenzin.id);
  await view.part('for-one').first().waitFor();
  await bot.call('deleteEphemeralMessage', { ...target, ephemeral_message_id });
  await changed.waitFor({ state: 'detached' });
});
