/** Telegram takes 20 messages a minute in a group: a burst of requests there loses none, and delays nobody elsewhere. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasTibetan, newChinese, numberOf } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

const MEMBERS = 30;

it('every request of a burst is answered, late ones together, under who asked', async () => {
  const { telegram, newcomer, ask } = scene;
  telegram.faults.flood = { perGroupPerMinute: 20, perChatPerSecond: 1, perSecond: 1000 };
  const members = Array.from({ length: MEMBERS }, (_, index) => newcomer({ firstName: `Member ${index}` }));
  const group = telegram.world.addGroup({ title: 'Readers', members, type: 'supergroup' });
  const asked = members.map((member) => member.send(group, { text: `/tibetan ${newChinese()}` }));

  const answers = () => telegram.world.messages(group).filter(({ from }) => from?.is_bot === true);
  const answered = () =>
    answers()
      .map(({ text }) => text)
      .join('\n');
  const elsewhere = newcomer();
  await telegram.world.waitUntil(() => answers().length > 0);
  expect((await ask(elsewhere, newChinese())).text).toSatisfy(hasTibetan);

  const numbers = asked.map(({ text }) => numberOf(text) ?? '');
  await telegram.world.waitUntil(() => numbers.every((number) => answered().includes(number)), 50_000);
  for (const number of numbers) expect(answered().split(number)).toHaveLength(2);
  expect(answers().length).toBeLessThan(MEMBERS);
  const shared = answers().find(({ text }) => (text?.match(/\d{4}/g)?.length ?? 0) > 1);
  for (const [index, number] of numbers.entries()) {
    if (shared?.text?.includes(number)) expect(shared.text).toContain(`Member ${index}:\n`);
  }

  const refusals = telegram.calls.filter(({ errorCode }) => errorCode === 429);
  expect(refusals.length).toBeLessThanOrEqual(2);
});
