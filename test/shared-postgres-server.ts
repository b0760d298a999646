/** One PostgreSQL server for many tests: to start one takes seconds. */
import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

/** A server for all tests of the file, or the `describe`, that calls this: started before them, and ended when they have cleaned up. */
export function usePostgresServer(): Omit<PostgresServer, 'close'> {
  let started: PostgresServer | undefined;
  const server = (): PostgresServer => {
    if (started === undefined) throw new Error('PostgreSQL is started before the first test, and not before');
    return started;
  };
  beforeAll(async () => {
    started = await startPostgresServer();
  });
  afterAll(() => started?.close());
  return {
    createDatabase: () => server().createDatabase(),
    stop: () => server().stop(),
    start: () => server().start(),
    startStandby: () => server().startStandby(),
  };
}
