/** What the bot has no answer to gets one line on what it can do, in a private chat. */
import { expect, it } from 'vitest';
import { newTibetan, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it('messages of other kinds, and commands that there are not', async () => {
  const { anna } = scene;
  const paid = await scene.paidBy(async () => {
    const kinds = ['sticker', 'video', 'contact', 'location', 'voice', 'animation', 'dice'] as const;
    for (const kind of kinds) {
      const { text } = await scene.answerTo(anna.sendOther(anna.chat, kind));
      expect(text, kind).toBe(says('anything-else'));
    }
    for (const command of ['/nonsense', '/speaking amdo'])
      expect((await scene.ask(anna, command)).text, command).toBe(says('anything-else'));
  });
  expect(paid).toBe(0);
});

it('a person who blocked the bot is served again after coming back', async () => {
  const person = scene.newcomer();
  const endCall = scene.service.faults.hold('translation');
  person.send(person.chat, { text: newTibetan() });
  await scene.telegram.world.waitUntil(() => scene.telegram.world.chatAction(person.chat) === 'typing');
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
