/**
 * Measures the cost of a long line: several processes of the bot on PostgreSQL work off waiting updates, and then the same processes with a
 * short line. Both work at full load, so the figures are rates; the length of the line is kept while it is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/free-port.ts';
import { startNamed } from '../bots.ts';
import { openQueue } from '../inside/queue.ts';
import { startLightService, USUAL_TIMES } from '../load/service.ts';
import type { Voice } from '../load/sound.ts';
import { startLightTelegram } from '../load/telegram.ts';
import type { BotProcess } from '../process.ts';
import { createLine } from './line.ts';
import type { MeasuredServer, Statement } from './server.ts';

export interface BacklogOptions {
  readonly server: MeasuredServer;
  readonly voice: Voice;
  readonly processes: number;
  /** Updates in the line, what is being worked on among them. */
  readonly waiting: number;
  readonly seconds: number;
}

/** All but `perS` depend little on what else the machine does. */
export interface Drained {
  readonly perS: number;
  /** CPU for each answer, in ms: of all bots, and of the server. */
  readonly botMs: number;
  readonly serverMs: number;
  /** What the server did for each answer, and wrote to its log, in kB. */
  readonly statementsEach: number;
  readonly walKb: number;
  /** Load average of the last minute. */
  readonly load: number;
  readonly faults: number;
  /** Of the server, those that took most first. */
  readonly statements: readonly Statement[];
  /** To take work, by the server's clock, on average, in ms. */
  readonly takeMs: number;
  /** Dead rows of the table at the end. */
  readonly deadRows: number;
}

const READY_WITHIN_MS = 180_000;
const WARM_UP_MS = 4000;

/** Starts this number of processes on a line of this length, and measures them for `seconds`. */
export async function measureBacklog(options: BacklogOptions): Promise<Drained> {
  const { server, voice, processes, waiting, seconds } = options;
  await using ends = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-bench-'));
  ends.defer(() => rmSync(folder, { recursive: true, force: true }));
  const url = await server.createDatabase();
  const line = createLine();
  let isKept = true;
  const telegram = await startLightTelegram({
    answerMs: 0,
    onSent: ({ chat, words }) => {
      if (line.answered(chat, words) && isKept) telegram.deliver(line.next());
      return undefined;
    },
  });
  ends.defer(telegram.close);
  const service = await startLightService({
    voice,
    times: USUAL_TIMES,
    speechMs: () => 0,
    pictureBytes: () => 0,
  });
  ends.defer(service.close);

  const { queue, close } = await openQueue({ engine: 'postgres', url });
  await line.fill(queue, waiting);
  await close();
  const bots = await Promise.all(
    Array.from({ length: processes }, async () => {
      const port = await freePort();
      const bot = startNamed('lotsawa', {
        telegramUrl: telegram.url,
        serviceUrl: service.url,
        folder,
        env: { DATABASE_URL: url, PORT: String(port), LOG_LEVEL: 'warn' },
      });
      ends.defer(bot.stop);
      await ready(bot, port);
      return bot;
    }),
  );

  await delay(WARM_UP_MS);
  await server.resetStatements();
  const cpuS = () => bots.reduce((sum, bot) => sum + bot.usage().cpuS, 0);
  const before = {
    answers: line.answers,
    bots: cpuS(),
    server: server.cpuS(),
    wal: await server.walBytes(),
    at: performance.now(),
  };
  await delay(seconds * 1000);
  const answers = line.answers - before.answers;
  const measured = {
    perS: (answers * 1000) / (performance.now() - before.at),
    botMs: ((cpuS() - before.bots) * 1000) / answers,
    serverMs: ((server.cpuS() - before.server) * 1000) / answers,
    walKb: ((await server.walBytes()) - before.wal) / 1000 / answers,
    load: loadavg()[0] ?? Number.NaN,
  };
  const statements = await server.statements();
  const statementsEach = statements.reduce((sum, { calls }) => sum + calls, 0) / answers;
  const takeMs = statements.find(({ text }) => text.startsWith('with "untaken"'))?.meanMs ?? Number.NaN;
  isKept = false;
  const { dead } = await server.look(
    url,
    `select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'requests'`,
  );
  const fallen = bots.find((bot) => bot.hasEnded());
  if (fallen !== undefined) throw new Error(`a bot has ended:\n${fallen.errors()}`);
  const { doubled, disordered } = line.faults;
  return {
    ...measured,
    faults: doubled + disordered,
    statementsEach,
    takeMs,
    statements,
    deadRows: dead ?? 0,
  };
}

/** Resolves once the process takes updates; a machine that is busy with other work takes its time. */
async function ready(bot: BotProcess, port: number): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    const problem = (await answer?.text()) ?? 'it does not answer';
    if (bot.hasEnded() || performance.now() > until)
      throw new Error(`a bot did not start: ${problem}\n${bot.errors()}`);
    await delay(100);
  }
}
