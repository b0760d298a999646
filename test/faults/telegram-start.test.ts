/** The fault matrix of the calls with which the bot begins: whatever becomes of them, it introduces itself and serves. */
import { describe, it } from 'vitest';
import { hasTibetan, newChinese } from '../phrases.ts';
import { BROKEN_CONNECTIONS, NO_ANSWERS, ODD_BUT_TRUE } from './breakages.ts';
import { startStage } from './stage.ts';
import { KINDS, REFUSALS } from './telegram-refusals.ts';

/** Where Telegram shows nothing of the bot yet. */
const CALLS = [
  'getMe',
  'deleteWebhook',
  'getUpdates',
  'setMyCommands',
  'getMyDescription',
  'setMyDescription',
  'getMyShortDescription',
  'setMyShortDescription',
];

const FAILURES = Object.entries({ ...BROKEN_CONNECTIONS, ...NO_ANSWERS, ...REFUSALS }).filter(([fault]) =>
  KINDS.includes(fault),
);
/** With an oddity after them, fewer than the tries that a call has. */
const FAILURES_A_START = 3;
const STARTS = Array.from({ length: Math.ceil(FAILURES.length / FAILURES_A_START) }, (_, index) => {
  const failures = FAILURES.slice(index * FAILURES_A_START, (index + 1) * FAILURES_A_START);
  const faults = [...failures, ...Object.entries(ODD_BUT_TRUE).slice(index, index + 1)];
  return [faults.map(([fault]) => fault).join(', then '), faults.map(([, breakage]) => breakage)] as const;
});

describe('a start whose every call meets', () => {
  it.concurrent.for(STARTS)('%s succeeds', async ([, breakages], { expect }) => {
    const rules: { broken: () => number }[] = [];
    const stage = await startStage({
      breakStart: (telegram) => {
        for (const breakage of breakages)
          for (const call of CALLS) rules.push(telegram.breakNext({ call, mark: '', breakage }));
      },
    });
    try {
      expect((await stage.scene.ask(stage.scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
      await expect.poll(() => rules.filter(({ broken }) => broken() === 0)).toEqual([]);
      expect(stage.scene.log()).not.toMatch(/uncaught|unhandled/i);
    } finally {
      await stage.close();
    }
  });
});
