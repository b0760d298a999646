/** `npm run restore FILE`: replaces the database with a backup; `-- --force` if there is a database already. */
import { parseArgs } from 'node:util';
import { BackupRefused, restore } from '../src/store/sqlite/backup.ts';
import { databaseConfig, fail, failOnFiles } from './command.ts';

const config = databaseConfig();
const { file, force } = readWishes();
if (file === undefined)
  fail(
    'npm run restore FILE               if there is no database yet',
    'npm run restore FILE -- --force    replaces the database, and keeps the old one beside it',
  );
else if (config.engine === 'postgres') {
  fail(
    'PostgreSQL has its own tool for this. Stop every process of the bot, then run (DATABASE_URL as in .env):',
    `  pg_restore --clean --if-exists --dbname="$DATABASE_URL" ${file}`,
  );
} else {
  const { path } = config;
  try {
    const aside = await restore(file, path, force);
    console.log(`Restored ${file} to ${path}. Start the bot: it migrates the tables if they are older.`);
    if (aside !== undefined) console.log(`The previous database is kept as ${aside}.`);
  } catch (error) {
    if (error instanceof BackupRefused) fail(`Nothing was restored: ${error.message}.`);
    else failOnFiles('Nothing was restored', error);
  }
}

function readWishes(): { file?: string | undefined; force: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { force: { type: 'boolean', default: false } },
    });
    return { file: positionals[0], force: values.force };
  } catch {
    return { force: false };
  }
}
