/** Checks the database: reachable, writable, of this release, and closed to others. */
import { statSync } from 'node:fs';
import { describeDatabaseError, UnfitDatabase } from '../store/database-errors.ts';
import type { DatabaseConfig } from '../store/engine.ts';
import { type DatabaseState, inspectDatabase } from '../store/inspection.ts';
import { type Finding, open, well, wrong } from './finding.ts';

interface DatabaseCheck {
  readonly findings: readonly Finding[];
  /** Whether it has all tables of this release, so that further checks can use it. */
  readonly isUsable: boolean;
}

const STATES: Readonly<Record<Exclude<DatabaseState, 'newer' | 'foreign'>, (name: string) => Finding>> = {
  absent: (name) => well(`Database: ${name} does not exist yet, and can be made at the first start`),
  empty: (name) => well(`Database: ${name} is empty, and gets its tables at the first start`),
  older: (name) =>
    well(`Database: ${name} is of an earlier release, and is brought up to date at the next start`),
  current: (name) => well(`Database: ${name} can be written, and its tables are up to date`),
};

/** Checks the database; changes nothing in it. */
export async function checkDatabase(config: DatabaseConfig): Promise<DatabaseCheck> {
  const name = config.engine === 'sqlite' ? `SQLite file ${config.path}` : 'PostgreSQL';
  try {
    const state = await inspectDatabase(config);
    if (state === 'newer' || state === 'foreign') throw new UnfitDatabase(state);
    return { findings: [STATES[state](name), ...privacyOf(config, state)], isUsable: state === 'current' };
  } catch (error) {
    return { findings: [unusable(name, error, config)], isUsable: false };
  }
}

function unusable(name: string, error: unknown, config: DatabaseConfig): Finding {
  const { what, remedy } = describeDatabaseError(error, config);
  return wrong(`Database: ${name} ${what}`, remedy);
}

/** Warns if others may read the file, which holds people's last texts. */
function privacyOf(config: DatabaseConfig, state: DatabaseState): Finding[] {
  if (config.engine !== 'sqlite' || state === 'absent') return [];
  if ((statSync(config.path).mode & 0o077) === 0) return [];
  return [open('Database: others on this machine may read the file', `chmod 600 ${config.path}*`)];
}
