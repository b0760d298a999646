/** Quota used up and credentials refused: one alert to those who run the bot, words for people, and no further paid try. */
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { CallKind } from '../sandbox/service/call-log.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { buttonsOf, hasTibetan, isVoice, newChinese, newTibetan, says, saysWithTime } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const ADMINS = { en: 42, bo: 43, zh: 44 } as const;
type AdminsLanguage = keyof typeof ADMINS;

const scene = useScene({
  env: {
    ADMIN_IDS: Object.values(ADMINS).join(),
    DAILY_CALLS_PER_USER: '3',
    SERVICE_CONCURRENCY: '2',
    NODE_OPTIONS: `--import=${new URL('quick-minutes.mjs', import.meta.url).href}`,
  },
});
let admins: Record<AdminsLanguage, Person>;
beforeAll(() => {
  const admin = (languageCode: AdminsLanguage) => scene.newcomer({ id: ADMINS[languageCode], languageCode });
  admins = { en: admin('en'), bo: admin('bo'), zh: admin('zh') };
});
afterEach(() => {
  scene.service.faults.clear();
  scene.rows('delete from pauses');
});

/** What a person who has just come hears to this. */
const ask = (text: string) => scene.ask(scene.newcomer(), text);
const quotaIsUsedUp = saysWithTime('failure-quota-until');

async function askForPhoto(): Promise<Message> {
  const person = scene.newcomer();
  return scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
}

const tries = (kind: CallKind) => scene.service.calls.filter((call) => call.kind === kind).length;
const alerts = (language: AdminsLanguage, id: string) =>
  scene.telegram.world.messages(admins[language].chat).filter(({ text }) => text === says(id, language));

/** Waits for the alert, and gives it. */
function alert(id: string, language: AdminsLanguage = 'en'): Promise<Message> {
  return scene.telegram.world.waitUntil(() => alerts(language, id).at(-1));
}

it('a refused new token pauses nothing; a refused X-Secret pauses two kinds', async () => {
  const { service, telegram } = scene;
  service.faults.set('recognition', 'auth');
  expect((await askForPhoto()).text).toBe(says('failure-unavailable'));
  expect([tries('recognition'), tries('token')]).toEqual([2, 2]);
  service.faults.clear();
  expect((await askForPhoto()).text).toSatisfy(hasTibetan);
  expect(telegram.world.messages(admins.en.chat)).toEqual([]);

  service.faults.set('translation', 'auth');
  const isRefused = saysWithTime('failure-auth-until');
  expect((await ask('一。')).text).toMatch(isRefused);
  expect((await ask('/speak 二。')).text).toMatch(isRefused);
  await alert('alert-auth-x-secret');
  expect([tries('translation'), tries('speech')]).toEqual([1, 0]);
  expect(telegram.world.messages(admins.en.chat)).toHaveLength(1);

  // A photo takes a token, and there is none.
  service.faults.set('token', 'auth');
  service.faults.next('recognition', 'auth');
  expect((await askForPhoto()).text).toMatch(isRefused);
  await alert('alert-auth-token');
  expect(scene.log()).not.toContain(service.credentials.secretKey);
});

it('a used-up quota is tried once, and each admin alerted once', async () => {
  const { service, restart } = scene;
  const { bo, zh } = admins;
  // Who chose no language hears of it in the one that their Telegram tells, also in the very message that brings it out.
  await scene.ask(bo, '/help');
  await restart();
  service.faults.set('translation', 'quota');
  const before = tries('translation');
  await scene.ask(zh, '一。', ({ text = '' }) => saysWithTime('failure-quota-until', 'zh').test(text));
  for (const text of ['二。', '三。']) expect((await ask(text)).text).toMatch(quotaIsUsedUp);
  for (const language of ['en', 'bo', 'zh'] as const) await alert('alert-quota-translation', language);
  await restart();
  expect((await ask('四。')).text).toMatch(quotaIsUsedUp);
  expect(tries('translation') - before).toBe(1);
  expect(alerts('en', 'alert-quota-translation')).toHaveLength(1);
  // Speech has a quota of its own.
  expect(await ask('/speak 五。')).toSatisfy(isVoice);

  const sessions = () => scene.rows(`select * from "telegraf-sessions" where "key" = '${bo.id}'`).length;
  expect(sessions()).toBe(1);
  await scene.forget(bo);
  await expect.poll(sessions).toBe(0);
});

