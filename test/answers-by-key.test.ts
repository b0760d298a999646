/** Every part of an answer has a key: whatever comes between two attempts, each part is there once, and says what the last attempt has read. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { hasTibetan, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { sendPage, sendPages } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { SERVICE_TIMEOUT_MS: '3000' } });
afterEach(() => {
  scene.telegram.faults.clear();
  scene.service.faults.clear();
});

/** Numbered Tibetan lines of 20 UTF-16 units each, line break included. */
function lines(count: number, from: number): string {
  const line = (number: number) => `${number} བཀྲ་ཤིས་བདེ་ལེགས`.padEnd(18, 'ས').concat('།');
  return Array.from({ length: count }, (_, index) => line(from + index).slice(0, 19)).join('\n');
}

const numbersIn = (texts: readonly (string | undefined)[]) => texts.join('\n').match(/\b\d{4}\b/g) ?? [];
const numbers = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => String(from + index));

/** The next `done` messages come, and the bot is killed over the one after them, which does not. */
async function killAfter(
  done: number,
  ask: () => Promise<Message>,
  meanwhile?: () => void,
): Promise<Message> {
  const { telegram } = scene;
  const sends = () => telegram.calls.filter(({ method }) => method === 'sendMessage').length;
  telegram.faults.next('sendMessage', { mode: 'hold', until: Promise.resolve(), times: done });
  telegram.faults.next('sendMessage', { mode: 'hang' });
  const before = sends();
  const asked = await ask();
  await telegram.world.waitUntil(() => sends() > before + done);
  await scene.bot().stop('SIGKILL');
  meanwhile?.();
  await scene.restart();
  return asked;
}

const FORBIDS_FILES = {
  status: 400,
  description: 'Bad Request: not enough rights to send documents to the chat',
};

it('the rest of a long answer comes once after a kill', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
  scene.telegram.faults.next('sendDocument', { ...FORBIDS_FILES, times: Number.POSITIVE_INFINITY });
  const asked = await killAfter(2, () => sendPage(person, group, lines(1150, 1000), '/ocr'));
  await scene.answerTo(asked, ({ text }) => text?.includes('2149') === true);
  await scene.atRest();
  const answers = scene.telegram.world.messages(group).filter(({ from }) => from?.is_bot);
  expect(answers).toHaveLength(6);
  expect(numbersIn(answers.map(({ text }) => text))).toEqual(numbers(1150, 1000));
});

it('the rest of an answer that 1.0.0 began comes once', async () => {
  const person = scene.newcomer();
  const withoutKeys = () => {
    const database = new DatabaseSync(scene.databaseFile);
    const { id, sent } =
      database.prepare("select id, sent from requests where state = 'waiting'").get() ?? {};
    const before: { id: number; kind: string }[] = JSON.parse(String(sent));
    const plain = JSON.stringify(before.map(({ id, kind }) => ({ id, kind })));
    database.prepare('update requests set sent = ? where id = ?').run(plain, Number(id));
    database.close();
  };
  const asked = await killAfter(1, () => sendPage(person, person.chat, lines(600, 1000)), withoutKeys);
  const answers = await scene.everythingAfter(asked, person);
  expect(answers).toHaveLength(3);
  expect(numbersIn(answers.map(({ text }) => text))).toEqual(numbers(600, 1000));
});

describe('an album of which the first attempt cannot read one page', () => {
  it.each([
    ['two messages', [110, 115, 120]],
    ['a file in place of messages', [200, 205, 215]],
  ])('shows all that the next attempt reads, as %s', async (_, counts) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const person = scene.newcomer();
    scene.service.faults.next('recognition', 'hang');
    const ask = async () => {
      const texts = counts.map((count, page) =>
        lines(count, 1000 + counts.slice(0, page).reduce((sum, one) => sum + one, 0)),
      );
      return (await sendPages(person, person.chat, texts))[0] as Message;
    };
    // The count of the paid calls, and a part.
    const asked = await killAfter(2, ask);
    const answers = await scene.everythingAfter(asked, person);
    const file = answers.find(({ document }) => document !== undefined)?.document;
    const whole =
      file === undefined
        ? answers.map(({ text }) => text)
        : [scene.telegram.world.fileBytes(file.file_id).toString('utf8')];
    expect(numbersIn(whole)).toEqual(numbers(total, 1000));
    expect(answers.map(({ text }) => text).join()).not.toContain(says('failure-in-doubt'));
    expect(answers).toHaveLength(2);
  });
});

describe('an answer in doubt twice says so, and *Try again* is free:', () => {
  const LOST = { mode: 'reset', times: 2 } as const;
  const chinese = newChinese();
  it.each([
    ['a translation', 'sendMessage', 0, () => chinese, ({ text }: Message) => hasTibetan(text)],
    ['a voice note', 'sendVoice', 0, () => `/speak amdo ${newTibetan()}`, isVoice],
    [
      'the last part of a longer one',
      'sendMessage',
      1,
      () => Array.from({ length: 350 }, (_, index) => `第${index}句话在这里。`).join('\n'),
      ({ text }: Message) => hasTibetan(text) && text?.includes('349') === true,
    ],
  ])('%s', async (_, method, after, text, isAnswer) => {
    const { telegram } = scene;
    const person = scene.newcomer();
    telegram.faults.next(method, { mode: 'hold', until: Promise.resolve(), times: after });
    telegram.faults.next(method, LOST);
    const told = await scene.ask(person, text(), (message) => message.text === says('failure-undelivered'));
    const paid = await scene.paidBy(async () => {
      await person.press(told, says('button-try-again'));
      await telegram.world.waitForMessage(person.chat, isAnswer);
      await scene.atRest();
    });
    const said = telegram.world.messages(person.chat).map(({ text }) => text);
    expect(said).not.toContain(says('failure-undelivered'));
    expect(paid).toBe(0);
  });

  it('a file', async () => {
    const person = scene.newcomer();
    scene.telegram.faults.next('sendDocument', LOST);
    const asked = await sendPage(person, person.chat, lines(700, 1000));
    const told = await scene.answerTo(asked, ({ text }) => text === says('failure-undelivered'));
    const paid = await scene.paidBy(async () => {
      await person.press(told, says('button-try-again'));
      await scene.answerTo(asked, ({ document }) => document !== undefined);
    });
    expect(paid).toBe(0);
    await scene.atRest();
    expect(scene.telegram.world.message(told)?.text).not.toBe(says('failure-undelivered'));
  });
});
