/** Inline queries by the hundred: at most one paid call per pause in typing, and the limits hold. */
import { expect, it } from 'vitest';
import { newChinese } from '../phrases.ts';
import { useScene } from '../shared-scene.ts';

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '2' } });

it('one who sends two hundred queries without a pause has the last one paid for', async () => {
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

it('one who pauses between queries ends at the limit of the day', async () => {
  const person = scene.newcomer();
  const paid = await scene.paidBy(async () => {
    for (let times = 0; times < 4; times += 1) {
      expect((await person.inlineQuery(newChinese())).results).toHaveLength(1);
    }
  });
  expect(paid).toBe(2);
});
