/** `npm run backup [FILE]`: copies the database while the bot runs. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeFault, readDatabaseConfig, readEnvironment } from '../src/app/config.ts';
import { BackupRefused, backUp, stamp } from '../src/store/sqlite/backup.ts';
import { fail, failOnFiles } from './fail.ts';

const settings = readDatabaseConfig(readEnvironment());
const [wanted] = process.argv.slice(2);
if (!settings.ok) fail(...settings.faults.map(describeFault));
else if (settings.config.engine === 'postgres') {
  fail(
    'PostgreSQL has a tool of its own for this; it may run while the bot does (DATABASE_URL as in .env):',
    `  pg_dump --format=custom --file=${wanted ?? `lotsawa-${stamp(Date.now())}.dump`} "$DATABASE_URL"`,
  );
} else {
  const { path } = settings.config;
  const target = wanted ?? join(dirname(path), `lotsawa-${stamp(Date.now())}.db`);
  try {
    backUp(path, target);
    const megabytes = (statSync(target).size / 1e6).toFixed(1);
    console.log(
      `${target} (${megabytes} MB) is a checked copy. Keep it on another machine; npm run restore FILE puts it back.`,
    );
  } catch (error) {
    if (error instanceof BackupRefused) fail(`No backup was made: ${error.message}.`);
    else failOnFiles('No backup was made', error);
  }
}
