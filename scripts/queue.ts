/** `npm run queue`: lists dead letters, and retries or drops them. */
import { existsSync } from 'node:fs';
import { describeFault, readDatabaseConfig, readEnvironment } from '../src/app/config.ts';
import { tellDatabaseProblem } from '../src/app/database.ts';
import { DeadLetters } from '../src/queue/dead-letters.ts';
import { Requests } from '../src/queue/requests.ts';
import { openDatabase } from '../src/store/database.ts';
import { isRemembered } from '../src/store/sqlite/sqlite-owner.ts';

const settings = readDatabaseConfig(readEnvironment());
if (!settings.ok) {
  for (const fault of settings.faults) console.error(describeFault(fault));
  process.exit(1);
}

const { config } = settings;
if (config.engine === 'sqlite' && !existsSync(config.path) && !isRemembered(config.path)) {
  console.error(`There is no database at ${config.path}: see DATABASE_URL.`);
  process.exit(1);
}
const database = await openDatabase(config, {
  // Creates no database.
  isKnown: true,
  onDelay: ({ kind }) => console.error(`The database is not there yet (${kind}): it is waited for.`),
}).catch((error: unknown) => {
  tellDatabaseProblem(error, config);
  process.exit(1);
});
const deadLetters = new DeadLetters(new Requests(database));
const [command = 'list', id = ''] = process.argv.slice(2);
if (command === 'list') {
  const updates = await deadLetters.list();
  for (const { id, givenUpAt, lane, reason } of updates) {
    console.log(`${id}\t${new Date(givenUpAt).toISOString()}\tlane ${lane}\t${reason}`);
  }
  if (updates.length === 0) console.log('There are no dead letters.');
} else if (command === 'retry' || command === 'drop') {
  const isId = /^\d{1,15}$/.test(id);
  const isDone = isId && (await (command === 'retry' ? deadLetters.retry(id) : deadLetters.drop(id)));
  if (!isDone) process.exitCode = 1;
  const done = command === 'retry' ? `${id} is handled again, at once where the bot runs.` : `${id} is gone.`;
  console.log(isDone ? done : `There is no dead letter under ${id || 'no id'}.`);
} else {
  console.error('npm run queue [list | retry ID | drop ID]');
  process.exitCode = 1;
}
await database.close();
