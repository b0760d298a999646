/** What a chat shows while somebody waits: in time, without gaps, and nothing behind the answer. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChatAction } from '../../src/telegram/outbox/chat-action.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Actions that take `tripMs` to arrive; gives what was shown, and when in ms from the beginning. */
function chat(tripMs = 50) {
  const begun = performance.now();
  const shown: [number, string][] = [];
  const action = new ChatAction(async (name) => {
    shown.push([Math.round(performance.now() - begun), name]);
    await after(tripMs);
  });
  return { action, shown, now: () => Math.round(performance.now() - begun) };
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it.each([
  ['is over in a moment shows nothing', 60, []],
  ['takes longer shows that within 300 ms, for as long as it takes', 10_000, [100, 4600, 9100]],
])('what %s', async (_, takes, expected) => {
  const { action, shown } = chat();
  action.show('record_voice');
  await pass(takes);
  action.end();
  await pass(10_000);
  expect(shown.map(([at]) => at)).toEqual(expected);
});

it('a message that takes the action away while work goes on leaves no gap of more than 300 ms', async () => {
  const { action, shown, now } = chat();
  action.show('typing');
  await pass(1000);
  const counting = action.during(() => after(50)).then(now);
  await pass(1000);
  const gone = await counting;
  const [, again = [0]] = shown;
  expect(again[0]).toBeGreaterThan(gone);
  expect(again[0] - gone).toBeLessThanOrEqual(300);
});

it('nothing follows the message with which the work ends, even where a renewal was due', async () => {
  for (const begunAgo of [0, 50, 95, 4550, 4595]) {
    const { action, shown, now } = chat();
    action.show('typing');
    await pass(begunAgo);
    const answering = action.during(() => after(80)).then(now);
    const ended = answering.then(() => action.end());
    await pass(10_000);
    await ended;
    const answeredAt = await answering;
    expect(shown.filter(([at]) => at + 50 > answeredAt - 80)).toEqual([]);
  }
});

it('an answer waits for an action that left just before it, but not for one that does not arrive', async () => {
  const { action, now } = chat(70);
  action.show('typing');
  await pass(120);
  const sentAt = action.during(async () => now());
  await pass(1000);
  expect(await sentAt).toBe(170);

  const stuck = chat(60_000);
  stuck.action.show('typing');
  await pass(100);
  const sentAnyway = stuck.action.during(async () => stuck.now());
  await pass(1000);
  expect(await sentAnyway).toBeLessThanOrEqual(200);
});

it('what takes long on its way shows that it is being sent', async () => {
  const { action, shown } = chat();
  action.show('record_voice');
  await pass(1000);
  action.show('upload_voice');
  const sending = action.during(() => after(3000));
  await pass(5000);
  await sending;
  expect(shown.slice(0, 2).map(([, name]) => name)).toEqual(['record_voice', 'upload_voice']);
});
