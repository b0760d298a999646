/** What is remembered of a person, and the service's token, outlive the process. */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newPersonSession, PersonSessions } from '../../src/store/kept/sessions.ts';
import { KeptTokens } from '../../src/store/kept/tokens.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

onEachEngine((openStore) => {
  let store: TestStore;
  beforeEach(async () => {
    store = await openStore();
  });
  afterEach(() => store.close());

  describe('a session', () => {
    it('of somebody new has the defaults of the specification', () => {
      expect(newPersonSession()).toMatchObject({
        target: 'auto',
        reading: 'tibetan',
        dialect: 'utsang',
        voice: 'xiaoxiao',
      });
      expect(newPersonSession().interfaceLanguage).toBeUndefined();
      expect(newPersonSession().lastText).toBeUndefined();
    });

    it('comes back as it was kept, to each person their own', async () => {
      const sessions = new PersonSessions(store.database.sessions);
      const session = { ...newPersonSession(), dialect: 'amdo' as const, lastText: "བོད།\n'; DROP TABLE x" };
      await sessions.set('1', session);
      expect(await sessions.get('1')).toEqual(session);
      expect(await sessions.get('2')).toBeUndefined();
      await sessions.delete('1');
      expect(await sessions.get('1')).toBeUndefined();
    });

    it('keeps no text that would slow each message, nor half of it', async () => {
      const { sessions: rows } = store.database;
      const sessions = new PersonSessions(rows);
      const long = 'བོད་'.repeat(6000);
      const session = { ...newPersonSession(), dialect: 'amdo' as const };
      const texts = { lastText: long, lastOriginal: { text: 'བོད།', translation: long } };
      await sessions.set('1', { ...session, ...texts });
      expect(await rows.get('1')).toEqual(session);
      // As an earlier version has kept it.
      await rows.set('2', { ...session, ...texts });
      expect(await sessions.get('2')).toEqual(session);
    });

    it('is on disk as it is read, and as before when it could not be written', async () => {
      const { sql: database, sessions: rows } = store.database;
      const sessions = new PersonSessions(rows);
      const onDisk = async () => {
        const found = await sql<{ session: string }>`select session from "telegraf-sessions"`.execute(
          database,
        );
        return found.rows.map(({ session }) => JSON.parse(session));
      };
      const first = { ...newPersonSession(), lastText: 'first' };
      await sessions.set('1', { ...first, lastText: 'none' });
      await sessions.set('1', first);
      expect(await onDisk()).toEqual([first]);
      await sql`alter table "telegraf-sessions" rename to away`.execute(database);
      await expect(sessions.set('1', { ...first, lastText: 'second' })).rejects.toThrow();
      await sql`alter table away rename to "telegraf-sessions"`.execute(database);
      expect(await sessions.get('1')).toEqual(first);
      await sessions.delete('1');
      expect(await onDisk()).toEqual([]);
      expect(await sessions.get('1')).toBeUndefined();
    });

    it('is found though many others were written after it', async () => {
      const sessions = new PersonSessions(store.database.sessions);
      const session = (number: number) => ({ ...newPersonSession(), lastText: `text ${number}` });
      const numbers = Array.from({ length: 1100 }, (_, number) => number);
      for (const number of numbers) await sessions.set(String(number), session(number));
      const found = await Promise.all(numbers.map((number) => sessions.get(String(number))));
      expect(found).toEqual(numbers.map(session));
    });

    it('of an older version reads with defaults for what it lacks or no longer knows', async () => {
      await store.database.sessions.set('1', { dialect: 'golok', voice: 'yunjian', surplus: 1, lastText: 5 });
      const session = await new PersonSessions(store.database.sessions).get('1');
      expect(session).toMatchObject({ dialect: 'utsang', voice: 'yunjian', target: 'auto' });
      expect(session?.lastText).toBeUndefined();
    });

    it.each(['a string', 5, [], null])('that is no session (%o) counts as none', async (row) => {
      await store.database.sessions.set('1', row);
      const session = await new PersonSessions(store.database.sessions).get('1');
      expect(session ?? newPersonSession()).toEqual(newPersonSession());
    });
  });

  it('of tokens only the last is kept', async () => {
    const tokens = new KeptTokens(store.database.sql);
    expect(await tokens.load()).toBeUndefined();
    await tokens.save({ token: 'a.b.c', expiresAt: Date.now() + 2 ** 40, credentials: 'one' });
    const last = { token: 'd.e.f', expiresAt: Date.now() + 2 ** 41, credentials: 'two' };
    await tokens.save(last);
    expect(await new KeptTokens(store.database.sql).load()).toEqual(last);
  });
});
