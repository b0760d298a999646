/** In a forum, answers stay in the topic in which was asked. */
import { beforeAll, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { hasChinese, hasTibetan, isProgress, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
let anna: Person;
let forum: Group;
let topic: number;
beforeAll(async () => {
  ({ anna } = scene);
  forum = scene.telegram.world.addGroup({ title: 'Forum', members: [anna], isForum: true });
  topic = forum.createTopic('Poems', anna);
});

it('answers are in the same topic', async () => {
  const asked = anna.send(forum, { text: `/chinese ${newTibetan()}`, threadId: topic });
  const answer = await scene.answerTo(asked);
  expect(answer).toMatchObject({ message_thread_id: topic, is_topic_message: true });
  const voice = await scene.answerTo(anna.send(forum, { text: '/speak', threadId: topic }), isVoice);
  expect(voice).toMatchObject({ message_thread_id: topic, is_topic_message: true });
});

it('chat actions and buttons stay in the same topic', async () => {
  const result = await scene.answerTo(
    anna.send(forum, { text: `/tibetan ${newChinese()}`, threadId: topic }),
  );
  const before = scene.telegram.calls.length;
  // What is answered in a moment shows none.
  const endSpeech = scene.service.faults.hold('speech');
  await anna.press(result, 'speak:amdo');
  const actionsShown = () =>
    scene.telegram.calls.slice(before).filter(({ method }) => method === 'sendChatAction');
  await scene.telegram.world.waitUntil(() => actionsShown().length > 0);
  endSpeech();
  const voice = await scene.answerTo(result, isVoice);
  expect(voice).toMatchObject({ message_thread_id: topic });
  for (const { payload } of actionsShown()) expect(payload.message_thread_id).toBe(topic);
});

it('what is written into a topic is not taken for a reply to its beginning', async () => {
  const answer = await scene.answerTo(anna.send(forum, { text: '/tibetan', threadId: topic }));
  expect(answer.text).toBe(says('target-tibetan'));
  await scene.answerTo(anna.send(forum, { text: '/auto', threadId: topic }));
  const ocr = await scene.answerTo(anna.send(forum, { text: '/ocr', threadId: topic }));
  expect(ocr.text).toBe(says('ocr-how'));
});

it.each([
  ['closed', '/chinese', ({ text }: Message) => hasChinese(text)],
  ['closed', '/speak chinese', isVoice],
  ['closed', '/speak amdo', isVoice],
  ['deleted', '/chinese', ({ text }: Message) => hasChinese(text)],
])('an answer into a topic that was %s meanwhile goes to the general one: %s', async (how, ask, isAnswer) => {
  const { world } = scene.telegram;
  // One for each: a group takes 20 messages a minute.
  const closing = world.addGroup({ title: 'Closing', members: [anna], isForum: true });
  const old = closing.createTopic('Poems', anna);
  for (const kind of ['translation', 'speech'] as const) scene.service.faults.hold(kind);
  anna.send(closing, { text: `${ask} ${newTibetan()}`, threadId: old });
  await world.waitUntil(() => world.chatAction(closing, old) !== undefined);
  if (how === 'closed') closing.closeTopic(old, anna);
  else closing.deleteTopic(old);
  scene.service.faults.clear();
  const answer = await world.waitForMessage(closing, isAnswer);
  expect(answer.is_topic_message).toBeUndefined();
  expect(answer.reply_to_message).toBeUndefined();
});

it('an answer into a closed General ends there, and blocks nothing', async () => {
  const quiet = scene.telegram.world.addGroup({ title: 'Quiet', members: [anna], isForum: true });
  const poems = quiet.createTopic('Poems', anna);
  const endCall = scene.service.faults.hold('translation');
  const asked = anna.send(quiet, { text: `/chinese ${newTibetan()}` });
  await scene.telegram.world.waitUntil(() => scene.telegram.world.chatAction(quiet) === 'typing');
  quiet.closeTopic(undefined, anna);
  endCall();
  const next = anna.send(quiet, { text: '/help', threadId: poems });
  expect((await scene.answerTo(asked)).reply_to_message?.message_id).toBe(next.message_id);
  await expect.poll(scene.log).toContain('the chat is unreachable: the bot was blocked or removed');
  expect(scene.log()).not.toContain('a request failed');
});

it('what counts the work is in the same topic, and goes away', async () => {
  const quiet = scene.telegram.world.addGroup({ title: 'Quiet', members: [anna], isForum: true });
  const poems = quiet.createTopic('Poems', anna);
  const endCall = scene.service.faults.hold('translation');
  const text = `/tibetan ${newChinese()}\n${'长'.repeat(3500)}`;
  const asked = anna.send(quiet, { text, threadId: poems });
  const count = await scene.answerTo(asked, isProgress);
  expect(count).toMatchObject({ message_thread_id: poems, is_topic_message: true });
  endCall();
  const answer = await scene.answerTo(asked, (message) => hasTibetan(message.text));
  expect(answer).toMatchObject({ message_thread_id: poems, is_topic_message: true });
  await scene.telegram.world.waitUntil(() => scene.telegram.world.message(count) === undefined);
  scene.service.faults.clear();
});

it('in the general topic answers name no topic', async () => {
  const before = scene.telegram.calls.length;
  const answer = await scene.answerTo(anna.send(forum, { text: `/chinese ${newTibetan()}` }));
  expect(answer.is_topic_message).toBeUndefined();
  const sent = scene.telegram.calls.slice(before).filter(({ method }) => method.startsWith('send'));
  for (const { payload } of sent) expect(payload.message_thread_id).toBeUndefined();
});
