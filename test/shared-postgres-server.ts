/** PostgreSQL for tests: to set one up takes a second of work, and to start it another. */
import { afterAll, beforeAll, inject } from 'vitest';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { behind } from './shared-scene.ts';

/** The server of the whole run (common-postgres.ts), on which each test has databases of its own; they go with the end of the file, or the `describe`. */
export function usePostgresServer(): Pick<PostgresServer, 'createDatabase'> {
  const databases: string[] = [];
  afterAll(async () => {
    await Promise.all(databases.map((address) => ask('DELETE', new URL(address).pathname)));
  });
  return {
    createDatabase: async () => {
      const address = await ask('POST', '/');
      databases.push(address);
      return address;
    },
  };
}

/** A server for all tests of the file, or the `describe`, that calls this, to be stopped and started as they want it. */
export function useOwnPostgresServer(): Omit<PostgresServer, 'close' | 'dropDatabase'> {
  let started: PostgresServer | undefined;
  beforeAll(async () => {
    started = await startPostgresServer(await ask('GET', '/'));
  });
  afterAll(() => started?.close());
  return behind(() => started);
}

async function ask(method: string, path: string): Promise<string> {
  const answer = await fetch(new URL(path, inject('commonPostgres')), { method });
  const words = await answer.text();
  if (!answer.ok) throw new Error(words);
  return words;
}
