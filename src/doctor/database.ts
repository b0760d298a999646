/** Checks the database: reachable, writable, of this release, and closed to others. */
import { statSync } from 'node:fs';
import type { DatabaseConfig } from '../config.ts';
import { type DatabaseState, inspectDatabase, ReadOnlyDatabase } from '../store/inspection.ts';
import { errorCode, type Finding, open, well, wrong } from './finding.ts';

export interface DatabaseCheck {
  readonly findings: readonly Finding[];
  /** Whether it has all tables of this release, so that more can be done with it. */
  readonly isUsable: boolean;
}

const STATES: Readonly<Record<DatabaseState, (name: string) => Finding>> = {
  absent: (name) => well(`Database: ${name} does not exist yet, and can be made at the first start`),
  empty: (name) => well(`Database: ${name} is empty, and gets its tables at the first start`),
  older: (name) =>
    well(`Database: ${name} is of an earlier release, and is brought up to date at the next start`),
  current: (name) => well(`Database: ${name} can be written, and its tables are up to date`),
  newer: (name) =>
    wrong(
      `Database: ${name} was changed by a newer release`,
      'start that release, or restore a backup that this one made: npm run restore FILE',
    ),
};

/** Looks at the database, and changes nothing in it. */
export async function checkDatabase(config: DatabaseConfig): Promise<DatabaseCheck> {
  const name = config.engine === 'sqlite' ? `SQLite file ${config.path}` : 'PostgreSQL';
  try {
    const state = await inspectDatabase(config);
    return { findings: [STATES[state](name), ...privacyOf(config, state)], isUsable: state === 'current' };
  } catch (error) {
    const remedy = config.engine === 'sqlite' ? sqliteRemedy(error) : postgresRemedy(errorCode(error));
    const text = `Database: ${name} cannot be opened or written (${errorCode(error)})`;
    return { findings: [wrong(text, remedy)], isUsable: false };
  }
}

/** It holds people's last texts. */
function privacyOf(config: DatabaseConfig, state: DatabaseState): Finding[] {
  if (config.engine !== 'sqlite' || state === 'absent') return [];
  if ((statSync(config.path).mode & 0o077) === 0) return [];
  return [open('Database: others on this machine may read the file', `chmod 600 ${config.path}*`)];
}

function sqliteRemedy(error: unknown): string {
  const code = errorCode(error);
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
    return 'that file is no database, or is damaged: name another in DATABASE_URL, or npm run restore FILE -- --force';
  }
  if (code.startsWith('SQLITE_BUSY')) return 'another program holds it locked: end that program';
  return 'let the user that runs the bot write the file and its folder, and see that the disk is not full';
}

function postgresRemedy(code: string): string {
  if (code === '28P01' || code === '28000') return 'user or password in DATABASE_URL is wrong';
  if (code === '3D000') return 'that database does not exist: createdb, or name another in DATABASE_URL';
  if (code === ReadOnlyDatabase.name || code === '42501') {
    return 'the server is a read-only standby, or this user may not create tables: grant create on schema public';
  }
  return 'see that the server runs, and that host and port in DATABASE_URL are right';
}
