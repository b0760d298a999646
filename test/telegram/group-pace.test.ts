/** When a group's messages go out at once, and when what comes next had better go out with them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GroupPace } from '../../src/telegram/api/group-pace.ts';

const GROUP = -5;
let pace: GroupPace;
beforeEach(() => {
  // Nothing here waits, so only the clock is wound by hand.
  vi.useFakeTimers({ toFake: ['performance'] });
  pace = new GroupPace();
});
afterEach(() => {
  vi.useRealTimers();
});

const send = (group: number) => pace.inTurn(group, { send: async () => performance.now() });
const sendMany = (count: number) => Promise.all(Array.from({ length: count }, () => send(GROUP)));

describe('a group', () => {
  it('gets a few messages at once', async () => {
    const now = performance.now();
    expect(new Set(await sendMany(18))).toEqual(new Set([now]));
  });

  it('does not wait for another', async () => {
    await sendMany(18);
    expect(await send(-6)).toBe(performance.now());
  });

  it('is known to be busy, and to hold up what comes next, until a minute has passed', async () => {
    await sendMany(13);
    expect([pace.isBusy(GROUP), pace.holdsUpNext(GROUP)]).toEqual([false, false]);
    await send(GROUP);
    expect([pace.isBusy(GROUP), pace.holdsUpNext(GROUP)]).toEqual([true, false]);
    await sendMany(3);
    expect(pace.holdsUpNext(GROUP)).toBe(true);
    vi.advanceTimersByTime(61_000);
    expect([pace.isBusy(GROUP), pace.holdsUpNext(GROUP)]).toEqual([false, false]);
  });

  it('that Telegram has refused a message holds up what comes next', async () => {
    await send(GROUP);
    pace.refused(GROUP, 7000);
    expect(pace.holdsUpNext(GROUP)).toBe(true);
    vi.advanceTimersByTime(8000);
    expect(pace.holdsUpNext(GROUP)).toBe(false);
  });
});
