/** What goes wrong at the service is told in a short sentence, and harms nothing else. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  buttonsOf,
  hasTibetan,
  isVoice,
  labelsOf,
  newChinese,
  newTibetan,
  numberOf,
  says,
  saysWithTime,
} from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const ADMIN_ID = 42;

const scene = useScene({ env: { SERVICE_TIMEOUT_MS: '3000', ADMIN_IDS: String(ADMIN_ID) } });
beforeEach(() => scene.service.faults.clear());

/** A call that works closes the circuit again, so that one test's failures are not another's. */
async function recovered(): Promise<void> {
  scene.service.faults.clear();
  const answer = await scene.ask(scene.newcomer(), newChinese());
  expect(answer.text).toSatisfy(hasTibetan);
}

/** The calls of today in /stats: what was charged, and what is unknown. */
async function statsSay(calls: number): Promise<void> {
  const admin = scene.newcomer({ id: ADMIN_ID });
  await vi.waitFor(
    async () => {
      const { text = '' } = await scene.ask(admin, '/stats');
      const today = (row: string) => new RegExp(`^ *(\\S+) .* ${row}$`, 'm').exec(text)?.[1];
      expect([today('calls'), today('yuan')]).toEqual([String(calls), (0.4 * calls).toFixed(2)]);
    },
    { timeout: 60_000 },
  );
}

// Before any other call of the day is made.
it('an uncertain call counts in /stats as with the service', async () => {
  const { ask, newcomer, answerTo, service } = scene;
  const reader = newcomer();
  await answerTo(await reader.sendPhoto(reader.chat, await aJpeg()));
  service.faults.next('translation', 'reset');
  await ask(newcomer(), newChinese(), ({ text }) => hasTibetan(text));
  service.faults.next('speech', 'status-503');
  await ask(newcomer(), `/speak ${newTibetan()}`, isVoice);
  expect(service.paid().calls).toBe(3);
  await statsSay(3);

  service.faults.next('translation', 'hang');
  await ask(newcomer(), newChinese(), ({ text }) => text === says('failure-in-doubt'));
  expect(service.paid().calls).toBe(4);
  await statsSay(4);
});

it('an edit in doubt is repeated by its button, in place', async () => {
  const person = scene.newcomer();
  const message = person.send(person.chat, { text: newChinese() });
  const answer = await scene.answerTo(message);
  scene.service.faults.next('translation', 'hang');
  const text = newChinese();
  person.editText(message, text);
  await scene.becomes(answer, (now) => now.text === says('failure-in-doubt'));
  await person.press(answer, says('button-try-again'));
  await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
  expect(await scene.everythingAfter(message, person)).toHaveLength(1);
});

describe('a translation', () => {
  it('a failed translation is a sentence, with *Try again* replaced by the answer', async () => {
    const person = scene.newcomer();
    for (const [fault, id, buttons] of [
      ['bad-parameter', 'failure-bad-request', []],
      ['status-503', 'failure-unavailable', [says('button-try-again')]],
    ] as const) {
      scene.service.faults.set('translation', fault);
      const asked = person.send(person.chat, { text: newChinese() });
      const answer = await scene.answerTo(asked);
      expect([answer.text, labelsOf(answer)]).toEqual([says(id), buttons]);
      expect(answer.reply_to_message?.message_id).toBe(asked.message_id);
      await recovered();
      if (buttons.length === 0) continue;
      await person.press(answer, says('button-try-again'));
      const after = await scene.becomes(answer, ({ text }) => hasTibetan(text));
      expect(buttonsOf(after)).toContain('speak:amdo');
      expect(await scene.everythingAfter(answer, person)).toEqual([]);
    }
  });

  it('that failed did not change the settings, and is what /speak without a text means', async () => {
    const person = scene.newcomer();
    await scene.ask(person, '/dialect amdo');
    scene.service.faults.set('translation', 'undocumented-error');
    const text = newChinese();
    await scene.ask(person, text);
    scene.service.faults.clear();
    const voice = await scene.ask(person, '/speak', isVoice);
    expect(voice.caption).toContain(text);
    const amdo = await scene.ask(person, `/speak ${newTibetan()}`, isVoice);
    expect(amdo.caption).toMatch(/^🔊 Amdo\n/);
  });
});

describe('speech', () => {
  it('a failed speech is a sentence that goes with its voice note', async () => {
    scene.service.faults.set('speech', 'undocumented-error');
    const person = scene.newcomer();
    const asked = person.send(person.chat, { text: `/speak ${newTibetan()}` });
    const told = await scene.answerTo(asked);
    expect(told.text).toBe(says('failure-unavailable'));
    await recovered();
    await person.press(told, says('button-try-again'));
    const voice = await scene.answerTo(told, isVoice);
    expect(voice.reply_to_message?.message_id).toBe(asked.message_id);
    await scene.telegram.world.waitUntil(() => scene.telegram.world.message(told) === undefined);
  });

  it.each(['odd-bytes', 'empty'] as const)(
    'that meets %s each time is tried no more than it may, and no voice note comes',
    async (fault) => {
      scene.service.faults.set('speech', fault);
      const person = scene.newcomer();
      const asked = person.send(person.chat, { text: `/speak ${newTibetan()}` });
      const paid = await scene.paidBy(async () => {
        const [answer, ...more] = await scene.everythingAfter(asked, person);
        expect([says('failure-unavailable'), says('failure-audio')]).toContain(answer?.text);
        expect(labelsOf(answer ?? asked)).toEqual([says('button-try-again')]);
        expect(more).toEqual([]);
      });
      expect(paid).toBeLessThanOrEqual(2);
      await recovered();
    },
  );

  it.each(['break-off', 'odd-bytes'] as const)(
    'that meets %s once is tried once more, and comes whole',
    async (fault) => {
      scene.service.faults.next('speech', fault);
      const text = newTibetan();
      const voice = await scene.ask(scene.newcomer(), `/speak ${text}`, isVoice);
      expect(voice.voice?.duration).toBe(Math.round([...text].length * 0.06));
    },
  );
});

it('a failed recognition is a sentence, and an expired token is renewed', async () => {
  const person = scene.newcomer();
  const read = async () => scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  scene.service.faults.set('recognition', 'not-json');
  expect((await read()).text).toBe(says('failure-unavailable'));
  await recovered();
  scene.service.faults.next('recognition', 'token-expired');
  expect((await read()).text).toSatisfy(hasTibetan);
});

it('an open circuit answers at once until the service is back', async () => {
  scene.service.faults.set('all', 'status-503');
  const person = scene.newcomer();
  for (let time = 0; time < 4; time += 1) {
    expect((await scene.ask(person, newChinese())).text).toBe(says('failure-unavailable'));
  }
  expect((await scene.ask(person, newChinese())).text).toMatch(saysWithTime('failure-unavailable-until'));
  const before = scene.service.calls.length;
  const told = await scene.ask(person, newChinese());
  expect(told.text).toMatch(saysWithTime('failure-unavailable-until'));
  expect(scene.service.calls.length).toBe(before);
  scene.service.faults.clear();
  await scene.restart();
  expect((await scene.ask(person, newChinese())).text).toSatisfy(hasTibetan);
  const paid = await scene.paidBy(async () => {
    await person.press(told, says('button-try-again'));
    await scene.becomes(told, ({ text }) => hasTibetan(text));
  });
  expect(paid).toBe(1);
});
