/** The line in PostgreSQL has an end, too: of all processes together. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBacklog } from '../../src/queue/postgres-queue.ts';
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres/postgres.ts';
import { anUpdate, noting, openQueue } from '../queue/open-queue.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';

const server = usePostgresServer();
let database: PostgresDatabase;
beforeAll(async () => {
  database = await openPostgres(await server.createDatabase(), () => {});
});
afterAll(async () => {
  await database.close();
});

it('when too many wait none is taken in, and they stay at Telegram, until the line is shorter', async () => {
  const { queue } = await openQueue(database);
  const handled: unknown[] = [];
  await queue.push([anUpdate('anna', 'before')]);
  // What another process has taken in.
  await sql`
    insert into queued_updates (lane, body, strikes, confirmed)
    select 'crowd', '0', 0, '[]' from generate_series(1, 100000)
  `.execute(database.sql);
  await expect
    .poll(() => queue.push([anUpdate('anna', 'refused')]).then(String, String))
    .toContain('too many updates wait');
  await sql`delete from queued_updates where lane = 'crowd'`.execute(database.sql);
  await queue.start(noting(handled));
  await expect.poll(() => queue.push([anUpdate('anna', 'after')]).then(String, String)).toBe('undefined');
  await expect.poll(() => handled.at(-1)).toBe('after');
  await queue.stop(0);
}, 60_000);

it('a batch that alone is too many is refused whole', async () => {
  const { queue } = await openQueue(database);
  const many = Array.from({ length: 100_001 }, () => anUpdate('anna', {}));
  await expect(queue.push(many)).rejects.toThrow('too many updates wait');
  expect(await queue.depth()).toBe(0);
  await queue.stop(0);
});

it('what waits is counted now and then, beside the updates; before one is refused it is counted anew', async () => {
  let [waiting, counts] = [0, 0];
  const count = async () => {
    counts += 1;
    return waiting;
  };
  const lasting = createBacklog({ count, most: 10, freshMs: 60_000 });
  for (let update = 0; update < 10; update += 1) await lasting.admit(1);
  await expect(lasting.admit(1)).rejects.toThrow('too many updates wait');
  expect(counts).toBe(1);

  const passing = createBacklog({ count, most: 10, freshMs: -1 });
  waiting = 10;
  await expect(passing.admit(1)).rejects.toThrow('too many updates wait');
  waiting = 0;
  await passing.admit(10);
});

it('nothing is taken in before it could be counted, and a count that fails later refuses nothing', async () => {
  let isAway = true;
  const count = async () => {
    if (isAway) throw new Error('away');
    return 0;
  };
  const backlog = createBacklog({ count, most: 10, freshMs: -1 });
  await expect(backlog.admit(1)).rejects.toThrow('away');
  isAway = false;
  await backlog.admit(1);
  isAway = true;
  await backlog.admit(1);
});
