/** An outage that only one answer meets holds nobody up for ever; an outage of everybody loses nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTibetan, newChinese, numberOf, says } from '../phrases.ts';
import { BROKEN_CONNECTIONS, instead, NO_ANSWERS } from './breakages.ts';
import { ADMIN_IDS, CELL_TIMEOUT_MS, runCell } from './cell.ts';
import {
  byPerson,
  type Errand,
  fileLookup,
  listening,
  longPage,
  pressed,
  speech,
  translation,
} from './errands.ts';
import type { Breakage } from './fault-proxy.ts';
import { type Stage, startStage } from './stage.ts';
import { refused } from './telegram-refusals.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ env: { ADMIN_IDS, SERVICE_TIMEOUT_MS: '15000' } });
});
afterAll(() => stage.close());

const FOR_EVER = 1_000_000;
const tried = () => stage.scene.log().split('is tried again').length;
const deadLetters = () => stage.scene.log().split('an update became a dead letter').length - 1;

describe('an answer that Telegram never takes, though it takes everything else', () => {
  const ALWAYS: Record<string, Breakage> = {
    'status 500': instead(500, '{"ok":false,"error_code":500,"description":"Internal Server Error"}'),
    'an error of its own with 200': instead(200, '{"ok":false,"error_code":500,"description":"Internal"}'),
    'a web page with 502': NO_ANSWERS['a web page with 502'],
    'a web page with 200': NO_ANSWERS['a web page with 200'],
    'a reset': BROKEN_CONNECTIONS['reset before the work'],
    '429 without an end': refused({ description: 'Too Many Requests', parameters: { retry_after: 0 } }),
  };
  const fault = 'status 500';
  const CALLS: readonly { call: string; errand: Errand; fault: string }[] = [
    ...Object.keys(ALWAYS).map((fault) => ({ call: 'sendMessage', errand: translation, fault })),
    { call: 'sendVoice', errand: byPerson(speech), fault },
    { call: 'sendDocument', errand: longPage, fault },
    { call: 'getFile', errand: fileLookup, fault },
    { call: 'editMessageText', errand: pressed('/dialect', 'dialect:amdo'), fault },
    { call: 'getChatMember', errand: listening, fault },
  ];

  it.concurrent.each(CALLS)(
    '$call, $fault: it is given up with an apology, and what comes after it is answered',
    async ({ call, errand, fault }) => {
      const breakage = ALWAYS[fault] ?? (() => {});
      const { told, broken, account, charged } = await runCell(stage, {
        call,
        errand,
        breakage,
        times: FOR_EVER,
        proxy: ({ telegram }) => telegram,
        person: { languageCode: 'bo' },
      });
      expect(told).toBe('given-up');
      expect(broken).toBeGreaterThan(3);
      expect(account).toMatchObject({ charged, begun: 0, inDoubt: 0, failed: 0 });
    },
    CELL_TIMEOUT_MS,
  );
});

describe('an answer that Telegram takes, though it never tells as which message', () => {
  const RESULTS: Readonly<Record<string, object>> = {
    nothing: {},
    null: { result: null },
    true: { result: true },
    'a message without its number': { result: { date: 1 } },
    'a number as a text': { result: { message_id: '7' } },
  };
  const untold =
    (body: object): Breakage =>
    async ({ response, forward }) => {
      await forward();
      response.end(JSON.stringify({ ok: true, ...body }));
    };

  it.concurrent.each(Object.entries(RESULTS))(
    '%s: it comes at most twice, and a text that is edited is answered again',
    async (_, result) => {
      const { scene, telegram } = stage;
      const person = scene.newcomer();
      const [text, edited] = [newChinese(), newChinese()];
      const breakage = untold(result);
      telegram.breakNext({ call: 'sendMessage', mark: numberOf(text) ?? '', times: FOR_EVER, breakage });
      const asked = person.send(person.chat, { text });
      const before = await scene.everythingAfter(asked, person);
      expect(before.map((answer) => numberOf(answer.text))).toEqual([numberOf(text), numberOf(text)]);
      person.editText(asked, edited);
      const after = await scene.answerTo(before[1] ?? asked, (answer) => hasTibetan(answer.text));
      expect(numberOf(after.text)).toBe(numberOf(edited));
    },
    CELL_TIMEOUT_MS,
  );

  it(
    'a voice note comes at most twice',
    async () => {
      const { answers, account } = await runCell(stage, {
        call: 'sendVoice',
        errand: byPerson(speech),
        breakage: untold({ result: null }),
        times: FOR_EVER,
        proxy: ({ telegram }) => telegram,
      });
      expect(answers).toBe(2);
      expect(account).toMatchObject({ charged: 1, begun: 0 });
    },
    CELL_TIMEOUT_MS,
  );
});

it(
  'while no message comes through, though all else does, nothing is given up',
  async () => {
    const before = deadLetters();
    const breakNext = (mark: string) =>
      stage.telegram.breakNext({
        call: 'sendMessage',
        mark,
        times: FOR_EVER,
        breakage: instead(502, 'Bad Gateway'),
      });
    const apologies = breakNext(says('given-up', 'en'));
    const answers = breakNext('');
    const failed = tried();
    const failures = () => tried() - failed;
    const people = [1, 2, 3].map(() => stage.scene.newcomer());
    const asked = people.map((person) => person.send(person.chat, { text: newChinese() }));
    // More often than it takes to give up what alone is not taken; and the last test of each attempt has failed, too, since Telegram
    // that recovers right before it would seem to refuse the answer alone.
    await expect.poll(failures, { timeout: CELL_TIMEOUT_MS }).toBe(5 * people.length);
    await expect.poll(apologies.broken).toBe(3 * people.length);
    answers.end();
    apologies.end();
    for (const message of asked) {
      const answer = await stage.scene.answerTo(message);
      expect(answer.text).toSatisfy(hasTibetan);
      expect(numberOf(answer.text)).toBe(numberOf(message.text));
      expect(stage.charged(numberOf(message.text) ?? '')).toBe(1);
    }
    expect(deadLetters()).toBe(before);
  },
  CELL_TIMEOUT_MS,
);
