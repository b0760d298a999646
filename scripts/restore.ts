/** `npm run restore FILE`: makes a backup the database; with `-- --force` also if there is one already. */
import { parseArgs } from 'node:util';
import { describeFault, readDatabaseConfig, readEnvironment } from '../src/app/config.ts';
import { BackupRefused, restore } from '../src/store/sqlite/backup.ts';
import { fail, failOnFiles } from './fail.ts';

const settings = readDatabaseConfig(readEnvironment());
const { file, force } = readWishes();
if (!settings.ok) fail(...settings.faults.map(describeFault));
else if (file === undefined)
  fail(
    'npm run restore FILE               where there is no database yet',
    'npm run restore FILE -- --force    also where there is one: it is put aside, and kept',
  );
else if (settings.config.engine === 'postgres') {
  fail(
    'PostgreSQL has a tool of its own for this. Stop every process of the bot, then (DATABASE_URL as in .env):',
    `  pg_restore --clean --if-exists --dbname="$DATABASE_URL" ${file}`,
  );
} else {
  const { path } = settings.config;
  try {
    const aside = await restore(file, path, { replace: force, now: Date.now() });
    console.log(`${path} is now what ${file} holds. Start the bot: it brings its tables up to date.`);
    if (aside !== undefined) console.log(`What was there before is kept as ${aside}.`);
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
