/** A second program that polls with the bot's token is distinguished from a process that ends: once in the log, and in /readyz. */
import { expect, it } from 'vitest';
import { startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import { createLog } from '../../src/log.ts';
import { BotApi } from '../../src/telegram/api/api.ts';
import { CONFLICT, PollConflict, poll } from '../../src/telegram/intake/polling.ts';
import { TOKEN } from '../bot-process.ts';

it('a conflict is told after a minute, and once', () => {
  let time = 0;
  const conflict = new PollConflict(() => time);
  const met = (atS: number) => {
    time = atS * 1000;
    return { isNews: conflict.met(), problem: conflict.problem() };
  };
  expect(met(0)).toEqual({ isNews: true, problem: undefined });
  for (const at of [15, 30, 45]) expect(met(at)).toEqual({ isNews: false, problem: undefined });
  for (const at of [60, 75]) expect(met(at)).toEqual({ isNews: false, problem: CONFLICT });
  time += 60_000;
  expect(conflict.problem()).toBeUndefined();
  for (const at of [300, 400, 500]) expect(met(at)).toEqual({ isNews: true, problem: undefined });
});

it('beside another program the log says once what to do', async () => {
  const telegram = await startLocalTelegram({ token: TOKEN });
  const lines: string[] = [];
  const kinds: string[] = [];
  let time = 0;
  const conflict = new PollConflict(() => time);
  const aborter = new AbortController();
  const polling = poll(
    {
      api: new BotApi({ token: TOKEN, apiRoot: telegram.apiRoot }),
      takeIn: async () => {},
      log: createLog('debug', { write: (line) => lines.push(line) }),
      onFailure: (kind) => kinds.push(kind),
      conflict,
    },
    aborter.signal,
  );
  const logged = (words: string) => lines.filter((line) => line.includes(words)).length;

  const rival = new AbortController();
  const rivalling = (async () => {
    const { signal } = rival;
    const url = `${telegram.apiRoot}/bot${TOKEN}/getUpdates?timeout=30`;
    while (!signal.aborted) await fetch(url, { signal }).catch(() => {});
  })();
  for (const count of [1, 2, 3]) {
    await expect.poll(() => kinds.length).toBeGreaterThanOrEqual(count);
    time = count * 50_000;
  }
  await expect.poll(() => conflict.problem()).toBe(CONFLICT);
  expect(logged('end that program')).toBe(1);
  expect(new Set(kinds)).toEqual(new Set(['conflict']));

  rival.abort();
  await rivalling;
  aborter.abort();
  await polling;
  await telegram.close();
});
