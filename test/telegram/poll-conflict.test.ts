/** A second program that polls with the bot's token is distinguished from a process that ends: once in the log, and in /readyz. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalTelegram, startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import { createLog } from '../../src/log.ts';
import { BotApi } from '../../src/telegram/api/api.ts';
import { CONFLICT, PollConflict, type PollingOptions, poll } from '../../src/telegram/intake/polling.ts';
import { TOKEN } from '../bot-process.ts';
import { startHttpUnderTest } from '../http/http-under-test.ts';

describe('a conflict', () => {
  const S = 1000;

  it('lasts from a minute on, is news once, and begins anew after a quiet minute', () => {
    let time = 0;
    const conflict = new PollConflict(() => time);
    const met = (atS: number) => {
      time = atS * S;
      return { isNews: conflict.met(), problem: conflict.problem() };
    };
    expect(met(0)).toEqual({ isNews: true, problem: undefined });
    for (const at of [15, 30, 45]) expect(met(at)).toEqual({ isNews: false, problem: undefined });
    for (const at of [60, 75]) expect(met(at)).toEqual({ isNews: false, problem: CONFLICT });
    expect(conflict.over()).toBe(0);
    time += 60 * S;
    expect(conflict.problem()).toBeUndefined();
    expect([conflict.over(), conflict.over()]).toEqual([6, 0]);
    for (const at of [300, 400, 500]) expect(met(at)).toEqual({ isNews: true, problem: undefined });
  });
});

describe('beside another program', () => {
  const QUICK = 20;
  let telegram: LocalTelegram;
  beforeEach(async () => {
    telegram = await startLocalTelegram({ token: TOKEN });
  });
  afterEach(() => telegram.close());

  /** Asks for updates as any program would, until it is ended. */
  function startRival() {
    const aborter = new AbortController();
    const { signal } = aborter;
    const poll = async (): Promise<void> => {
      while (!signal.aborted) {
        await fetch(`${telegram.apiRoot}/bot${TOKEN}/getUpdates?timeout=30`, { signal }).catch(() => {});
      }
    };
    const running = poll();
    return {
      end: async () => {
        aborter.abort();
        await running;
      },
    };
  }

  it('the log says once what to do, /readyz why the bot is not ready, and that it is once the other ends', async () => {
    const lines: string[] = [];
    const kinds: string[] = [];
    // A minute of its clock passes in three seconds.
    const conflict = new PollConflict(() => performance.now() * QUICK);
    const http = await startHttpUnderTest({ intakeProblem: () => conflict.problem() });
    const aborter = new AbortController();
    const options: PollingOptions = {
      api: new BotApi({ token: TOKEN, apiRoot: telegram.apiRoot }),
      takeIn: async () => {},
      log: createLog('debug', { write: (line) => lines.push(line) }),
      onFailure: (kind) => kinds.push(kind),
      conflict,
    };
    const polling = poll(options, aborter.signal);
    const readyz = async () => {
      const answer = await fetch(`${http.url}/readyz`);
      const body: unknown = await answer.json();
      return { status: answer.status, body };
    };
    const told = () => lines.filter((line) => line.includes('end that program')).length;
    expect((await readyz()).status).toBe(200);

    const rival = startRival();
    await expect.poll(readyz).toMatchObject({ status: 503, body: { ready: false, problem: CONFLICT } });
    const met = kinds.length;
    await expect.poll(() => kinds.length).toBeGreaterThan(met + 2);
    expect(told()).toBe(1);
    expect(new Set(kinds)).toEqual(new Set(['conflict']));

    await rival.end();
    await expect.poll(readyz).toMatchObject({ status: 200 });
    expect(told()).toBe(1);
    aborter.abort();
    await polling;
    await http.close();
  });
});
