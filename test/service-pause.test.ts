/** Quota used up and credentials refused: one alert to those who run the bot, words for people, and no further paid try. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { InterfaceLanguage } from '../src/language/interface-language.ts';
import { buttonsOf, hasTibetan, newTibetan, says, saysWithTime } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

const ADMIN_ID = 42;

async function start(env: Record<string, string> = {}, adminsLanguage: InterfaceLanguage = 'en') {
  scene = await startScene({ env: { ADMIN_IDS: String(ADMIN_ID), ...env } });
  const admin = scene.newcomer({ id: ADMIN_ID, languageCode: adminsLanguage });
  const { service, telegram } = scene;
  return {
    ...scene,
    tries: (kind: string) => service.calls.filter((call) => call.kind === kind).length,
    admin,
    alert: (id: string) =>
      telegram.world.waitForMessage(admin.chat, ({ text }) => text === says(id, adminsLanguage)),
    alerts: () => telegram.world.messages(admin.chat).length,
  };
}

it('the quota for translation is used up: tried once, told to all, alerted once, also over a restart', async () => {
  const { service, newcomer, ask, restart, tries, alert, alerts } = await start();
  service.faults.set('translation', 'quota');
  for (const text of ['一。', '二。', '三。'])
    expect((await ask(newcomer(), text)).text).toMatch(saysWithTime('failure-quota-until'));
  await alert('alert-quota-translation');
  await restart();
  expect((await ask(newcomer(), '四。')).text).toMatch(saysWithTime('failure-quota-until'));
  expect(tries('translation')).toBe(1);
  expect(alerts()).toBe(1);
  // Speech has a quota of its own.
  expect((await ask(newcomer(), '/speak 五。')).voice).toBeDefined();
});

it('Telegram takes no messages while the quota is found used up: an admin hears of it once it does', async () => {
  const quickMinutes = new URL('quick-minutes.mjs', import.meta.url).href;
  const env = { NODE_OPTIONS: `--import=${quickMinutes}` };
  const { service, telegram, newcomer, bot, alert, alerts } = await start(env);
  service.faults.set('translation', 'quota');
  telegram.faults.next('sendMessage', { status: 401, description: 'Unauthorized', times: 1000 });
  const person = newcomer();
  const asked = person.send(person.chat, { text: '一。' });
  await bot().says('alerting an admin failed');
  telegram.faults.clear();
  await alert('alert-quota-translation');
  await scene?.answerTo(asked, ({ text }) => saysWithTime('failure-quota-until').test(text ?? ''));
  expect(alerts()).toBe(1);
});

it('the quota is used up while others wait in line: they are told, and not tried', async () => {
  const { service, newcomer, ask, tries } = await start({ SERVICE_CONCURRENCY: '1' });
  service.faults.set('translation', 'quota');
  service.faults.latency.translation = 300;
  const answers = await Promise.all(['一。', '二。', '三。', '四。'].map((text) => ask(newcomer(), text)));
  expect(answers.map(({ text }) => text)).toEqual(
    Array(4).fill(expect.stringMatching(saysWithTime('failure-quota-until'))),
  );
  expect(tries('translation')).toBe(1);
});

it('a token that is refused as soon as it is issued pauses nothing, and alarms no admin; a refused X-Secret stops translation and speech together', async () => {
  const { service, newcomer, ask, answerTo, tries, alert, alerts } = await start();
  const askForPhoto = async () => {
    const person = newcomer();
    return answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  };
  service.faults.set('recognition', 'auth');
  expect((await askForPhoto()).text).toBe(says('failure-unavailable'));
  expect([tries('recognition'), tries('token')]).toEqual([2, 2]);
  service.faults.clear();
  await askForPhoto();
  expect(tries('recognition')).toBe(3);
  expect(alerts()).toBe(0);

  service.faults.set('translation', 'auth');
  expect((await ask(newcomer(), '一。')).text).toMatch(saysWithTime('failure-auth-until'));
  expect((await ask(newcomer(), '/speak 二。')).text).toMatch(saysWithTime('failure-auth-until'));
  await alert('alert-auth-x-secret');
  expect([tries('translation'), tries('speech')]).toEqual([1, 0]);
  expect(alerts()).toBe(1);
});

it('an admin who chose no language hears of it in the one that their Telegram tells, until they are forgotten', async () => {
  const { service, newcomer, admin, ask, restart, becomes, alert, databaseFile } = await start({}, 'bo');
  await ask(admin, '/help');
  await restart();
  service.faults.set('translation', 'quota');
  await ask(newcomer(), '一。');
  await alert('alert-quota-translation');
  const question = await ask(admin, '/forget');
  await admin.press(question, says('button-forget', 'bo'));
  await becomes(question, ({ text }) => text === says('forgotten', 'bo'));
  await expect.poll(() => sessionsOf(databaseFile, ADMIN_ID)).toBe(0);
});

it('so does an admin whose very first message is the one that brings it out', async () => {
  const { service, admin, ask, alert } = await start({}, 'zh');
  service.faults.set('translation', 'quota');
  await ask(admin, '一。');
  await alert('alert-quota-translation');
});

it('after the pause, a request that never reaches the service leaves the probe to the next', async () => {
  const { service, newcomer, ask, alert, databaseFile } = await start({ DAILY_CALLS_PER_USER: '1' });
  const spent = newcomer();
  expect((await ask(spent, '一。')).text).toSatisfy(hasTibetan);
  service.faults.set('translation', 'quota');
  expect((await ask(newcomer(), '二。')).text).toMatch(saysWithTime('failure-quota-until'));
  await alert('alert-quota-translation');
  service.faults.clear();
  endPauses(databaseFile);
  expect((await ask(spent, '三。')).text).not.toSatisfy(hasTibetan);
  expect((await ask(newcomer(), '四。')).text).toSatisfy(hasTibetan);
});

it('after topping up, an admin has it tried now: who was told to wait gets what they had asked for', async () => {
  const { service, newcomer, ask, admin, alert, becomes } = await start();
  service.faults.set('translation', 'quota');
  const person = newcomer();
  const refusal = await ask(person, '一。');
  expect(refusal.text).toBe(says('failure-quota-until', 'en', { minutes: '10' }));
  const told = await alert('alert-quota-translation');
  const hasButton = (now: Message) => buttonsOf(now).some((data) => data.startsWith('again:'));
  const triesAgain = async () => {
    const notice = await person.press(await becomes(refusal, hasButton), says('button-try-again'));
    // It comes after that in the person's lane.
    await ask(person, '/wylie ka');
    return notice;
  };
  const calls = () => service.calls.filter(({ kind }) => kind === 'translation').length;
  // Too early: a notice names the time, and the message stays as it is.
  const shown = await becomes(refusal, hasButton);
  expect((await triesAgain()).text).toBe(says('try-again-later', 'en', { minutes: '10' }));
  expect(await becomes(refusal, hasButton)).toEqual(shown);
  expect(calls()).toBe(1);
  await admin.press(told, says('button-try-now'));
  await triesAgain();
  // Nobody has topped it up yet.
  expect(calls()).toBe(2);
  service.faults.clear();
  await admin.press(told, says('button-try-now'));
  await triesAgain();
  await becomes(refusal, ({ text }) => hasTibetan(text));
  await admin.press(told, says('button-try-now'));
  await scene?.telegram.world.waitForMessage(admin.chat, ({ text }) => text === says('try-now-needless'));
});

it('after the pause, all pieces of the first request are made: they wait for the one that probes', async () => {
  const { service, newcomer, ask, tries, databaseFile } = await start();
  const person = newcomer();
  const long = Array.from({ length: 350 }, (_, number) => `第${number}天天气很好。`).join('');
  for (const [kind, text] of [
    ['speech', `/speak all ${newTibetan()}`],
    ['translation', long],
  ] as const) {
    service.faults.next(kind, 'quota');
    await ask(person, kind === 'speech' ? '/speak 五。' : '六。');
    endPauses(databaseFile);
    const before = tries(kind);
    const answer = await ask(person, text);
    expect(answer.voice !== undefined || hasTibetan(answer.text)).toBe(true);
    expect(tries(kind) - before).toBe(kind === 'speech' ? 3 : 2);
  }
});

/** As if ten minutes had passed. */
function endPauses(databaseFile: string): void {
  const database = new DatabaseSync(databaseFile, { timeout: 10_000 });
  const changed = database.prepare('update pauses set until = 0').run().changes;
  database.close();
  expect(changed).toBe(1);
}

function sessionsOf(databaseFile: string, person: number): unknown {
  const database = new DatabaseSync(databaseFile, { readOnly: true });
  const count = 'select count(*) as n from "telegraf-sessions" where "key" = ?';
  const row = database.prepare(count).get(String(person));
  database.close();
  return row?.n;
}
