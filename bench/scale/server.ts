/** A PostgreSQL server for measurements at scale: what its processes take from the machine, and how long its statements take. */
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { startPostgresServer } from '../../test/postgres-server.ts';
import { cpuSeconds } from '../process.ts';

/**
 * PostgreSQL's own defaults where a test has less, and a count of all statements. Commits do not wait for the disk: other work on the same disk
 * would be measured.
 */
const SETTINGS = [
  'shared_buffers=128MB',
  'max_connections=200',
  'shared_preload_libraries=pg_stat_statements',
];

export interface Statement {
  readonly text: string;
  readonly calls: number;
  /** By the clock, in ms: a server that waits for a core is slow, too. */
  readonly meanMs: number;
  readonly longestMs: number;
}

export interface MeasuredServer extends AsyncDisposable {
  createDatabase(): Promise<string>;
  /** CPU of all its processes so far, also of those that have ended, in seconds. */
  cpuS(): number;
  /** Counts statements from now on. */
  resetStatements(): Promise<void>;
  statements(): Promise<Statement[]>;
  /** Written to its log so far, in bytes. */
  walBytes(): Promise<number>;
  /** Returns the figures in the first row of a query in this database. */
  look(url: string, query: string): Promise<Readonly<Record<string, number>>>;
}

/** Starts it on a free port; rejects when it does not come up. */
export async function startMeasuredServer(): Promise<MeasuredServer> {
  const server = await startPostgresServer(undefined, SETTINGS);
  const client = new Client({ connectionString: await server.createDatabase() });
  await client.connect();
  await client.query('create extension pg_stat_statements');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = parentOf(rows[0]?.pid ?? 0);

  return {
    createDatabase: server.createDatabase,
    cpuS: () => cpuSeconds(postmaster),
    resetStatements: async () => void (await client.query('select pg_stat_statements_reset()')),
    statements: async () => {
      const found = await client.query<Statement>(`
        select query as text, calls::int, mean_exec_time as "meanMs", max_exec_time as "longestMs"
        from pg_stat_statements where query not ilike '%pg_stat_statements%'`);
      return found.rows;
    },
    walBytes: async () => {
      const found = await client.query<{ bytes: number }>(
        `select (pg_current_wal_lsn() - '0/0')::float8 as bytes`,
      );
      return found.rows[0]?.bytes ?? Number.NaN;
    },
    look: async (url, query) => {
      const looking = new Client({ connectionString: url });
      await looking.connect();
      const found = await looking.query<Record<string, number>>(query);
      await looking.end();
      return found.rows[0] ?? {};
    },
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await server.close();
    },
  };
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
