/** Tells whoever starts the bot what is wrong with its database. */
import { type DatabaseConfig, describeFault } from '../config.ts';
import { troubleOf } from '../store/trouble.ts';
import { failStart } from './fail-start.ts';

const EXAMPLES: Readonly<Record<DatabaseConfig['engine'], string>> = {
  sqlite: 'sqlite:data/lotsawa.db',
  postgres: 'postgres://user:password@host/database',
};

/** One line on standard error, with what to do; the start fails. */
export function tellDatabaseTrouble(error: unknown, config: DatabaseConfig): void {
  const { what, remedy } = troubleOf(error, config);
  const problem = `names a database that ${what}: ${remedy}`;
  const fault = { variable: 'DATABASE_URL', problem, example: EXAMPLES[config.engine] };
  process.stderr.write(`${describeFault(fault)}\n`);
  failStart();
}
