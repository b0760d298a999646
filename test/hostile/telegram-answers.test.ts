/** Answers that Telegram would never give: the bot neither follows them anywhere nor dies of them. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { instead, pouring } from '../faults/breakages.ts';
import { FILE_FAILURES } from '../faults/cell.ts';
import type { Breakage } from '../faults/fault-proxy.ts';
import { useStage } from '../faults/stage.ts';
import { says } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';

const MAX_MEMORY_MB = 600;

const stage = useStage();
afterEach(async () => {
  await stage.servesOthers();
  expect(stage.peakMemoryMb()).toBeLessThan(MAX_MEMORY_MB);
});

const json = (result: unknown): Breakage => instead(200, JSON.stringify({ ok: true, result }));

/** What is said of a photo while Telegram answers these calls so. */
async function saidOfPhoto(call: string, breakage: Breakage) {
  const rule = stage.toTelegram.breakNext({ call, breakage, times: 99 });
  const { anna } = stage;
  const { text } = await stage.answerTo(await anna.sendPhoto(anna.chat, await aJpeg()));
  rule.end();
  return text;
}

describe('a file whose path leads elsewhere', () => {
  it.each([
    '../../../etc/passwd',
    'file:///etc/passwd',
    'http://127.0.0.1:9/secret',
    'photos/%2e%2e/%2e%2e/x',
    'x\r\nhost: evil',
  ])('is not there: %s', async (file_path) => {
    const text = await saidOfPhoto('getFile', json({ file_id: 'x', file_unique_id: 'y', file_path }));
    expect(FILE_FAILURES.map((id) => says(id))).toContain(text);
  });
});

it('a file without an end is hung up on, and told as a failure', async () => {
  const text = await saidOfPhoto('download', pouring(Number.POSITIVE_INFINITY));
  expect(text).toBe(says('failure-file-unfetched'));
});

it.each([
  ['no list', '{"ok":true,"result":{}}'],
  ['a list of nothing', '{"ok":true,"result":[null,7,"x",[],{}]}'],
  ['an error of junk', '{"ok":false,"error_code":"x","description":7,"parameters":{"retry_after":"never"}}'],
])('where updates should be, %s: polling goes on', (_, body) => stage.givesUpdates(body));

it('a held back empty answer is asked for again without warnings', async () => {
  const late: Breakage = async (exchange) => {
    await delay(100);
    await json([])(exchange);
  };
  const polls = stage.toTelegram.breakNext({ call: 'getUpdates', breakage: late, times: 99 });
  // Ends the poll that is under way.
  stage.anna.send(stage.anna.chat, { text: '/start' });
  // The first poll is not to be held back. What the log must not hold is checked at the end (stage.ts).
  await expect.poll(polls.broken).toBeGreaterThan(2);
  polls.end();
});

it('empty answers that are not held back are not asked for without a pause', async () => {
  const polls = stage.toTelegram.breakNext({ call: 'getUpdates', breakage: json([]), times: 1_000_000 });
  // Ends the poll that is under way.
  stage.anna.send(stage.anna.chat, { text: '/start' });
  await expect.poll(polls.broken).toBeGreaterThan(0);
  const [startedAt, before] = [performance.now(), polls.broken()];
  // Without a pause they come faster than one a millisecond; a slow machine makes them fewer.
  await expect.poll(polls.broken).toBeGreaterThan(before + 10);
  expect(polls.broken() - before).toBeLessThan(10 + (performance.now() - startedAt) / 20);
  polls.end();
});
