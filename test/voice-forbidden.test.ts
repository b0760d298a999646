/** Who forbids voice messages, or files of another kind, is answered all the same. */
import { afterEach, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import { newTibetan, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
afterEach(() => scene.telegram.faults.clear());

it('such a person gets an audio file and the reason, and pays once', async () => {
  const person = scene.newcomer({ forbidsVoice: true });
  const text = newTibetan();
  const asked = person.send(person.chat, { text: `/speak amdo ${text}` });
  const paid = await scene.paidBy(async () => {
    const answer = await scene.answerTo(asked);
    expect(answer.audio?.duration).toBe(Math.round([...text].length * 0.06));
    expect(answer.caption).toContain(says('voice-forbidden'));
    expect(answer.caption).toContain(text);
    expect(answer.reply_to_message?.message_id).toBe(asked.message_id);
    const again = await scene.answerTo(person.send(person.chat, { text: '/speak amdo', replyTo: answer }));
    expect(again.caption).toBe(answer.caption);
  });
  expect(paid).toBe(1);
});

it('a forbidden voice note’s translation comes whole', async () => {
  const person = scene.newcomer({ forbidsVoice: true });
  const text = '好'.repeat(330);
  const asked = person.send(person.chat, { text: `/speak amdo ${text}` });
  await scene.answerTo(asked, ({ audio }) => audio !== undefined);
  const sent = await scene.everythingAfter(asked, person);
  const all = sent.map((message) => message.text ?? message.caption).join('\n');
  expect(all).toContain(scene.lastCall('speech')?.inputText);
});

const newGroup = () => scene.telegram.world.addGroup({ title: 'Readers', members: [scene.anna] });

it.each<[string, string, () => Pick<Group, 'id'>]>([
  ['user restricted receiving of voice note messages', 'voice-forbidden', () => scene.anna.chat],
  ['user restricted receiving of voice messages', 'voice-forbidden', () => scene.anna.chat],
  ['not enough rights to send voice notes to the chat', 'voice-forbidden-group', newGroup],
])('%s: speech comes as an audio file, with the reason', async (words, reason, chat) => {
  scene.telegram.faults.next('sendVoice', { status: 400, description: `Bad Request: ${words}` });
  const answer = await scene.answerTo(scene.anna.send(chat(), { text: `/speak amdo ${newTibetan()}` }));
  expect(answer.audio).toBeDefined();
  expect(answer.caption).toContain(says(reason));
});

it.each([
  [400, 'Bad Request: not enough rights to send voice notes to the chat'],
  [403, 'Forbidden: CHAT_SEND_VOICES_FORBIDDEN'],
  [403, 'Forbidden: CHAT_SEND_MEDIA_FORBIDDEN'],
])('in a group without sound (%i %s) that is said, with the text', async (status, description) => {
  for (const method of ['sendVoice', 'sendAudio'])
    scene.telegram.faults.next(method, { status, description });
  const text = newTibetan();
  const { text: said } = await scene.answerTo(scene.anna.send(newGroup(), { text: `/speak amdo ${text}` }));
  expect(said).toContain(says('sound-forbidden'));
  expect(said).toContain(text);
  const { payload } = scene.telegram.calls.findLast(({ method }) => method === 'sendMessage') ?? {};
  expect(payload?.link_preview_options).toEqual({ is_disabled: true });
});
