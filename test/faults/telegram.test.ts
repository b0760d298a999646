/** The fault matrix of Telegram: whatever becomes of one call, the person gets the answer, and nothing is paid for twice. */
import PQueue from 'p-queue';
import { beforeAll, describe, expect, it } from 'vitest';
import { INTERFACE_LANGUAGES } from '../../src/language/interface-language.ts';
import { buttonsOf, hasTibetan, isProgress, isVoice, newChinese, newTibetan, numberOf } from '../phrases.ts';
import { FAULTS, instead } from './breakages.ts';
import { ADMIN_IDS, CELL_TIMEOUT_MS, type Cell, FILE_FAILURES, type Outcome, runCell } from './cell.ts';
import {
  awaited,
  byPerson,
  chosen,
  counted,
  type Errand,
  fileLookup,
  listening,
  longPage,
  recognition,
  speech,
  translation,
  triedAgain,
} from './errands.ts';
import type { Breakage } from './fault-proxy.ts';
import { leavesNothing, type Residue } from './residue.ts';
import { useStage } from './stage.ts';

/** What asks for each call. */
const CALLS: Record<string, Errand> = {
  sendMessage: byPerson(translation),
  sendVoice: byPerson(speech),
  sendAudio: byPerson(speech),
  sendDocument: longPage,
  sendChatAction: awaited,
  editMessageText: chosen,
  editMessageReplyMarkup: triedAgain,
  deleteMessage: counted,
  getFile: fileLookup,
  download: recognition,
  getChatMember: listening,
};

const refused = (code: number, more: object = {}): Breakage =>
  instead(code, JSON.stringify({ ok: false, error_code: code, description: 'Refused', ...more }));

/** They pass: the call works when it is made again. Once the work was done, an answer may come twice. */
const PASSING: Record<string, Breakage> = {
  'a reset before the work': FAULTS['reset before the work'],
  'a reset after the work': FAULTS['reset after the work'],
  'an answer cut short': FAULTS['cut short of its length'],
  'a web page': FAULTS['a web page with 502'],
  '429 for 1 s': refused(429, { parameters: { retry_after: 1 } }),
};
const SILENCE = 'silence after the work';

/** More often than one call is made: the queue, too, has to try again. */
const FOR_LONG = 7;
const LONG_REFUSALS: Record<string, Breakage> = {
  'status 500 for long': refused(500),
  'a web page with 200 for long': FAULTS['a web page with 200'],
  '429 without a wait for long': refused(429, { parameters: { retry_after: 0 } }),
};
const REFUSED_FOR_LONG = ['sendMessage', 'sendVoice', 'sendDocument', 'editMessageText', 'getChatMember'];

interface TelegramCell extends Cell {
  /** What breaks, in words. */
  readonly fault: string;
}

const ways = { ...PASSING, [SILENCE]: FAULTS['silent, and the work done'], ...LONG_REFUSALS };
/** One fault after another, so that those that weigh on the same thing are far apart. */
const cells: TelegramCell[] = Object.entries(ways).flatMap(([fault, breakage], index) =>
  Object.entries(CALLS)
    .filter(([call]) => !(fault in LONG_REFUSALS) || REFUSED_FOR_LONG.includes(call))
    .map(([call, errand]) => ({
      ...{ call, fault, errand, breakage },
      times: fault in LONG_REFUSALS ? FOR_LONG : 1,
      proxy: ({ toTelegram }) => toTelegram,
      person: {
        languageCode: INTERFACE_LANGUAGES[index % INTERFACE_LANGUAGES.length] ?? 'en',
        forbidsVoice: call === 'sendAudio',
      },
    })),
);

/** With which the bot begins, where Telegram shows nothing of it yet. */
const FIRST_CALLS = [
  ...['getMe', 'getUpdates', 'setMyCommands', 'getMyDescription', 'setMyDescription'],
  ...['getMyShortDescription', 'setMyShortDescription'],
];
const brokenAtStart: { call: string; broken: () => number }[] = [];

const stage = useStage({
  // A worker for every silent cell, so that the others do not wait behind them.
  env: { ADMIN_IDS, SERVICE_TIMEOUT_MS: '15000', WORKERS: '128' },
  breakStart: (toTelegram) => {
    const breakages = Object.values(PASSING);
    // Fewer in a row than the tries that a call has; each in another order.
    for (const [index, call] of FIRST_CALLS.entries())
      for (const breakage of [...breakages, ...breakages].slice(index % breakages.length).slice(0, 3))
        brokenAtStart.push({ call, ...toTelegram.breakNext({ call, breakage }) });
  },
});
let before: Residue;
let outcomes: Promise<Outcome>[];
beforeAll(async () => {
  await stage.servesOthers();
  before = await stage.residue();
  // Cells at once: those that only wait cost nothing.
  const running = new PQueue({ concurrency: 16 });
  outcomes = cells.map((cell) =>
    cell.fault === SILENCE ? runCell(stage, cell) : running.add(() => runCell(stage, cell)),
  );
  for (const outcome of outcomes) outcome.catch(() => {});
});

