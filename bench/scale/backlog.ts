/**
 * Measures the cost of a long line: several processes of the bot on PostgreSQL work off waiting updates, and then the same processes with a
 * short line. Both work at full load, so the figures are rates; the length of the line is kept while it is measured.
 */
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Exchange } from '../load/exchange.ts';
import { deliver } from '../load/messages.ts';
import { openStage } from '../stage.ts';
import type { MeasuredServer } from './server.ts';

export interface BacklogOptions {
  readonly server: MeasuredServer;
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
  /** Load average of the last minute. */
  readonly load: number;
  /** Answers that came twice, or that nobody had asked for. */
  readonly faults: number;
  /** To take work, and the longest statement of all, by the server's clock, in ms. */
  readonly takeMs: number;
  readonly longestMs: number;
}

const WARM_UP_MS = 4000;
const LOOK_EVERY_MS = 100;
const FIRST_PERSON = 10_000;
/** Of one person, one behind the other. */
const IN_A_LANE = 2;

/** Starts this number of processes on a line of this length, and measures them for `seconds`. */
export async function measureBacklog(options: BacklogOptions): Promise<Drained> {
  const { server, processes, waiting, seconds } = options;
  await using stage = await openStage();
  const { telegram, service } = stage;
  let nextMark = 1;
  let answers = 0;
  const ask = (person: number): void => {
    const mark = nextMark++;
    const request = {
      mark,
      kind: 'text',
      person,
      where: String(person),
      speechMs: 0,
      isRepeat: false,
    } as const;
    exchange.asked(request);
    void deliver(request, { telegram });
  };
  const exchange = new Exchange(() => {
    answers += 1;
    ask(FIRST_PERSON + nextMark);
  });
  telegram.onSent = (sent) => exchange.sent(sent);

  const env = {
    DATABASE_URL: await server.createDatabase(),
    LOG_LEVEL: 'warn',
    SERVICE_TIMEOUT_MS: '600000',
  };
  const bots = await Promise.all(Array.from({ length: processes }, () => stage.start('lotsawa', { env })));
  // Many processes would answer faster than one takes in, and no line would form.
  const isTakenIn = Promise.withResolvers<void>();
  service.mayAnswer = isTakenIn.promise;
  const people = Math.ceil(waiting / IN_A_LANE);
  for (let count = 0; count < waiting; count += 1) ask(FIRST_PERSON + (count % people));
  while (telegram.waiting() > 0) await delay(LOOK_EVERY_MS);
  isTakenIn.resolve();

  await delay(WARM_UP_MS);
  await server.resetStatements();
  const cpuS = () => bots.reduce((sum, bot) => sum + bot.usage().cpuS, 0);
  const before = { answers, bots: cpuS(), server: server.cpuS(), at: performance.now() };
  await delay(seconds * 1000);
  const answered = answers - before.answers;
  const measured = {
    perS: (answered * 1000) / (performance.now() - before.at),
    botMs: ((cpuS() - before.bots) * 1000) / answered,
    serverMs: ((server.cpuS() - before.server) * 1000) / answered,
    load: loadavg()[0] ?? Number.NaN,
  };
  const statements = await server.statements();
  const fallen = bots.find((bot) => bot.hasEnded());
  if (fallen !== undefined) throw new Error(`a bot has ended:\n${fallen.errors()}`);
  const { doubled, wrong } = exchange.faults();
  return {
    ...measured,
    faults: doubled + wrong,
    takeMs: statements.find(({ text }) => text.startsWith('with next as materialized'))?.meanMs ?? Number.NaN,
    longestMs: Math.max(...statements.map(({ longestMs }) => longestMs)),
  };
}
