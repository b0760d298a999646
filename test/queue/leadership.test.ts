/** Among several processes one leads, and no longer than the others can see it. */
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { whileLeader } from '../../src/queue/leadership.ts';
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres/postgres.ts';
import { startLine } from '../faults/line.ts';
import { useOwnPostgresServer } from '../shared-postgres-server.ts';

const log = createLog('silent');

const server = useOwnPostgresServer();
let url: string;
let ends: (() => Promise<unknown>)[];
/** Who leads at present. */
let leading: string[];
/** The most that ever led at the same moment. */
let most: number;
beforeEach(async () => {
  url = await server.createDatabase();
  ends = [];
  leading = [];
  most = 0;
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

async function aCandidate(
  name: string,
  address = url,
): Promise<{ database: PostgresDatabase; end: AbortController }> {
  const database = await openPostgres(address, () => {});
  const end = new AbortController();
  const ended = whileLeader({ database, log, signal: end.signal }, async (signal) => {
    leading.push(name);
    most = Math.max(most, leading.length);
    if (!signal.aborted) await once(signal, 'abort');
    leading.splice(leading.indexOf(name), 1);
  });
  ends.push(async () => {
    end.abort();
    await ended;
    await database.close();
  });
  return { database, end };
}

it('exactly one of several leads; when it dies or ends another does', async () => {
  const candidates = new Map<string, Awaited<ReturnType<typeof aCandidate>>>();
  for (const name of ['one', 'two', 'three']) candidates.set(name, await aCandidate(name));
  await expect.poll(() => leading).toHaveLength(1);
  const first = leading[0] ?? '';
  await candidates.get(first)?.database.session.close();
  await expect.poll(() => leading).toSatisfy(([name]: string[]) => name !== undefined && name !== first);
  const second = leading[0] ?? '';
  candidates.get(second)?.end.abort();
  await expect.poll(() => leading).toSatisfy(([name]: string[]) => name !== undefined && name !== second);
  expect(most).toBe(1);
});

it('when the server goes away nobody leads; when it is back one does', async () => {
  await Promise.all([aCandidate('one'), aCandidate('two')]);
  await expect.poll(() => leading).toHaveLength(1);
  await server.stop();
  await expect.poll(() => leading).toEqual([]);
  await server.start();
  await expect.poll(() => leading).toHaveLength(1);
  expect(most).toBe(1);
});

it('a leader whose connection falls silent stops by itself, and somebody leads again', async () => {
  const line = await startLine(url);
  ends.push(async () => line.close());
  await aCandidate('one', line.url);
  await expect.poll(() => leading).toEqual(['one']);
  line.fallSilent();
  await expect.poll(() => leading).toEqual([]);
  // The server cannot tell: the line answers, not the leader.
  await aCandidate('two');
  await expect.poll(() => leading).toHaveLength(1);
});
