/** /forget erases what is kept about a person, and is no way around a limit. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHINESE, hasTibetan, says, TIBETAN } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene({ env: { DAILY_CALLS_PER_USER: '3' } });
});
afterAll(() => scene.close());

it('asks first, then leaves nothing that leads to the person, in any file of the database', async () => {
  const { newcomer, ask, becomes, restart } = scene;
  const pema = newcomer({ id: 777_123_456 });
  await ask(pema, '/dialect amdo');
  await ask(pema, CHINESE);
  await ask(pema, `/speak ${TIBETAN}`, ({ voice }) => voice !== undefined);
  const question = await ask(pema, '/forget');
  expect(question.text).toBe(says('forget-sure'));
  await pema.press(question, says('button-forget'));
  await becomes(question, ({ text }) => text === says('forgotten'));
  // A stop writes everything into the one file.
  await restart();
  const bytes = readFileSync(scene.databaseFile);
  for (const trace of [String(pema.id), CHINESE, TIBETAN]) expect(bytes.includes(trace)).toBe(false);
});

it('does not give today’s calls back', async () => {
  const { newcomer, ask, becomes } = scene;
  const pema = newcomer();
  for (const text of ['一。', '二。', '三。']) await ask(pema, text, (answer) => hasTibetan(answer.text));
  const question = await ask(pema, '/forget');
  await pema.press(question, says('button-forget'));
  await becomes(question, ({ text }) => text === says('forgotten'));
  const [beginning = ''] = says('limit-person', 'en', { hours: '…', minutes: '…' }).split('…');
  expect((await ask(pema, '四。')).text?.startsWith(beginning)).toBe(true);
});

it('cannot be confirmed by somebody else', async () => {
  const { newcomer, telegram, answerTo } = scene;
  const [pema, dolma] = [newcomer(), newcomer()];
  const group = telegram.world.addGroup({ title: 'Readers', members: [pema, dolma] });
  const question = await answerTo(pema.send(group, { text: '/forget' }));
  await dolma.press(question, says('button-forget'));
  expect((await answerTo(question)).text).toBe(says('forget-not-yours'));
});

it('/privacy says what is kept and how to have it erased', async () => {
  const { text } = await scene.ask(scene.anna, '/privacy');
  expect(text).toContain('90 days');
  expect(text).toContain('/forget');
});
