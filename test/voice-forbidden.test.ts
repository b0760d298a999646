/** A person who forbids voice messages is answered all the same. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newTibetan, says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

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

it('such a person gets all of a translation, also where it does not fit under the file with the reason', async () => {
  const person = scene.newcomer({ forbidsVoice: true });
  const text = '好'.repeat(330);
  const asked = person.send(person.chat, { text: `/speak amdo ${text}` });
  await scene.answerTo(asked, ({ audio }) => audio !== undefined);
  const sent = await scene.everythingAfter(asked, person);
  const all = sent.map((message) => message.text ?? message.caption).join('\n');
  expect(all).toContain(scene.lastCall('speech')?.inputText);
  expect(all).toContain(says('voice-forbidden'));
});
