/** What /privacy and /forget promise of people's words, on either engine. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetPerson, prune } from '../../src/store/erasure.ts';
import { Results } from '../../src/store/kept/results.ts';
import { anUpdate, doing, openQueue } from '../queue/open-queue.ts';
import { onEachEngine, type TestStore } from '../store/open-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

onEachEngine((openStore) => {
  let store: TestStore;
  beforeEach(async () => {
    store = await openStore();
  });
  afterEach(() => store.close());

  /** The database with its clock this many days ahead. */
  const later = (days: number) => {
    const now = store.now() + days * DAY_MS;
    return { ...store.database, now: () => now };
  };
  const pruneAfter = (days: number) => prune(later(days), 90 * DAY_MS);

  it('a dead letter is kept for 30 days, unless forgotten', async () => {
    const { queue } = await openQueue(store.database, { limitMs: 50 });
    await queue.start(doing(() => new Promise(() => {})));
    await queue.requests.push(['1', '2'].map((person) => anUpdate(person, { text: 'words' })));
    const lanes = async () => (await queue.requests.deadLetters()).map(({ lane }) => lane).sort();
    await expect.poll(lanes).toEqual(['1', '2']);
    await forgetPerson(store.database, '1');
    await pruneAfter(29);
    expect(await lanes()).toEqual(['2']);
    await pruneAfter(31);
    expect(await lanes()).toEqual([]);
    await queue.stop(0);
  });

  it('a request under a button is kept for a day', async () => {
    const { queue } = await openQueue(store.database);
    await queue.start(async () => ({ state: 'parked', sent: [] }));
    await queue.requests.push([anUpdate('1', { text: 'words' })]);
    await expect.poll(() => queue.requests.depth()).toBe(0);
    const bodies = async () => {
      const rows = await store.database.sql.selectFrom('requests').select('body').execute();
      return rows.map(({ body }) => body);
    };
    await pruneAfter(0.9);
    expect(await bodies()).toEqual(['{"text":"words"}']);
    await pruneAfter(1.1);
    expect(await bodies()).toEqual([null]);
    await pruneAfter(4);
    expect(await bodies()).toEqual([]);
    await queue.stop(0);
  });

  it('pruning takes all that is old, and nothing young', async () => {
    const { sql } = store.database;
    const ages = [...Array<number>(120).fill(500), 0];
    for (const [index, age] of ages.entries()) {
      const database = later(-age);
      const at = database.now();
      const person = '1';
      await new Results(database, 90 * DAY_MS).keep(`key ${index}`, person, 'words');
      await sql
        .insertInto('requests')
        .values({ update_id: index, lane: person, state: 'done', at })
        .execute();
      const call = {
        ...{ at, day: new Date(at).toISOString().slice(0, 10), person, chat_group: null },
        ...({ kind: 'translation', characters: 1, outcome: 'charged', cost_fen: 40 } as const),
      };
      await sql.insertInto('ledger').values(call).execute();
    }
    await pruneAfter(0);
    for (const table of ['results', 'requests', 'ledger'] as const) {
      const { count } = await sql
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      expect(Number(count)).toBe(1);
    }
  });
});
