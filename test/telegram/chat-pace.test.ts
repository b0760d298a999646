/** When messages to a chat go out at once, and when they have to wait. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatPace } from '../../src/telegram/api/chat-pace.ts';

const GROUP = -5;
let pace: ChatPace;
beforeEach(() => {
  // Nothing here waits, so only the clock is wound by hand.
  vi.useFakeTimers({ toFake: ['performance'] });
  pace = new ChatPace();
});
afterEach(() => {
  vi.useRealTimers();
});

const { signal } = new AbortController();
const send = async (group: number): Promise<number> => {
  await pace.wait(group, true, signal);
  return performance.now();
};
const sendMany = (count: number) => Promise.all(Array.from({ length: count }, () => send(GROUP)));

describe('a group', () => {
  it('gets twenty messages a minute at once, and the next is left to the queue until it may go out', async () => {
    const now = performance.now();
    expect(new Set(await sendMany(20))).toEqual(new Set([now]));
    await expect(send(GROUP)).rejects.toMatchObject({ parameters: { retry_after: 61 } });
    vi.advanceTimersByTime(61_000);
    expect(await send(GROUP)).toBe(performance.now());
  });

  it('does not wait for another', async () => {
    await sendMany(20);
    expect(await send(-6)).toBe(performance.now());
  });

  it('is known to be busy until a minute has passed', async () => {
    await sendMany(13);
    expect(pace.isBusy(GROUP)).toBe(false);
    await send(GROUP);
    expect(pace.isBusy(GROUP)).toBe(true);
    vi.advanceTimersByTime(61_000);
    expect(pace.isBusy(GROUP)).toBe(false);
  });
});

it('a chat that Telegram asks to leave alone for long gets nothing before that, to the second', async () => {
  pace.refused(GROUP, 200_000);
  pace.refused(GROUP, 1000);
  vi.advanceTimersByTime(190_000);
  await expect(pace.wait(GROUP, false, signal)).rejects.toThrow('retry after 10');
  await expect(send(GROUP)).rejects.toMatchObject({ parameters: { retry_after: 10 } });
  vi.advanceTimersByTime(10_000);
  expect(await send(GROUP)).toBe(performance.now());
});
