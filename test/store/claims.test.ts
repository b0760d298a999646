/** Claims: what two processes want at the same moment is done by one after the other. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { type Claims, createClaims } from '../../src/store/money/claims.ts';
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres/postgres.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';

const NEVER = new AbortController().signal;

const server = usePostgresServer();
let databases: [PostgresDatabase, PostgresDatabase];
let one: Claims;
let other: Claims;
beforeEach(async () => {
  const url = await server.createDatabase();
  databases = [await openPostgres(url, () => {}), await openPostgres(url, () => {})];
  one = createClaims(databases[0]);
  other = createClaims(databases[1]);
});
afterEach(() => Promise.all(databases.map((database) => database.close())));

/** Begins work under a key and holds it until it is told to end. */
async function holding(claims: Claims, key: string) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const held = claims.hold(key, NEVER, async () => {
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  return async () => {
    end.resolve();
    await held;
  };
}

it('one key is held by one at a time, within a process and among processes', async () => {
  let holders = 0;
  let most = 0;
  const work = async () => {
    holders += 1;
    most = Math.max(most, holders);
    await new Promise(setImmediate);
    holders -= 1;
    return 'done';
  };
  const results = await Promise.all(
    [one, other, one, other].map((claims) => claims.hold('key', NEVER, work)),
  );
  expect(results).toEqual(['done', 'done', 'done', 'done']);
  expect(most).toBe(1);
});

it('another key is free meanwhile', async () => {
  const end = await holding(one, 'key');
  expect(await other.hold('another key', NEVER, async () => 'done')).toBe('done');
  await end();
});

it('the key of work that failed is free again', async () => {
  const failing = one.hold('key', NEVER, () => Promise.reject(new TypeError()));
  await expect(failing).rejects.toThrow(TypeError);
  expect(await other.hold('key', NEVER, async () => 'done')).toBe('done');
});

it('who is cancelled while waiting never begins', async () => {
  const end = await holding(one, 'key');
  const aborter = new AbortController();
  let isBegun = false;
  const waiting = other.hold('key', aborter.signal, async () => {
    isBegun = true;
  });
  aborter.abort();
  await expect(waiting).rejects.toSatisfy((error) => isFailure(error, 'cancelled'));
  await end();
  expect(isBegun).toBe(false);
});

it('the keys of a process that dies are free for others', async () => {
  await holding(one, 'key');
  const waiting = other.hold('key', NEVER, async () => 'done');
  await databases[0].session.close();
  expect(await waiting).toBe('done');
});

it('who loses the connection to the server loses the claim, and is told before anything is paid for', async () => {
  const [mine] = databases;
  const held = one.hold('key', NEVER, async (claim) => {
    await claim.confirm();
    await sql`
      select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and objsubid = 1 and granted
        and database = (select oid from pg_database where datname = current_database())`.execute(mine.sql);
    await other.hold('key', NEVER, async () => 'done');
    await claim.confirm();
    return 'paid twice';
  });
  await expect(held).rejects.toSatisfy((error) => isFailure(error, 'database'));
});
