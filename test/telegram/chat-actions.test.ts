/** What a chat shows while somebody waits: in time, without gaps, and nothing behind the answer. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChatActions } from '../../src/telegram/api/chat-actions.ts';

const CHAT = { chat: 1 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Actions that take `tripMs` to arrive; gives what was shown, and when in ms from the beginning. */
function chats(tripMs = 50) {
  const begun = performance.now();
  const shown: [number, string, number][] = [];
  const actions = new ChatActions(async ({ chat, topic }, action) => {
    shown.push([Math.round(performance.now() - begun), action, topic ?? chat]);
    await after(tripMs);
  });
  return { actions, shown, now: () => Math.round(performance.now() - begun) };
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('what is over in a moment shows nothing', async () => {
  const { actions, shown } = chats();
  const waiting = actions.begin(CHAT, 'typing');
  await pass(60);
  waiting.end();
  await pass(10_000);
  expect(shown).toEqual([]);
});

it('what takes longer shows that within 300 ms, goes on showing it for as long as it takes, and then stops', async () => {
  const { actions, shown } = chats();
  const waiting = actions.begin(CHAT, 'record_voice');
  await pass(10_000);
  waiting.end();
  await pass(10_000);
  expect(shown.map(([at]) => at)).toEqual([100, 4600, 9100]);
});

it('a message that takes the action away while work goes on leaves no gap of more than 300 ms', async () => {
  const { actions, shown, now } = chats();
  actions.begin(CHAT, 'typing');
  await pass(1000);
  const counting = actions.during(CHAT, false, () => after(50)).then(now);
  await pass(1000);
  const gone = await counting;
  const [, again = [0]] = shown;
  expect(again[0]).toBeGreaterThan(gone);
  expect(again[0] - gone).toBeLessThanOrEqual(300);
});

it('an edit of the count while work goes on leaves no gap either', async () => {
  const { actions, shown } = chats();
  actions.begin(CHAT, 'typing');
  await pass(4550);
  const editing = actions.during(CHAT, true, () => after(50));
  await pass(1000);
  await editing;
  const [[first] = [0], [second] = [0]] = shown;
  expect(shown).toHaveLength(2);
  // Telegram shows one for 5 s.
  expect(second - first).toBeLessThan(5000);
});

it('an edit with which work begins holds the first sign up for no more than a moment', async () => {
  const { actions, shown } = chats();
  actions.begin(CHAT, 'typing');
  await pass(20);
  await Promise.all([actions.during(CHAT, true, () => after(30)), pass(1000)]);
  const [[first] = [0]] = shown;
  expect(first).toBeLessThanOrEqual(200);
});

it.each([
  ['message', false],
  ['edit', true],
])('nothing follows the %s with which the work ends, even where a renewal was due', async (_, isEdit) => {
  for (const begunAgo of [0, 50, 95, 4550, 4595]) {
    const { actions, shown, now } = chats();
    const waiting = actions.begin(CHAT, 'typing');
    await pass(begunAgo);
    const answering = actions.during(CHAT, isEdit, () => after(80)).then(now);
    const ended = answering.then(() => waiting.end());
    await pass(10_000);
    await ended;
    const answeredAt = await answering;
    expect(shown.filter(([at]) => at + 50 > answeredAt - 80)).toEqual([]);
  }
});

it('an answer waits for an action that left just before it, but not for one that does not arrive', async () => {
  const { actions, now } = chats(70);
  actions.begin(CHAT, 'typing');
  await pass(120);
  const sentAt = actions.during(CHAT, false, async () => now());
  await pass(1000);
  expect(await sentAt).toBe(170);

  const stuck = chats(60_000);
  stuck.actions.begin(CHAT, 'typing');
  await pass(100);
  const sentAnyway = stuck.actions.during(CHAT, false, async () => stuck.now());
  await pass(1000);
  expect(await sentAnyway).toBeLessThanOrEqual(200);
});

it('what takes long on its way shows that it is being sent', async () => {
  const { actions, shown } = chats();
  const waiting = actions.begin(CHAT, 'record_voice');
  await pass(1000);
  waiting.change('upload_voice');
  const sending = actions.during(CHAT, false, () => after(3000));
  await pass(5000);
  await sending;
  expect(shown.slice(0, 2).map(([, action]) => action)).toEqual(['record_voice', 'upload_voice']);
});

it('of several who wait in one place one action is shown, and again once the answer to another took it away', async () => {
  const { actions, shown } = chats();
  actions.begin(CHAT);
  const other = actions.begin(CHAT, 'record_voice');
  actions.begin(CHAT);
  await pass(1000);
  await Promise.all([actions.during(CHAT, false, () => after(50)).then(other.end), pass(1000)]);
  expect(shown.map(([, action]) => action)).toEqual(['record_voice', 'typing']);
});

it('a topic of a forum is a place of its own', async () => {
  const { actions, shown } = chats();
  actions.begin({ chat: -2, topic: 7 }, 'typing');
  actions.begin({ chat: -2 }, 'typing');
  await pass(150);
  await Promise.all([actions.during({ chat: -2 }, false, async () => {}), pass(1000)]);
  expect(shown.map(([, , place]) => place)).toEqual([7, -2, -2]);
});