it('*Try now* after topping up serves those who were refused', async () => {
  const { service, becomes, newcomer, telegram } = scene;
  service.faults.set('translation', 'quota');
  const before = tries('translation');
  const person = newcomer();
  const refusal = await scene.ask(person, '六。');
  expect(refusal.text).toBe(says('failure-quota-until', 'en', { minutes: '10' }));
  const told = await alert('alert-quota-translation');
  const hasButton = (now: Message) => buttonsOf(now).some((data) => data.startsWith('again:'));
  const triesAgain = async () => {
    const notice = await person.press(await becomes(refusal, hasButton), says('button-try-again'));
    // It comes after that in the person's lane.
    await scene.ask(person, '/wylie ka');
    return notice;
  };
  const tryNow = async () => {
    await admins.en.press(told, says('button-try-now'));
    // A press is acknowledged before it is carried out.
    await scene.atRest();
  };
  // Too early: a notice names the time, and the message stays as it is.
  const shown = await becomes(refusal, hasButton);
  expect((await triesAgain()).text).toBe(says('try-again-later', 'en', { minutes: '10' }));
  expect(await becomes(refusal, hasButton)).toEqual(shown);
  expect(tries('translation') - before).toBe(1);
  await tryNow();
  await triesAgain();
  // Nobody has topped it up yet.
  expect(tries('translation') - before).toBe(2);
  service.faults.clear();
  await tryNow();
  await triesAgain();
  await becomes(refusal, ({ text }) => hasTibetan(text));
  await tryNow();
  await telegram.world.waitForMessage(admins.en.chat, ({ text }) => text === says('try-now-needless'));
});

it('an alert that Telegram refuses comes once it takes messages', async () => {
  const { service, telegram, bot, newcomer, answerTo } = scene;
  service.faults.set('speech', 'quota');
  telegram.faults.next('sendMessage', { status: 401, description: 'Unauthorized', times: 1000 });
  const person = newcomer();
  const asked = person.send(person.chat, { text: '/speak 七。' });
  await bot().says('alerting an admin failed');
  telegram.faults.clear();
  await alert('alert-quota-speech');
  expect((await answerTo(asked)).text).toMatch(quotaIsUsedUp);
  expect(alerts('en', 'alert-quota-speech')).toHaveLength(1);
});

it('calls in line behind a used-up quota are not tried', async () => {
  const { service, telegram, newcomer, answerTo } = scene;
  const ends = [service.faults.hold('speech'), service.faults.hold('speech')];
  for (const text of ['/speak 八。', '/speak 九。']) {
    const speaker = newcomer();
    speaker.send(speaker.chat, { text });
  }
  await scene.underWay(2);
  service.faults.set('translation', 'quota');
  const before = tries('translation');
  const people = Array.from({ length: 4 }, () => newcomer());
  const asked = people.map((person) => person.send(person.chat, { text: newChinese() }));
  await telegram.world.waitUntil(() =>
    people.every(({ chat }) => telegram.world.chatAction(chat) === 'typing'),
  );
  // One of both places in line.
  ends[0]?.();
  for (const message of asked) expect((await answerTo(message)).text).toMatch(quotaIsUsedUp);
  expect(tries('translation') - before).toBe(1);
});

it('in inline mode the failure is said in one result, and passes', async () => {
  const text = newChinese();
  scene.service.faults.next('translation', 'quota');
  const { results, cacheTime } = await scene.newcomer().inlineQuery(text);
  expect(results).toMatchObject([
    {
      title: says('inline-untranslated'),
      description: expect.stringMatching(quotaIsUsedUp),
      input_message_content: { message_text: text },
    },
  ]);
  expect(cacheTime).toBeLessThanOrEqual(10);
});

/** As if ten minutes had passed. */
const endPause = () => expect(scene.rows('update pauses set until = 0 returning reason')).toHaveLength(1);

it('a probe that never reaches the service passes to the next', async () => {
  const { service } = scene;
  const spent = scene.newcomer();
  for (let call = 0; call < 3; call += 1) await scene.ask(spent, newChinese());
  service.faults.set('translation', 'quota');
  expect((await ask(newChinese())).text).toMatch(quotaIsUsedUp);
  service.faults.clear();
  endPause();
  expect((await scene.ask(spent, newChinese())).text).not.toSatisfy(hasTibetan);
  expect((await ask(newChinese())).text).toSatisfy(hasTibetan);
});

it.each<[CallKind, string, number]>([
  ['speech', `/speak all ${newTibetan()}`, 3],
  ['translation', Array.from({ length: 350 }, (_, number) => `第${number}天天气很好。`).join(''), 2],
])(
  'after the pause, all pieces of the first request are made: they wait for the %s that probes',
  async (kind, text, pieces) => {
    scene.service.faults.next(kind, 'quota');
    await ask(kind === 'speech' ? '/speak 十。' : '十一。');
    endPause();
    const before = tries(kind);
    const answer = await ask(text);
    expect(isVoice(answer) || hasTibetan(answer.text)).toBe(true);
    expect(tries(kind) - before).toBe(pieces);
  },
);
