/** Inline queries by the hundred: at most one paid call per pause in typing, and the limits hold. */
import { afterEach, expect, it } from 'vitest';
import { newChinese } from '../phrases.ts';
import { type Scene, startScene } from '../scene.ts';

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

it('one who sends two hundred queries without a pause has the last one paid for', async () => {
  scene = await startScene();
  const { anna, paidBy, ask } = scene;
  const paid = await paidBy(async () => {
    const queries = Array.from({ length: 200 }, () => newChinese());
    const last = queries.pop() ?? '';
    // Nobody waits for an answer to what was typed on.
    for (const query of queries) anna.inlineQuery(query).catch(() => {});
    const { results } = await anna.inlineQuery(last);
    expect(results).toHaveLength(1);
    await ask(anna, '/help');
  });
  expect(paid).toBe(1);
});

it('many who each ask once are answered, up to what the bot may spend', async () => {
  scene = await startScene({ env: { DAILY_BUDGET_YUAN: '4' } });
  const { newcomer, paidBy, log } = scene;
  const paid = await paidBy(async () => {
    const people = Array.from({ length: 60 }, () => newcomer());
    const answers = await Promise.all(people.map((person) => person.inlineQuery(newChinese())));
    expect(answers.every(({ results }) => results.length === 1)).toBe(true);
  });
  expect(paid).toBe(10);
  expect(log()).not.toMatch(/"level":"error"/);
});

it('one who pauses between queries ends at the limit of the day', async () => {
  scene = await startScene({ env: { DAILY_CALLS_PER_USER: '2' } });
  const { anna, paidBy } = scene;
  const paid = await paidBy(async () => {
    for (let times = 0; times < 4; times += 1) {
      expect((await anna.inlineQuery(newChinese())).results).toHaveLength(1);
    }
  });
  expect(paid).toBe(2);
});
