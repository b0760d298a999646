/** The fault matrix of Telegram: whatever becomes of one call, the person gets the answer, and nothing is paid for twice. */
import PQueue from 'p-queue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INTERFACE_LANGUAGES } from '../../src/language/interface-language.ts';
import { hasTibetan, isProgress, newChinese } from '../phrases.ts';
import { BROKEN_CONNECTIONS, NO_ANSWERS, ODD_BUT_TRUE, SILENCES } from './breakages.ts';
import { ADMIN_IDS, CELL_TIMEOUT_MS, type Cell, type Outcome, runCell } from './cell.ts';
import {
  byPerson,
  counted,
  type Errand,
  fileLookup,
  listening,
  longPage,
  ownPhoto,
  pressed,
  recognition,
  speech,
  translation,
  triedAgain,
} from './errands.ts';
import type { Breakage } from './fault-proxy.ts';
import { leavesNothing, type Residue } from './residue.ts';
import { type Stage, startStage } from './stage.ts';
import { KINDS, REFUSALS } from './telegram-refusals.ts';

/** What asks for each call. */
const CALLS: Record<string, Errand> = {
  sendMessage: byPerson(translation),
  sendVoice: byPerson(speech),
  sendAudio: byPerson(speech),
  sendDocument: longPage,
  sendPhoto: ownPhoto,
  sendChatAction: byPerson(translation),
  editMessageText: pressed('/dialect', 'dialect:amdo'),
  editMessageReplyMarkup: triedAgain,
  deleteMessage: counted,
  getFile: fileLookup,
  download: recognition,
  getChatMember: listening,
};

/** What Telegram does with the work before the answer is lost: such an answer may come twice. */
const PASSING: Record<string, Breakage> = {
  ...BROKEN_CONNECTIONS,
  ...SILENCES,
  ...ODD_BUT_TRUE,
  ...NO_ANSWERS,
  ...REFUSALS,
};

/** A message that the file is unavailable is an answer, too. */
const ALSO_RIGHT: Record<string, readonly string[]> = {
  getFile: ['failure-file-gone'],
  download: [
    'failure-file-gone',
    'failure-file-unfetched',
    'failure-file-unserved',
    'failure-image-unreadable',
  ],
};

/** A call in JSON meets every fault; the others, which go its way or send a form, one of each kind. */
const IN_FULL = 'sendMessage';

interface TelegramCell extends Cell {
  /** What breaks, in words. */
  readonly fault: string;
}

/** One fault after another, so that those that weigh on the same thing are far apart. */
const cells: TelegramCell[] = Object.entries(PASSING).flatMap(([fault, breakage], index) =>
  Object.entries(CALLS)
    .filter(([call]) => call === IN_FULL || KINDS.includes(fault))
    .map(([call, errand]) => ({
      call,
      fault,
      errand,
      breakage,
      proxy: (stage: Stage) => stage.telegram,
      person: {
        languageCode: INTERFACE_LANGUAGES[index % INTERFACE_LANGUAGES.length] ?? 'en',
        forbidsVoice: call === 'sendAudio',
      },
    })),
);

/** Cells at once: those that only wait cost nothing. */
const AT_ONCE = 16;

let stage: Stage;
let before: Residue;
let outcomes: Promise<Outcome>[];
beforeAll(async () => {
  // A worker for every silent cell, so that the others do not wait behind them.
  stage = await startStage({ env: { ADMIN_IDS, SERVICE_TIMEOUT_MS: '15000', WORKERS: '128' } });
  // What is answered in a moment shows no chat action that could break.
  stage.scene.service.faults.latency.translation = 500;
  await stage.scene.ask(stage.scene.newcomer(), newChinese());
  before = await stage.residue();
  const running = new PQueue({ concurrency: AT_ONCE });
  const isSilent = ({ fault }: TelegramCell) => fault in SILENCES;
  outcomes = cells.map((cell) =>
    isSilent(cell) ? runCell(stage, cell) : running.add(() => runCell(stage, cell)),
  );
  for (const outcome of outcomes) outcome.catch(() => {});
});
afterAll(() => stage.close());

describe('whatever becomes of a call', () => {
  it.each(cells.map((cell, index) => ({ ...cell, index })))(
    '$call that meets $fault: the person gets an answer',
    async ({ call, index }) => {
      const outcome = await outcomes[index];
      if (outcome === undefined) throw new Error('the cell was not run');
      const { told, account, charged, broken, messages } = outcome;
      expect(broken).toBe(1);
      expect(['answer', ...(ALSO_RIGHT[call] ?? [])]).toContain(told);
      expect(messages.filter(isProgress)).toEqual([]);
      expect(account.begun).toBe(0);
      expect(charged).toBeLessThanOrEqual(account.charged + account.inDoubt);
    },
    CELL_TIMEOUT_MS,
  );
});

it('the bot goes on', { timeout: CELL_TIMEOUT_MS }, async () => {
  await Promise.allSettled(outcomes);
  expect((await stage.scene.ask(stage.scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
  expect(stage.scene.log()).not.toMatch(/uncaught|unhandled/i);
});

it('nothing of it is left behind', { timeout: CELL_TIMEOUT_MS }, async () => {
  await Promise.allSettled(outcomes);
  await leavesNothing(() => stage.residue(), before);
});
