/** What a chat shows while somebody waits: in time, without gaps, and nothing behind the answer. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BotApi } from '../../src/telegram/api/api.ts';
import { Progress } from '../../src/telegram/outbox/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Actions that take `tripMs` to arrive; gives what was shown, and when in ms from the beginning. */
function chat(tripMs = 50) {
  const begun = performance.now();
  const now = () => Math.round(performance.now() - begun);
  const shown: [number, string][] = [];
  const api = new BotApi({ token: '1:x', apiRoot: 'http://127.0.0.1:1' });
  api.sendChatAction = async (_, name) => {
    shown.push([now(), name]);
    await after(tripMs);
    return true;
  };
  const asked = { from: undefined, msg: undefined, callbackQuery: undefined, update: { update_id: 1 } };
  const progress = new Progress(
    {
      ...asked,
      bot: { api, log: pino({ enabled: false }) },
      chat: { id: 7, type: 'private', first_name: 'Anna' },
      person: '7',
      isPrivate: true,
      isOverheard: false,
      signal: new AbortController().signal,
      words: (id) => id,
    },
    {},
    async () => true,
    async () => {},
  );
  /** Sends a message that takes so long; gives when it has arrived. */
  const sendFor = async (ms: number) => {
    await progress.clear();
    await after(ms);
    return now();
  };
  return { api, progress, shown, now, sendFor };
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it.each([
  ['is over in a moment shows nothing', 60, []],
  ['takes longer shows that within 300 ms, for as long as it takes', 10_000, [100, 4600, 9100]],
])('what %s', async (_, takes, expected) => {
  const { progress, shown } = chat();
  progress.show('record_voice');
  await pass(takes);
  progress.end();
  await pass(10_000);
  expect(shown.map(([at]) => at)).toEqual(expected);
});

it('a chat action returns within half a second of a message', async () => {
  const { progress, shown, sendFor } = chat();
  progress.show('typing');
  await pass(1000);
  const counting = sendFor(50);
  await pass(1000);
  const gone = await counting;
  const [, again = [0]] = shown;
  expect(again[0]).toBeGreaterThan(gone);
  expect(again[0] - gone).toBeLessThanOrEqual(500);
});

it('nothing follows the message with which the work ends, even where a renewal was due', async () => {
  for (const begunAgo of [0, 50, 95, 4550, 4595]) {
    const { progress, shown, sendFor } = chat();
    progress.show('typing');
    await pass(begunAgo);
    const answering = sendFor(80);
    const ended = answering.then(() => progress.end());
    await pass(10_000);
    await ended;
    const answeredAt = await answering;
    expect(shown.filter(([at]) => at + 50 > answeredAt - 80)).toEqual([]);
  }
});

it('an answer waits for a chat action that left before it', async () => {
  const { progress, now } = chat(70);
  progress.show('typing');
  await pass(120);
  const sentAt = progress.clear().then(now);
  await pass(1000);
  expect(await sentAt).toBe(170);

  const stuck = chat(60_000);
  stuck.progress.show('typing');
  await pass(100);
  const stuckAt = stuck.progress.clear().then(stuck.now);
  await pass(1000);
  expect(await stuckAt).toBe(300);
});

it('what takes long on its way shows that it is being sent', async () => {
  const { progress, shown, sendFor } = chat();
  progress.show('record_voice');
  await pass(1000);
  progress.show('upload_voice');
  const sending = sendFor(3000);
  await pass(5000);
  await sending;
  expect(shown.slice(0, 2).map(([, name]) => name)).toEqual(['record_voice', 'upload_voice']);
});
