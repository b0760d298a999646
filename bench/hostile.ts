/**
 * Sends the bot what takes a careless program long (test/hostile/heavy.ts), each to a process of its own, while others write short texts: how
 * long is `/healthz` silent, how long do they wait, how much memory does it take? `node bench/hostile.ts [part of a name]`.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { freePort } from '../test/free-port.ts';
import { HEAVY_FILES, type HeavyFile, heavyPaste } from '../test/hostile/heavy.ts';
import { textOf } from './load/messages.ts';
import { LOOP_PROBE, longestBlocks } from './loop-probe.ts';
import { chineseOf, markIn } from './marks.ts';
import { openStage, type Stage } from './stage.ts';

/** Others write so often, in ms, each a text of their own. */
const WRITE_EVERY_MS = 150;
/** Enough for the watchdog of a bot that stands still. */
const PATIENCE_MS = 70_000;
/** The garbage of the last answer, and its end in the database. */
const REST_MS = 500;
const HOSTILE = 7;
const FIRST_OTHER = 1000;
const TIMES = { translationMs: 20, firstSoundMs: 20 };

interface Figures {
  readonly silentMs: number;
  readonly blockedMs: number;
  readonly waitedMs: number;
  readonly memoryMb: number;
  readonly beforeMb: number;
  readonly tookMs: number;
}

type Send = (telegram: Stage['telegram'], person: number) => void;

const file =
  (made: HeavyFile): Send =>
  (telegram, person) => {
    const { date, from, chat } = textOf(person, '');
    const id = `file-${person}`;
    telegram.hold(id, made.bytes);
    const { fileName: file_name, caption = '' } = made;
    const document = { file_id: id, file_unique_id: id, file_size: made.bytes.length, file_name };
    const [command = ''] = /^\/\w+/.exec(caption) ?? [];
    const caption_entities =
      command === '' ? [] : [{ type: 'bot_command', offset: 0, length: command.length }];
    telegram.deliver({ date, from, chat, document, caption, caption_entities });
  };

const CASES: Record<string, () => readonly Send[]> = {
  ...Object.fromEntries(Object.entries(HEAVY_FILES).map(([name, make]) => [name, () => [file(make())]])),
  'a paste of 300 messages': () => [
    (telegram, person) => {
      for (const part of heavyPaste()) telegram.deliver(textOf(person, part));
    },
  ],
  'all files at once': () => Object.values(HEAVY_FILES).map((make) => file(make())),
};

async function measure(sends: readonly Send[]): Promise<Figures> {
  await using stage = await openStage({ times: TIMES });
  const port = await freePort();
  const bot = await stage.start('lotsawa', { nodeOptions: LOOP_PROBE, env: { PORT: String(port) } });
  const watch = new Worker(new URL('inside/health-watch.mjs', import.meta.url), {
    workerData: { url: `http://127.0.0.1:${port}/healthz` },
  });
  const askedAt = new Map<number, number>();
  let waitedMs = 0;
  const isAnswered = sends.map(() => false);
  stage.telegram.onSent = ({ where, words, at }) => {
    const mark = markIn(words);
    const asked = mark === undefined ? undefined : askedAt.get(mark);
    if (Number(where) < FIRST_OTHER) isAnswered[Number(where) - HOSTILE] = true;
    else if (mark !== undefined && asked !== undefined) {
      waitedMs = Math.max(waitedMs, at - asked);
      askedAt.delete(mark);
    }
    return undefined;
  };
  let mark = FIRST_OTHER;
  const writing = setInterval(() => {
    mark += 1;
    askedAt.set(mark, performance.now());
    stage.telegram.deliver(textOf(mark, chineseOf(mark)));
  }, WRITE_EVERY_MS);
  // The first of all loads code.
  while (mark < FIRST_OTHER + 10 || askedAt.size > 0) await delay(WRITE_EVERY_MS / 3);
  const silence = async (): Promise<number> => {
    watch.postMessage('tell');
    const [ms] = await once(watch, 'message');
    return Number(ms);
  };
  await silence();
  await longestBlocks(bot);
  waitedMs = 0;
  bot.resetPeaks();
  const { ownMb: beforeMb } = bot.usage();
  const startedAt = performance.now();
  for (const [index, send] of sends.entries()) send(stage.telegram, HOSTILE + index);
  while (isAnswered.includes(false) && performance.now() - startedAt < PATIENCE_MS && !bot.hasEnded())
    await delay(WRITE_EVERY_MS / 3);
  const tookMs = performance.now() - startedAt;
  await delay(REST_MS);
  clearInterval(writing);
  for (const asked of askedAt.values()) waitedMs = Math.max(waitedMs, performance.now() - asked);
  const silentMs = await silence();
  const { longestCpuMs } = bot.hasEnded() ? { longestCpuMs: Number.NaN } : await longestBlocks(bot);
  await watch.terminate();
  return { silentMs, blockedMs: longestCpuMs, waitedMs, memoryMb: bot.usage().largestMb, beforeMb, tookMs };
}

const [wanted = ''] = process.argv.slice(2);
const HEADS = [
  'healthz silent, ms',
  'loop blocked, ms',
  'others waited, ms',
  'memory, MB',
  'before',
  'took, ms',
];
console.log(`| | ${HEADS.join(' | ')} |\n| --- |${' --: |'.repeat(HEADS.length)}`);
for (const [name, sends] of Object.entries(CASES)) {
  if (!name.includes(wanted)) continue;
  const figures = Object.values(await measure(sends())).map((figure) => Math.round(figure));
  console.log(`| ${name} | ${figures.join(' | ')} |`);
}
