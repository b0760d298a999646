/** Checks the database: reachable, writable, of this release, and private. */
import { statSync } from 'node:fs';
import { describeDatabaseError, UnfitDatabase } from '../store/database-errors.ts';
import type { DatabaseConfig } from '../store/engine.ts';
import { type DatabaseState, inspectDatabase } from '../store/inspection.ts';
import { type Finding, open, well, wrong } from './finding.ts';

interface DatabaseCheck {
  readonly findings: readonly Finding[];
  /** It has all tables of this release, so that further checks can use it. */
  readonly isUsable: boolean;
}

const STATES: Readonly<Record<Exclude<DatabaseState, 'newer' | 'foreign'>, string>> = {
  absent: 'does not exist yet, and can be created at the first start',
  empty: 'is empty, and gets its tables at the first start',
  older: 'is of an earlier release, and is migrated at the next start',
  current: 'can be written, and its tables are up to date',
};

/** Checks the database; changes nothing in it. */
export async function checkDatabase(config: DatabaseConfig): Promise<DatabaseCheck> {
  const name = config.engine === 'sqlite' ? `SQLite file ${config.path}` : 'PostgreSQL';
  try {
    const state = await inspectDatabase(config);
    if (state === 'newer' || state === 'foreign') throw new UnfitDatabase(state);
    const findings = [well(`Database: ${name} ${STATES[state]}`), ...checkMode(config, state)];
    return { findings, isUsable: state === 'current' };
  } catch (error) {
    const { what, remedy } = describeDatabaseError(error, config);
    return { findings: [wrong(`Database: ${name} ${what}`, remedy)], isUsable: false };
  }
}

/** Warns if others may read the file, which holds people's last texts. */
function checkMode(config: DatabaseConfig, state: DatabaseState): Finding[] {
  if (config.engine !== 'sqlite' || state === 'absent') return [];
  if ((statSync(config.path).mode & 0o077) === 0) return [];
  return [open('Database: other users of this machine may read the file', `chmod 600 ${config.path}*`)];
}
