/** In a forum, answers stay in the topic in which was asked. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Group } from '../src/sandbox/telegram/group.ts';
import type { Person } from '../src/sandbox/telegram/person.ts';
import { hasChinese, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
let anna: Person;
let forum: Group;
let topic: number;
beforeAll(async () => {
  scene = await startScene();
  ({ anna } = scene);
  forum = scene.telegram.world.addGroup({ title: 'Forum', members: [anna], isForum: true });
  topic = forum.createTopic('Poems', anna);
});
afterAll(() => scene.close());

it('answers are in the same topic', async () => {
  const asked = anna.send(forum, { text: `/chinese ${newTibetan()}`, threadId: topic });
  const answer = await scene.answerTo(asked);
  expect(answer).toMatchObject({ message_thread_id: topic, is_topic_message: true });
  const voice = await scene.answerTo(anna.send(forum, { text: '/speak', threadId: topic }), isVoice);
  expect(voice).toMatchObject({ message_thread_id: topic, is_topic_message: true });
  const help = await scene.answerTo(anna.send(forum, { text: '/help', threadId: topic }));
  expect(help).toMatchObject({ message_thread_id: topic, is_topic_message: true });
});

it('chat actions and buttons stay in the same topic', async () => {
  const result = await scene.answerTo(
    anna.send(forum, { text: `/tibetan ${newChinese()}`, threadId: topic }),
  );
  const before = scene.telegram.calls.length;
  await anna.press(result, 'speak:amdo');
  const voice = await scene.answerTo(result, isVoice);
  expect(voice).toMatchObject({ message_thread_id: topic });
  const actions = scene.telegram.calls.slice(before).filter(({ method }) => method === 'sendChatAction');
  expect(actions.map(({ payload }) => payload.message_thread_id)).toEqual([topic, topic]);
});

it('what is written into a topic is not taken for a reply to its beginning', async () => {
  const answer = await scene.answerTo(anna.send(forum, { text: '/tibetan', threadId: topic }));
  expect(answer.text).toBe(says('target-tibetan'));
  await scene.answerTo(anna.send(forum, { text: '/auto', threadId: topic }));
  const ocr = await scene.answerTo(anna.send(forum, { text: '/ocr', threadId: topic }));
  expect(ocr.text).toBe(says('ocr-how'));
});

it('an answer into a topic that was closed meanwhile goes to the general one', async () => {
  const closing = forum.createTopic('Closing', anna);
  scene.service.faults.latency.translation = 300;
  const asked = anna.send(forum, { text: `/chinese ${newTibetan()}`, threadId: closing });
  await scene.telegram.world.waitUntil(() => scene.telegram.world.chatAction(forum, closing) === 'typing');
  forum.closeTopic(closing, anna);
  const answer = await scene.answerTo(asked);
  scene.service.faults.clear();
  expect(answer.text).toSatisfy(hasChinese);
  expect(answer.is_topic_message).toBeUndefined();
});
