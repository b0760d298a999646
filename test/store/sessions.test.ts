/** What is remembered of a person outlives the process. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type PersonSession, PersonSessions } from '../../src/store/kept/sessions.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

onEachEngine((openStore) => {
  let store: TestStore;
  let sessions: PersonSessions;
  let empty: PersonSession;
  beforeEach(async () => {
    store = await openStore();
    sessions = new PersonSessions(store.database.sessions);
    empty = await sessions.get('1');
  });
  afterEach(() => store.close());

  it('a session keeps no text that would slow each message, nor half of it', async () => {
    const long = 'བོད་'.repeat(6000);
    const session = { ...empty, dialect: 'amdo' as const };
    const texts = { lastText: long, lastOriginal: { text: 'བོད།', translation: long } };
    await sessions.set('1', { ...session, ...texts });
    expect(await store.database.sessions.get('1')).toEqual(session);
  });

  it('a session is on disk as it is read', async () => {
    const { sql: database } = store.database;
    const onDisk = async () => {
      const found = await sql<{ session: string }>`select session from "telegraf-sessions"`.execute(database);
      return found.rows.map(({ session }) => JSON.parse(session));
    };
    const first = { ...empty, lastText: 'first' };
    await sessions.set('1', { ...first, lastText: 'none' });
    await sessions.set('1', first);
    expect(await onDisk()).toEqual([first]);
    await sql`alter table "telegraf-sessions" rename to away`.execute(database);
    await expect(sessions.set('1', { ...first, lastText: 'second' })).rejects.toThrow();
    await sql`alter table away rename to "telegraf-sessions"`.execute(database);
    expect(await sessions.get('1')).toEqual(first);
    await sessions.delete('1');
    expect(await onDisk()).toEqual([]);
    expect(await sessions.get('1')).toEqual(empty);
  });

  it('it is found though many others were written after it', async () => {
    const session = (number: number) => ({ ...empty, lastText: `text ${number}` });
    const numbers = Array.from({ length: 1100 }, (_, number) => number);
    for (const number of numbers) await sessions.set(String(number), session(number));
    const found = await Promise.all(numbers.map((number) => sessions.get(String(number))));
    expect(found).toEqual(numbers.map(session));
  });

  it('an older session reads with defaults', async () => {
    await store.database.sessions.set('1', { dialect: 'golok', voice: 'yunjian', surplus: 1, lastText: 5 });
    const session = await sessions.get('1');
    expect(session).toMatchObject({ dialect: 'utsang', voice: 'yunjian', target: 'auto' });
    expect(session.lastText).toBeUndefined();
  });
});
