/** DAILY_BUDGET_YUAN: those who run the bot hear once a day that most of it is spent, and once that all of it is. */
import { expect, it } from 'vitest';
import { hasTibetan, newChinese, says } from './phrases.ts';
import { useScene } from './shared-scene.ts';

const ADMINS = [5_000_777, 5_000_778] as const;

// Five calls.
const scene = useScene({ env: { DAILY_BUDGET_YUAN: '2', ADMIN_IDS: ADMINS.join(',') } });

it('each admin is told once, at 80 % and 100 %', async () => {
  const { world } = scene.telegram;
  const admins = [
    { admin: scene.newcomer({ id: ADMINS[0], languageCode: 'zh-hant' }), language: 'zh-Hant' },
    { admin: scene.newcomer({ id: ADMINS[1], languageCode: 'bo' }), language: 'bo' },
  ] as const;
  for (const { admin } of admins) await scene.ask(admin, '/help');
  const tolds = () =>
    admins.map(({ admin, language }) =>
      world
        .messages(admin.chat)
        .filter(({ from }) => from?.is_bot)
        .map(({ text }) => text)
        .filter((text) => text !== says('help', language)),
    );
  const at80 = admins.map(({ language }) =>
    says('alert-budget-80', language, { spent: '1.60', budget: '2' }),
  );
  const at100 = admins.map(({ language }) =>
    says('alert-budget-100', language, { spent: '2.00', budget: '2' }),
  );

  const person = scene.newcomer();
  for (let call = 0; call < 3; call += 1) await scene.ask(person, newChinese());
  expect(tolds()).toEqual([[], []]);
  await scene.ask(person, newChinese());
  await world.waitUntil(() => tolds().every((told) => told.length === 1));
  expect(tolds()).toEqual(at80.map((text) => [text]));
  await scene.restart('SIGKILL');
  expect(hasTibetan((await scene.ask(person, newChinese())).text)).toBe(true);
  await world.waitUntil(() => tolds().every((told) => told.length === 2));
  await scene.restart();
  for (let refused = 0; refused < 3; refused += 1)
    expect(hasTibetan((await scene.ask(scene.newcomer(), newChinese())).text)).toBe(false);
  // Of admins the budget asks nothing, and they hear of it no more.
  for (const { admin } of admins) expect(hasTibetan((await scene.ask(admin, newChinese())).text)).toBe(true);
  expect(tolds().map((told) => told.slice(0, 2))).toEqual(at80.map((text, which) => [text, at100[which]]));
  expect(tolds().map((told) => told.length)).toEqual([3, 3]);
});
