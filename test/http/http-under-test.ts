/** The HTTP server with the real queue behind it, and a client that can misbehave. */

import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { UserFromGetMe } from 'telegraf/types';
import { Health, type HealthOptions } from '../../src/app/health.ts';
import { startHttp } from '../../src/app/http.ts';
import { Metrics } from '../../src/app/metrics.ts';
import { createLog } from '../../src/log.ts';
import { Queue } from '../../src/queue/queue.ts';
import { openDatabase, writeAndErase } from '../../src/store/database.ts';
import { receive } from '../../src/telegram/intake/take-in.ts';

/** A service that has not failed. */
export const UP = { state: 'up', since: '2026-01-01T00:00:00.000Z' } as const;
export const SECRET = 'a-long-random-word_123';
export const PATH = '/telegram/hook:1';

const me: UserFromGetMe = {
  ...{ id: 1, is_bot: true, first_name: 'Lotsawa', username: 'lotsawa_bot' },
  ...{ can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: true },
};

/** Starts it; what the handler was given is kept for the test to see. */
export async function startHttpUnderTest(options: Partial<HealthOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-http-'));
  const databaseFile = join(folder, 'lotsawa.db');
  const database = await openDatabase({ engine: 'sqlite', path: databaseFile });
  const { sql } = database;
  const queue = new Queue(database, {
    log: createLog('silent'),
    workers: 1,
    isOutage: () => false,
    onDeadLetter: () => {},
  });
  const stopping = new AbortController();
  const health = new Health({
    writeDatabase: () => writeAndErase(database),
    reachTelegram: async () => {},
    serviceState: () => UP,
    problem: () => undefined,
    stop: stopping.signal,
    ...options,
  });
  health.begin();
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line) });
  const received: unknown[] = [];
  const http = await startHttp({
    host: '127.0.0.1',
    port: 0,
    log,
    health,
    metrics: new Metrics('0.0.0'),
    webhook: {
      url: `https://bot.example.org${PATH}`,
      secret: SECRET,
      takeIn: async (bodies) => {
        const queued = bodies.flatMap(
          (body) => receive(body, { commands: [], callbacks: [], me, log })?.queued ?? [],
        );
        await queue.requests.push(queued);
        received.push(...bodies);
      },
    },
  });
  const url = `http://127.0.0.1:${http.port}`;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await http.close();
    await queue.stop(0);
    await database.close();
    rmSync(folder, { recursive: true });
  };

  return {
    url,
    sql,
    databaseFile,
    health,
    /** As a signal to the process does. */
    stop: () => stopping.abort(),
    http,
    /** Updates whose safe arrival was told, in order. */
    received,
    log: () => lines.join(''),
    /** A delivery as Telegram makes it, or nearly. */
    deliver: (body: string, headers: Record<string, string> = {}, path = PATH) =>
      fetch(url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-telegram-bot-api-secret-token': SECRET,
          ...headers,
        },
        body,
      }),
    /** What lies in the queue on disk. */
    queued: async (): Promise<unknown[]> => {
      const rows = await sql.selectFrom('requests').select('body').orderBy('id').execute();
      return rows.map(({ body }) => JSON.parse(body ?? 'null'));
    },
    /** Sends these bytes and nothing after them; resolves with the whole answer when the server has hung up. */
    raw: (bytes: string): Promise<string> => {
      const socket = connect(http.port, '127.0.0.1');
      socket.write(bytes);
      return text(socket);
    },
    /** May be called again. */
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

export type HttpUnderTest = Awaited<ReturnType<typeof startHttpUnderTest>>;
