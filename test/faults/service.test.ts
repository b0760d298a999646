/** The fault matrix of the paid service: in the end the right answer, or the right words; and the ledger says what was charged. */
import PQueue from 'p-queue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INTERFACE_LANGUAGES } from '../../src/language/interface-language.ts';
import { isProgress } from '../phrases.ts';
import { CELL_TIMEOUT_MS, type Outcome, runCell } from './cell.ts';
import { recognition, translation } from './errands.ts';
import { leavesNothing, type Residue } from './residue.ts';
import { CELLS, type ServiceCell } from './service-cells.ts';
import { type Stage, startStage } from './stage.ts';

/** Too few failures in a row to open a circuit (5 do): a request succeeds after each cell. */
const AT_ONCE = 2;

const cells: ServiceCell[] = [...CELLS.base, ...CELLS.auth];

let stage: Stage;
let before: Residue;
let outcomes: Promise<Outcome>[];
beforeAll(async () => {
  stage = await startStage({ env: { SERVICE_TIMEOUT_MS: '2000' } });
  for (const host of ['base', 'auth'] as const) await somebodyIsAnswered(host);
  before = await stage.residue();
  const hosts = { base: new PQueue({ concurrency: AT_ONCE }), auth: new PQueue({ concurrency: AT_ONCE }) };
  outcomes = cells.map((cell, index) => {
    const host = CELLS.auth.includes(cell) ? 'auth' : 'base';
    const person = { languageCode: INTERFACE_LANGUAGES[index % INTERFACE_LANGUAGES.length] ?? 'en' };
    return hosts[host].add(async () => {
      const outcome = await runCell(stage, { ...cell, person });
      await somebodyIsAnswered(host);
      return outcome;
    });
  });
  for (const outcome of outcomes) outcome.catch(() => {});
});
afterAll(() => stage.close());

/** The bot goes on: the next request of another person is answered. It also closes the circuit's count of failures. */
async function somebodyIsAnswered(host: 'base' | 'auth'): Promise<void> {
  const person = stage.scene.newcomer();
  const errand = await (host === 'base' ? translation : recognition)(stage, person);
  await stage.scene.answerTo(await errand.begin(), errand.isAnswer);
}

describe('the service’s endpoint', () => {
  it.each(cells.map((cell, index) => ({ ...cell, index })))(
    '$call that meets $fault: $expected',
    async ({ index, expected, times = 1, isUnknowable }) => {
      const outcome = await outcomes[index];
      if (outcome === undefined) throw new Error('the cell was not run');
      const { told, account, charged, broken, messages, answers } = outcome;
      expect(told).toBe(expected);
      expect(broken).toBeGreaterThan(0);
      expect(broken).toBeLessThanOrEqual(Math.min(times, 3));
      expect(messages.filter(isProgress)).toEqual([]);
      expect(answers).toBe(expected === 'answer' ? 1 : 0);
      expect(account.begun).toBe(0);
      expect(account.charged).toBeLessThanOrEqual(charged);
      expect(charged).toBeLessThanOrEqual(
        account.charged + account.inDoubt + (isUnknowable ? account.failed : 0),
      );
    },
    CELL_TIMEOUT_MS,
  );
});

it('nothing of it is left behind', { timeout: CELL_TIMEOUT_MS }, async () => {
  await Promise.allSettled(outcomes);
  expect(stage.scene.log()).not.toMatch(/uncaught|unhandled/i);
  await leavesNothing(() => stage.residue(), before);
});
