/** Claims: what two processes want at the same moment is bought by one of them, for as long as that one lives. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { forgetPerson, prune } from '../../src/store/erasure.ts';
import { Groups } from '../../src/store/kept/groups.ts';
import { Results } from '../../src/store/kept/results.ts';
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres/postgres.ts';
import { doing, openQueue } from '../queue/open-queue.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';

const NEVER = new AbortController().signal;
const DAY_MS = 24 * 60 * 60 * 1000;

const server = usePostgresServer();
let databases: [PostgresDatabase, PostgresDatabase];
let one: Results;
let other: Results;
let results: Results;
beforeEach(async () => {
  const url = await server.createDatabase();
  databases = [await openPostgres(url, () => {}), await openPostgres(url, () => {})];
  one = new Results(databases[0], 1e9);
  other = new Results(databases[1], 1e9);
  results = new Results(databases[0], DAY_MS);
});
afterEach(() => Promise.all(databases.map((database) => database.close())));

const take = (results: Results, signal = NEVER) => results.claim('key', '7', signal);
const rows = () =>
  databases[1].sql.selectFrom('results').select(['key', 'person', 'text', 'process']).execute();

/** Waits for its turn. */
const turn = async (results: Results) => (await take(results)) ?? take(results);

it('one has it until the result is kept, which whoever waited then looks for', async () => {
  expect(await take(one)).toBeDefined();
  const second = turn(other);
  expect(await results.text('key')).toBeUndefined();
  await results.keep('key', '7', 'bought');
  expect(await second).toBeUndefined();
});

it('freed because the purchase failed, it leaves nothing, and another takes it', async () => {
  (await take(one))?.();
  expect(await turn(other)).toBeDefined();
  expect(await rows()).toEqual([
    { key: 'key', person: '7', text: null, process: databases[1].session.process },
  ]);
});

it('freed beside an old result, it leaves that', async () => {
  await results.keep('key', '7', 'bought');
  (await take(new Results(databases[0], -1)))?.();
  await expect.poll(rows).toEqual([{ key: 'key', person: '7', text: 'bought', process: null }]);
});

it('that of a process that dies is taken over', async () => {
  const { queue } = await openQueue(databases[1]);
  await queue.start(doing(() => {}));
  await take(one);
  const second = turn(other);
  await databases[0].close();
  expect(await second).toBeDefined();
  await queue.stop(0);
});

it('that of its own process, left from an earlier purchase, is taken', async () => {
  await take(one);
  expect(await take(one)).toBeDefined();
});

it('who is cancelled while waiting has none', async () => {
  await take(one);
  const aborter = new AbortController();
  const waiting = take(other, aborter.signal);
  aborter.abort();
  await expect(waiting).rejects.toSatisfy((error) => isFailure(error, 'cancelled'));
});

it('/forget leaves it, and makes what it brings nobody’s', async () => {
  await take(one);
  await forgetPerson(databases[1], '7');
  expect(await rows()).toHaveLength(1);
  await results.keep('key', '7', 'bought');
  expect(await rows()).toEqual([{ key: 'key', person: '', text: 'bought', process: null }]);
});

it('what is kept beside it is nobody’s after a /forget, too', async () => {
  await take(one);
  await forgetPerson(databases[1], '7');
  await one.keep('layout', '7', '{}', 'key');
  await one.keepSound('sound', '7', Buffer.from('sound'), 'key');
  expect((await rows()).map(({ person }) => person)).toEqual(['', '', '']);
});

it('a group that becomes a supergroup keeps it, and what it brings', async () => {
  await take(one);
  await new Groups(databases[1]).upgrade('7', '-1007');
  await results.keep('key', '7', 'bought');
  expect(await rows()).toEqual([{ key: 'key', person: '-1007', text: 'bought', process: null }]);
});

it('pruning leaves it, though its row be old', async () => {
  await results.keep('key', '7', 'old');
  expect(await take(new Results(databases[0], -1))).toBeDefined();
  await prune({ ...databases[1], now: () => Date.now() + DAY_MS + 1000 }, DAY_MS);
  expect(await rows()).toHaveLength(1);
});
