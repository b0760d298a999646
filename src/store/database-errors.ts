/** Describes database errors: in words for the operator, and as a `database` failure for people. */
import { errorName, Failure, isCertificateError, isFailure } from '../errors.ts';
import { patiently } from '../patience.ts';
import type { DatabaseConfig } from './engine.ts';

interface DatabaseProblem {
  /** Completes the database's name to a sentence: "… cannot be opened or written (28P01)". */
  readonly what: string;
  readonly remedy: string;
}

/** Describes an error of opening, inspecting or first writing a database. */
export function describeDatabaseError(thrown: unknown, { engine }: DatabaseConfig): DatabaseProblem {
  const error = engineError(thrown);
  if (error instanceof UnfitDatabase) {
    const { what, remedy } = UNFIT[error.kind];
    return { what: what.replace('{release}', error.release), remedy };
  }
  // The message is left out: it may hold an address with a password.
  const code = errorName(error);
  const remedy = engine === 'sqlite' ? sqliteRemedy(code) : postgresRemedy(code);
  return { what: `cannot be opened or written (${code})`, remedy };
}

/** Describes such an error in one line, with the remedy. */
export function databaseProblem(error: unknown, config: DatabaseConfig): string {
  const { what, remedy } = describeDatabaseError(error, config);
  return `DATABASE_URL names a database that ${what}: ${remedy}`;
}

const OTHER_FILE = 'name another in DATABASE_URL, or npm run restore FILE -- --force';

const UNFIT = {
  newer: {
    what: 'was changed by a newer release ({release})',
    remedy: 'start that release, or restore a backup that this one made: npm run restore FILE -- --force',
  },
  trial: {
    what: 'is of {release}, which 1.0.0 does not carry over',
    remedy: 'name a new file in DATABASE_URL (on PostgreSQL, a new database)',
  },
  foreign: { what: 'belongs to another program', remedy: "name a file of the bot's own in DATABASE_URL" },
  damaged: { what: 'is damaged', remedy: OTHER_FILE },
  old: {
    what: 'is on a PostgreSQL older than 15',
    remedy: 'upgrade the server to 15 or newer',
  },
  encoding: {
    what: 'has another encoding than UTF8, and cannot hold Tibetan and Chinese',
    remedy: "create one that can: create database NAME encoding 'UTF8' template template0",
  },
  pooled: {
    what: 'is reached through a pooler that shares connections among its clients',
    remedy:
      'name the server itself in DATABASE_URL, or let the pooler pool sessions (pgbouncer: pool_mode = session)',
  },
} as const satisfies Readonly<Record<string, DatabaseProblem>>;

function sqliteRemedy(code: string): string {
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return `the file is not a database, or is damaged: ${OTHER_FILE}`;
  }
  if (code.startsWith('SQLITE_BUSY')) return 'another program has locked it: stop that program';
  return 'let the user that runs the bot write the file and its folder, and check that the disk is not full';
}

const WRONG_LOGIN = 'user or password in DATABASE_URL is wrong';
const NO_TABLES =
  'the server is a read-only standby, or this user may not create what is missing: grant create on schema public';
const POSTGRES: Readonly<Record<string, string>> = {
  '28P01': WRONG_LOGIN,
  '28000': WRONG_LOGIN,
  '3D000': 'that database does not exist: create it (createdb), or name another in DATABASE_URL',
  '3F000':
    'there is no schema to create tables in: create one (create schema), or set the search_path of this user',
  // Read-only: a standby.
  '25006': NO_TABLES,
  '42501': NO_TABLES,
  // pgbouncer gives this code for every refusal; only its log says more.
  '08P01':
    'this is not a PostgreSQL server, or a pooler in front of it whose log says why it refuses: it must know the user, password and database of DATABASE_URL, and pool sessions, with 12 connections for each process (pgbouncer: pool_mode = session, default_pool_size, max_client_conn)',
};
const POSTGRES_REMEDY = 'check that the server is running, and that host and port in DATABASE_URL are right';
const CERTIFICATE_REMEDY =
  'its TLS certificate is not trusted: name the CA (sslrootcert=/path/of/ca.pem in DATABASE_URL, or NODE_EXTRA_CA_CERTS), and connect by a host name that the certificate has';

function postgresRemedy(code: string): string {
  return POSTGRES[code] ?? (isCertificateError(code) ? CERTIFICATE_REMEDY : POSTGRES_REMEDY);
}

type Unfitness = keyof typeof UNFIT;

/** A database that answers, but on which the bot cannot work. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase';
  readonly kind: Unfitness;
  /** That has changed it last, where that is what is wrong with it. */
  readonly release: string;

  constructor(kind: Unfitness, release = 'unknown') {
    super(kind);
    this.kind = kind;
    this.release = release;
  }
}

/** The failure for every error of an engine. Without a database nothing is allowed, rather than everything. */
export function asDatabaseFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('database', 'the database cannot be read or written', { cause: error });
}

/** Does the work; throws its errors `asDatabaseFailure`. */
export async function orDatabaseFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asDatabaseFailure(error);
  }
}

/** The engine's own error behind a `database` failure. */
export function engineError(error: unknown): unknown {
  return isFailure(error, 'database') ? error.cause : error;
}

/** How long `outlastOutage` retries, in ms: longer than a restart or failover of the server, or a lock of another program. */
const OUTLASTS_MS = 30_000;
const AGAIN_AFTER_MS = 1000;

/**
 * Retries a write of something that cannot be had again (it was paid for, or sent), then throws the database's error. `write` may run
 * twice: a connection can be lost after a commit. Waiting does not keep the process alive.
 */
export function outlastOutage<T>(write: () => Promise<T>): Promise<T> {
  const until = performance.now() + OUTLASTS_MS;
  const waitAfter = () => (performance.now() < until ? AGAIN_AFTER_MS : undefined);
  return patiently(write, waitAfter, { ref: false });
}
