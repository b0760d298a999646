/** What is done beside the updates: the bot's menus and profile at Telegram, and tidying the database. */
import type { Log } from '../log.ts';
import { prune } from '../store/pruning.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { registerCommands } from '../telegram/commands.ts';
import type { Words } from '../telegram/locale.ts';
import { registerProfile } from '../telegram/profile.ts';
import type { Records } from './records.ts';

interface UpkeepOptions {
  readonly api: BotApi;
  readonly words: Words;
  readonly log: Log;
  readonly adminIds: readonly number[];
  readonly records: Records;
}

/** How often it is looked whether the database is still in its place, in ms. */
const LOOK_EVERY_MS = 10_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;

/** Registers the bot's face once and prunes every hour; a failure of either is logged. Gives what ends it. */
export function startUpkeep({ api, words, log, adminIds, records }: UpkeepOptions): () => void {
  const warnOf = (problem: string) => (error: unknown) => log.warn({ error }, problem);
  registerCommands(api, words, adminIds).catch(warnOf('the command menu was not registered'));
  registerProfile(api, words).catch(warnOf('the profile was not registered'));
  const pruning = setInterval(() => {
    prune(records.database, records.results).catch(warnOf('pruning failed'));
  }, PRUNE_EVERY_MS);
  const looking = setInterval(warnOnceOf(records, log), LOOK_EVERY_MS);
  return () => {
    clearInterval(pruning);
    clearInterval(looking);
  };
}

/** Says what is wrong with the database when it becomes so, and not again and again. */
function warnOnceOf({ database }: Records, log: Log): () => void {
  let told: string | undefined;
  return () => {
    const problem = database.problem();
    if (problem !== undefined && problem !== told)
      log.error({ problem }, 'nothing that is written down will last');
    told = problem;
  };
}
