/** `npm run queue`: lists dead letters, and retries or drops them. */
import { existsSync } from 'node:fs';
import { Requests } from '../src/queue/requests.ts';
import { openDatabase } from '../src/store/database.ts';
import { databaseProblem } from '../src/store/database-errors.ts';
import { databaseConfig } from './command.ts';

const config = databaseConfig();
if (config.engine === 'sqlite' && !existsSync(config.path)) {
  console.error(`There is no database at ${config.path}: check DATABASE_URL.`);
  process.exit(1);
}
const onUnreachable = () => console.error('The database is unreachable: trying again.');
const database = await openDatabase(config, onUnreachable).catch((error: unknown) => {
  console.error(databaseProblem(error, config));
  process.exit(1);
});
const requests = new Requests(database);
const [command = 'list', id = ''] = process.argv.slice(2);
if (command === 'list') {
  const updates = await requests.deadLetters();
  for (const { id, at, lane, reason } of updates) {
    console.log(`${id}\t${new Date(at).toISOString()}\tlane ${lane}\t${reason}`);
  }
  if (updates.length === 0) console.log('There are no dead letters.');
} else if (command === 'retry' || command === 'drop') {
  const isId = /^\d{1,15}$/.test(id);
  const isDone =
    isId && (await (command === 'retry' ? requests.revive(Number(id)) : requests.drop(Number(id))));
  if (!isDone) process.exitCode = 1;
  const done =
    command === 'retry' ? `${id} is queued again; a running bot handles it at once.` : `${id} is deleted.`;
  console.log(
    isDone
      ? done
      : id === ''
        ? `Name a dead letter: npm run queue ${command} ID`
        : `There is no dead letter ${id}.`,
  );
} else {
  console.error('npm run queue [list | retry ID | drop ID]');
  process.exitCode = 1;
}
await database.close();
