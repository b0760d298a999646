/** What the bot has no answer to gets one line on what it can do, in a private chat. */
import { expect, it } from 'vitest';
import { newTibetan, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it.each(['sticker', 'video', 'contact', 'location', 'voice', 'animation', 'dice'] as const)(
  'a %s',
  async (kind) => {
    const paid = await scene.paidBy(async () => {
      const answer = await scene.answerTo(scene.anna.sendOther(scene.anna.chat, kind));
      expect(answer.text).toBe(says('anything-else'));
    });
    expect(paid).toBe(0);
  },
);

it.each(['/nonsense', '/speaking amdo'])('%s, a command that there is not', async (command) => {
  expect((await scene.ask(scene.anna, command)).text).toBe(says('anything-else'));
});

it('a person who blocked the bot is no error, and is answered again once they come back', async () => {
  const person = scene.newcomer();
  const endCall = scene.service.faults.hold('translation');
  person.send(person.chat, { text: newTibetan() });
  await scene.telegram.world.waitUntil(() =>
    scene.telegram.calls.some(
      ({ method, payload }) => method === 'sendChatAction' && payload.chat_id === person.id,
    ),
  );
  person.blocksBot = true;
  endCall();
  await scene.telegram.world.waitUntil(() =>
    scene.telegram.calls.some(
      ({ method, errorCode, payload }) =>
        method === 'sendMessage' && payload.chat_id === person.id && errorCode === 403,
    ),
  );
  person.blocksBot = false;
  expect((await scene.ask(person, '/help')).text).toBe(says('help'));
  expect(scene.log()).not.toContain('"level":"error"');
});
