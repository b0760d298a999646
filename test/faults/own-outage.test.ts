/** An outage of one method loses nothing and holds nobody else up; a message whose receipt is lost comes at most twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTibetan, isVoice, newChinese, newTibetan, numberOf } from '../phrases.ts';
import { BROKEN_CONNECTIONS, instead, NO_ANSWERS } from './breakages.ts';
import { ADMIN_IDS, CELL_TIMEOUT_MS, runCell } from './cell.ts';
import { byPerson, type Errand, listening, longPage, pressed, speech, translation } from './errands.ts';
import type { Breakage } from './fault-proxy.ts';
import { type Stage, startStage } from './stage.ts';
import { refused } from './telegram-refusals.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ env: { ADMIN_IDS, SERVICE_TIMEOUT_MS: '15000' } });
});
afterAll(() => stage.close());

const FOR_EVER = 1_000_000;
/** More often than one call is made: the queue, too, has to try again. */
const FOR_LONG = 7;

describe('a call that Telegram refuses for long, though it takes everything else', () => {
  const REFUSALS: Record<string, Breakage> = {
    'status 500': instead(500, '{"ok":false,"error_code":500,"description":"Internal Server Error"}'),
    'a web page with 200': NO_ANSWERS['a web page with 200'],
    '429 without a wait': refused({ description: 'Too Many Requests', parameters: { retry_after: 0 } }),
  };
  const fault = 'status 500';
  const CALLS: readonly { call: string; errand: Errand; fault: string }[] = [
    ...Object.keys(REFUSALS).map((fault) => ({ call: 'sendMessage', errand: translation, fault })),
    { call: 'sendVoice', errand: byPerson(speech), fault },
    { call: 'sendDocument', errand: longPage, fault },
    { call: 'editMessageText', errand: pressed('/dialect', 'dialect:amdo'), fault },
    { call: 'getChatMember', errand: listening, fault },
  ];

  it.concurrent.each(CALLS)(
    '$call, $fault: what was asked is answered in the end, once, and paid once',
    async ({ call, errand, fault }) => {
      const { told, broken, account, answers, charged } = await runCell(stage, {
        call,
        errand,
        breakage: REFUSALS[fault] ?? (() => {}),
        times: FOR_LONG,
        proxy: ({ telegram }) => telegram,
      });
      expect({ told, broken }).toEqual({ told: 'answer', broken: FOR_LONG });
      expect(answers).toBeLessThanOrEqual(1);
      expect(account).toMatchObject({ charged, begun: 0, inDoubt: 0, failed: 0 });
      expect(charged).toBeLessThanOrEqual(1);
    },
    CELL_TIMEOUT_MS,
  );

  it(
    'holds up nobody else',
    async () => {
      const { scene, telegram } = stage;
      const rule = telegram.breakNext({
        call: 'sendVoice',
        mark: '',
        times: FOR_EVER,
        breakage: REFUSALS[fault] ?? (() => {}),
      });
      const people = Array.from({ length: 4 }, () => scene.newcomer());
      const asked = people.map((person) => person.send(person.chat, { text: `/speak amdo ${newTibetan()}` }));
      await expect.poll(rule.broken, { timeout: CELL_TIMEOUT_MS }).toBeGreaterThan(4 * FOR_LONG);
      expect((await scene.ask(scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
      rule.end();
      for (const message of asked) await scene.answerTo(message, isVoice);
    },
    CELL_TIMEOUT_MS,
  );
});

const LOST_RECEIPTS = {
  'reset after the work': BROKEN_CONNECTIONS['reset after the work'],
  'reset before the work': BROKEN_CONNECTIONS['reset before the work'],
  'a yes without a result': async ({ response, forward }) => {
    await forward();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  },
} as const satisfies Record<string, Breakage>;

it.concurrent.each(Object.entries(LOST_RECEIPTS))(
  'a message whose receipt is lost each time (%s) is sent twice at most',
  async (fault, breakage) => {
    const { scene, telegram } = stage;
    const person = scene.newcomer();
    const text = newChinese();
    const rule = telegram.breakNext({
      call: 'sendMessage',
      mark: numberOf(text) ?? '',
      times: FOR_EVER,
      breakage,
    });
    const asked = person.send(person.chat, { text });
    const answers = await scene.everythingAfter(asked, person);
    expect(rule.broken()).toBe(2);
    expect(answers.length).toBe(fault === 'reset before the work' ? 0 : 2);
  },
  CELL_TIMEOUT_MS,
);

it.concurrent(
  'a voice note whose receipt is lost each time comes at most twice',
  async () => {
    const { answers, account } = await runCell(stage, {
      call: 'sendVoice',
      errand: byPerson(speech),
      breakage: BROKEN_CONNECTIONS['reset after the work'],
      times: FOR_EVER,
      proxy: ({ telegram }) => telegram,
    });
    expect(answers).toBe(2);
    expect(account).toMatchObject({ charged: 1, begun: 0 });
  },
  CELL_TIMEOUT_MS,
);
