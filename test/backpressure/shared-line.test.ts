/** The line in PostgreSQL has an end, too: of all processes together. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
    insert into requests (update_id, lane, state, body, at)
    select -number, 'crowd', 'waiting', '0', 0 from generate_series(1, 100000) as number
  `.execute(database.sql);
  await expect
    .poll(() => queue.push([anUpdate('anna', 'refused')]).then(String, String))
    .toContain('too many updates wait');
  await sql`delete from requests where lane = 'crowd'`.execute(database.sql);
  await queue.start(noting(handled));
  await expect.poll(() => queue.push([anUpdate('anna', 'after')]).then(() => 'taken', String)).toBe('taken');
  await expect.poll(() => handled.at(-1)).toBe('after');
  await queue.stop(0);
});

it('a batch that alone is too many is refused whole', async () => {
  const { queue } = await openQueue(database);
  const many = Array.from({ length: 100_001 }, () => anUpdate('anna', {}));
  await expect(queue.push(many)).rejects.toThrow('too many updates wait');
  expect(await queue.requests.depth()).toBe(0);
  await queue.stop(0);
});