it('a start of which each call meets some of it succeeds', async () => {
  await expect.poll(() => brokenAtStart.filter(({ broken }) => broken() === 0)).toEqual([]);
});

describe('whatever becomes of a call', () => {
  it.each(cells.map((cell, index) => ({ ...cell, index })))(
    '$call that meets $fault: the person gets an answer, paid for once',
    async ({ call, fault, times, index }) => {
      const outcome = await outcomes[index];
      if (outcome === undefined) throw new Error('the cell was not run');
      const { told, account, charged, broken, messages, answers } = outcome;
      expect(broken).toBe(times);
      expect(['answer', ...(/getFile|download/.test(call) ? FILE_FAILURES : [])]).toContain(told);
      expect(messages.filter(isProgress)).toEqual([]);
      expect(charged).toBeLessThanOrEqual(account.charged + account.inDoubt);
      if (!(fault in LONG_REFUSALS)) return;
      expect(answers).toBeLessThanOrEqual(1);
      expect(account).toEqual({ charged, begun: 0, inDoubt: 0, failed: 0 });
      expect(charged).toBeLessThanOrEqual(1);
    },
    CELL_TIMEOUT_MS,
  );
});

describe('when all that is over', () => {
  beforeAll(() => Promise.allSettled(outcomes), CELL_TIMEOUT_MS);

  it('the bot goes on, and nothing of it is left behind', async () => {
    await stage.servesOthers();
    await leavesNothing(() => stage.residue(), before);
  });

  it.each(Object.entries(PASSING))(
    'a poll that meets %s loses no update, and a query is answered',
    async (_, breakage) => {
      const { toTelegram, newcomer } = stage;
      const poll = toTelegram.breakNext({ call: 'getUpdates', breakage });
      // The poll that stands is answered with the first; the next one breaks.
      await stage.servesOthers();
      await stage.servesOthers();
      expect(poll.broken()).toBe(1);
      const presser = newcomer();
      const offer = await stage.ask(presser, '/dialect');
      const rules = ['answerCallbackQuery', 'answerInlineQuery'].map((call) =>
        toTelegram.breakNext({ call, breakage }),
      );
      const pressed = presser.press(offer, 'dialect:amdo');
      expect((await newcomer().inlineQuery(newChinese())).results).toHaveLength(1);
      await pressed;
      await stage.becomes(offer, (now) => buttonsOf(now).length === 0);
      expect(rules.map(({ broken }) => broken())).toEqual([1, 1]);
    },
  );

  it('a method that Telegram refuses for long holds up nobody else', {
    timeout: CELL_TIMEOUT_MS,
  }, async () => {
    const { toTelegram, newcomer } = stage;
    const refusal = toTelegram.breakNext({ call: 'sendVoice', times: 1_000_000, breakage: refused(500) });
    const people = Array.from({ length: 4 }, () => newcomer());
    const asked = people.map((person) => person.send(person.chat, { text: `/speak amdo ${newTibetan()}` }));
    await expect.poll(refusal.broken, { timeout: CELL_TIMEOUT_MS }).toBeGreaterThan(4 * FOR_LONG);
    await stage.servesOthers();
    refusal.end();
    for (const message of asked) await stage.answerTo(message, isVoice);
  });

  it.concurrent.each([
    ['reset after the work', 2],
    ['reset before the work', 0],
  ] as const)('a message whose receipt is lost each time (%s) comes %d times', async (fault, times) => {
    const person = stage.newcomer();
    const text = newChinese();
    const mark = numberOf(text) ?? '';
    const rule = stage.toTelegram.breakNext({
      ...{ call: 'sendMessage', mark, times: 1_000_000 },
      breakage: FAULTS[fault],
    });
    const answers = await stage.everythingAfter(person.send(person.chat, { text }), person);
    expect(rule.broken()).toBe(2);
    expect(answers.filter((answer) => hasTibetan(answer.text))).toHaveLength(times);
  });

  it('a voice note whose receipt is lost each time comes at most twice', async () => {
    const { answers, account } = await runCell(stage, {
      ...{ call: 'sendVoice', errand: byPerson(speech), times: 1_000_000 },
      breakage: FAULTS['reset after the work'],
      proxy: ({ toTelegram }) => toTelegram,
    });
    expect(answers).toBe(2);
    expect(account).toMatchObject({ charged: 1, begun: 0 });
  });
});
