/** What goes wrong at the service is told in a short sentence, and harms nothing else. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { FaultId } from '../sandbox/service/fault-catalogue.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import { TOKEN } from './bot-process.ts';
import { buttonsOf, hasChinese, hasTibetan, newChinese, newTibetan, says, saysWithTime } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { SERVICE_TIMEOUT_MS: '3000', LOG_LEVEL: 'trace' } });
beforeEach(() => scene.service.faults.clear());

const isVoice = ({ voice, audio }: Message) => voice !== undefined || audio !== undefined;

/** What was sent in these tests, for the last one: none of it may be in the log. */
const sent: string[] = [];
function chinese(): string {
  const text = newChinese();
  sent.push(text);
  return text;
}

/** A call that works closes the circuit again, so that one test's failures are not another's. */
async function recovered(): Promise<void> {
  scene.service.faults.clear();
  const answer = await scene.ask(scene.newcomer(), chinese());
  expect(answer.text).toSatisfy(hasTibetan);
}

describe('a translation', () => {
  it.each<[FaultId, string]>([
    ['too-long', 'failure-too-long'],
    ['bad-parameter', 'failure-bad-request'],
    ['status-503', 'failure-unavailable'],
  ])('that meets %s is answered with %s, as a reply', async (fault, id) => {
    scene.service.faults.set('translation', fault);
    const person = scene.newcomer();
    const asked = person.send(person.chat, { text: chinese() });
    const answer = await scene.answerTo(asked);
    expect(answer.text).toBe(says(id));
    expect(answer.reply_to_message?.message_id).toBe(asked.message_id);
    // A failure that may pass has *Try again*, and the answer replaces it.
    expect(buttonsOf(answer).map((data) => data.split(':')[0])).toEqual(
      id === 'failure-unavailable' ? ['again'] : [],
    );
    await recovered();
    if (id !== 'failure-unavailable') return;
    await person.press(answer, says('button-try-again'));
    const after = await scene.becomes(answer, ({ text }) => hasTibetan(text));
    expect(buttonsOf(after)).toContain('speak:amdo');
    expect(await scene.everythingAfter(answer, person)).toEqual([]);
  });

  it('that failed did not change the settings, and is what /speak without a text means', async () => {
    const person = scene.newcomer();
    await scene.ask(person, '/dialect amdo');
    scene.service.faults.set('translation', 'undocumented-error');
    const text = chinese();
    await scene.ask(person, text);
    scene.service.faults.clear();
    const voice = await scene.ask(person, '/speak', isVoice);
    expect(voice.caption).toContain(text);
    const amdo = await scene.ask(person, `/speak ${newTibetan()}`, isVoice);
    expect(amdo.caption).toMatch(/^🔊 Amdo\n/);
  });
});

describe('speech', () => {
  it.each<[FaultId, string]>([
    ['undocumented-error', 'failure-unavailable'],
    ['status-503', 'failure-unavailable'],
    ['envelope-200', 'failure-bad-request'],
  ])('that meets %s is answered with %s, and no voice note comes', async (fault, id) => {
    scene.service.faults.set('speech', fault);
    const person = scene.newcomer();
    const asked = person.send(person.chat, { text: `/speak ${newTibetan()}` });
    const told = await scene.answerTo(asked);
    expect(told.text).toBe(says(id));
    expect((await scene.everythingAfter(asked, person)).filter(isVoice)).toEqual([]);
    await recovered();
    if (id !== 'failure-unavailable') return;
    await person.press(told, says('button-try-again'));
    const voice = await scene.answerTo(told, isVoice);
    expect(voice.reply_to_message?.message_id).toBe(asked.message_id);
    // The words that it did not come go, once it is there.
    await scene.telegram.world.waitUntil(() => scene.telegram.world.message(told) === undefined);
  });

  it.each(['break-off', 'odd-bytes', 'empty'] as const)(
    'that meets %s each time is tried no more than it may, and no voice note comes',
    async (fault) => {
      scene.service.faults.set('speech', fault);
      const person = scene.newcomer();
      const asked = person.send(person.chat, { text: `/speak ${newTibetan()}` });
      const paid = await scene.paidBy(async () => {
        const answer = await scene.answerTo(asked);
        expect([says('failure-unavailable'), says('failure-audio')]).toContain(answer.text);
        expect(buttonsOf(answer)).toHaveLength(1);
        expect((await scene.everythingAfter(asked, person)).filter(isVoice)).toEqual([]);
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

describe('a recognition', () => {
  it.each<[FaultId, string]>([
    ['undocumented-error', 'failure-unavailable'],
    ['status-503', 'failure-unavailable'],
    ['not-json', 'failure-unavailable'],
  ])('that meets %s is answered with %s', async (fault, id) => {
    scene.service.faults.set('recognition', fault);
    const person = scene.newcomer();
    const answer = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
    expect(answer.text).toBe(says(id));
    await recovered();
  });

  it('whose token has expired gets a new one, unseen', async () => {
    const person = scene.newcomer();
    await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
    scene.service.faults.next('recognition', 'token-expired');
    const answer = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
    expect(answer.text).toSatisfy(hasTibetan);
  });
});

it('after many failures in a row people are told at once, and helped again when the service is back', async () => {
  scene.service.faults.set('all', 'status-503');
  const person = scene.newcomer();
  for (let time = 0; time < 4; time += 1) {
    expect((await scene.ask(person, chinese())).text).toBe(says('failure-unavailable'));
  }
  expect((await scene.ask(person, chinese())).text).toMatch(saysWithTime('failure-unavailable-until'));
  const before = scene.service.calls.length;
  const told = await scene.ask(person, chinese());
  expect(told.text).toMatch(saysWithTime('failure-unavailable-until'));
  expect(scene.service.calls.length).toBe(before);
  scene.service.faults.clear();
  await scene.restart();
  expect((await scene.ask(person, chinese())).text).toSatisfy(hasTibetan);
  const paid = await scene.paidBy(async () => {
    await person.press(told, says('button-try-again'));
    await scene.becomes(told, ({ text }) => hasTibetan(text));
  });
  expect(paid).toBe(1);
});

it('the log holds no text, no token and no secret, at its most talkative', async () => {
  const output = scene.log();
  expect(output).toContain('a request failed');
  expect(output).not.toContain(TOKEN);
  expect(output).not.toContain(TOKEN.split(':')[1]);
  for (const secret of Object.values(scene.service.credentials)) expect(output).not.toContain(secret);
  for (const text of sent) expect(output).not.toContain(text);
  expect(output).not.toSatisfy(hasTibetan);
  expect(output).not.toSatisfy(hasChinese);
});
