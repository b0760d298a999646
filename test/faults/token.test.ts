/** The fault matrix of the token: pictures are read once it can be had, and nothing is paid before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROKEN_CONNECTIONS, instead, NO_ANSWERS, ODD_BUT_TRUE, SILENCES } from './breakages.ts';
import { type Cell, type Outcome, runCell, unbroken } from './cell.ts';
import { recognition } from './errands.ts';
import type { Breakage } from './fault-proxy.ts';
import { type Stage, startStage } from './stage.ts';

const PASSING = {
  ...BROKEN_CONNECTIONS,
  ...NO_ANSWERS,
};
/** One of each kind. */
const LASTING: Record<string, Breakage> = {
  'reset before the work': BROKEN_CONNECTIONS['reset before the work'],
  'silent, and the work done': SILENCES['silent, and the work done'],
  'an undocumented error': instead(200, '{"error_code":18,"error_msg":"busy","details":null}'),
  '429 for 31 years': instead(429, '', { 'retry-after': '1000000000' }),
};

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ env: { SERVICE_TIMEOUT_MS: '2000' } });
});
afterAll(() => stage.close());

/** Somebody's picture, for which the token has to be asked for anew. One after another: the token is everybody's. */
async function readWithNewToken(breakage: Breakage, times: number): Promise<Outcome> {
  stage.scene.service.faults.next('recognition', 'token-expired');
  const cell: Cell = {
    call: 'token',
    errand: async (...whose) => ({ ...(await recognition(...whose)), mark: () => '' }),
    breakage,
    times,
    proxy: ({ auth }) => auth,
  };
  const outcome = await runCell(stage, cell);
  stage.scene.service.faults.clear();
  expect(outcome.account.begun).toBe(0);
  expect(outcome.account.inDoubt).toBe(0);
  return outcome;
}

/** The bot goes on, and the circuit stays closed. */
async function nextIsRead(): Promise<void> {
  expect((await runCell(stage, unbroken(recognition))).told).toBe('answer');
}

describe('a token that meets', () => {
  it.each(Object.entries({ ...PASSING, ...ODD_BUT_TRUE }))(
    '%s once comes after all',
    async (_fault, breakage) => {
      const { told, broken, account } = await readWithNewToken(breakage, 1);
      expect([told, broken, account.charged]).toEqual(['answer', 1, 1]);
    },
  );

  it.each(Object.entries(LASTING))(
    '%s again and again is missed in words, unpaid',
    async (_fault, breakage) => {
      const { told, account } = await readWithNewToken(breakage, 99);
      expect([told, account.charged]).toEqual(['failure-unavailable', 0]);
      await nextIsRead();
    },
  );
});
