/** A second program that polls with the bot's token is told from a process that ends: in the log once, and by /readyz. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalTelegram, startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import { createLog } from '../../src/log.ts';
import { BotApi } from '../../src/telegram/api/api.ts';
import { CONFLICT, PollConflict, type PollingOptions, poll } from '../../src/telegram/intake/polling.ts';
import { receive } from '../../src/telegram/intake/receipt.ts';
import { TOKEN } from '../bot-process.ts';
import { startHttpUnderTest } from '../http/http-under-test.ts';

describe('a conflict', () => {
  const S = 1000;

  /** What is new about each of these, at seconds from the start; and how it is told 10 s later. */
  function met(at: readonly number[]) {
    let time = 0;
    const conflict = new PollConflict({}, () => time);
    const news = at.map((second) => {
      time = second * S;
      return conflict.met();
    });
    time += 10 * S;
    return { news, problem: conflict.problem() };
  }

  it.each([
    ['one', [0]],
    ['many within a minute, as when a process takes over', [0, 1, 2, 5, 10, 20, 40]],
    ['few in more than a minute', [0, 30, 61]],
    ['some now and then', [0, 100, 200, 300, 400, 500]],
  ])('does not last: %s', (_, at) => {
    const { news, problem } = met(at);
    expect(news).not.toContain('lasting');
    expect(problem).toBeUndefined();
  });

  it('that lasts is news once', () => {
    expect(met([0, 15, 30, 45, 61, 75, 90])).toEqual({
      news: ['first', undefined, undefined, undefined, 'lasting', undefined, undefined],
      problem: CONFLICT,
    });
  });

  it('that is over begins anew', () => {
    expect(met([0, 15, 30, 45, 61, 300, 315, 330, 345, 361]).news).toEqual([
      ...['first', undefined, undefined, undefined, 'lasting'],
      ...['first', undefined, undefined, undefined, 'lasting'],
    ]);
    let time = 0;
    const conflict = new PollConflict({}, () => time);
    for (; time <= 75 * S; time += 15 * S) conflict.met();
    expect(conflict.problem()).toBe(CONFLICT);
    time += 60 * S;
    expect(conflict.problem()).toBeUndefined();
    expect([conflict.over(), conflict.over()]).toEqual([6, undefined]);
  });
});

describe('beside another program', () => {
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
    const conflict = new PollConflict({ times: 3, overMs: 0, quietMs: 5000 });
    const http = await startHttpUnderTest({ intakeProblem: async () => conflict.problem() });
    const aborter = new AbortController();
    const options: PollingOptions = {
      api: new BotApi({ token: TOKEN, apiRoot: telegram.apiRoot }),
      queue: { push: async () => {} },
      receive: (body) => receive(body, { commands: [], callbacks: [] }, undefined),
      log: createLog('debug', { write: (line) => lines.push(line) }),
      onReceived: () => {},
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
    const warnings = lines.filter((line) => line.includes('"level":"warn"'));
    expect(warnings.filter((line) => line.includes('polling failed'))).toHaveLength(1);
    aborter.abort();
    await polling;
    await http.close();
  });
});
