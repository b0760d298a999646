/** `npm run backup [FILE]`: copies the database while the bot runs. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BackupRefused, backUp, stamp } from '../src/store/sqlite/backup.ts';
import { databaseConfig, fail, failOnFiles } from './command.ts';

const config = databaseConfig();
const [wanted] = process.argv.slice(2);
if (config.engine === 'postgres') {
  fail(
    'PostgreSQL has its own tool for this, which may run beside the bot (DATABASE_URL as in .env):',
    `  pg_dump --format=custom --file=${wanted ?? `lotsawa-${stamp(Date.now())}.dump`} "$DATABASE_URL"`,
  );
} else {
  const { path } = config;
  const target = wanted ?? join(dirname(path), `lotsawa-${stamp(Date.now())}.db`);
  try {
    backUp(path, target);
    const megabytes = (statSync(target).size / 1e6).toFixed(1);
    console.log(
      `${target} (${megabytes} MB) is a backup. Keep it on another machine; npm run restore FILE restores it.`,
    );
  } catch (error) {
    if (error instanceof BackupRefused) fail(`No backup was made: ${error.message}.`);
    else failOnFiles('No backup was made', error);
  }
}
