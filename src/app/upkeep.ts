/** What is done beside the updates: the bot's menus and profile at Telegram, a look over the database, and a proof of the encoder. */
import type { Log } from '../log.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import { outlastShortage } from '../patience.ts';
import type { Database } from '../store/database.ts';
import { prune } from '../store/erasure.ts';
import type { Results } from '../store/kept/results.ts';
import { UnfitDatabase } from '../store/trouble.ts';
import type { BotApi } from '../telegram/api/api.ts';
import type { Words } from '../telegram/locale.ts';
import { registerCommands, registerProfile } from '../telegram/profile.ts';
import type { Command } from '../telegram/request/command.ts';
import type { Config } from './config.ts';
import { tellDatabaseTrouble } from './database.ts';
import type { Watchdog } from './watchdog.ts';

interface UpkeepDeps {
  readonly api: BotApi;
  readonly words: Words;
  readonly log: Log;
  readonly adminIds: readonly number[];
  readonly commands: readonly Command[];
  readonly database: Database;
  readonly results: Results;
}

/** How often it is looked whether the database is still in its place, in ms. */
const LOOK_EVERY_MS = 10_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;

/** Registers the bot's face once and prunes every hour; a failure of either is logged. Gives what ends it. */
export function startUpkeep({
  api,
  words,
  log,
  adminIds,
  commands,
  database,
  results,
}: UpkeepDeps): () => void {
  const warnOf = (problem: string) => (error: unknown) => log.warn({ error }, problem);
  registerCommands(api, words, adminIds, commands).catch(warnOf('the command menu was not registered'));
  registerProfile(api, words).catch(warnOf('the profile was not registered'));
  const pruning = setInterval(() => {
    prune(database, results).catch(warnOf('pruning failed'));
  }, PRUNE_EVERY_MS);
  const looking = setInterval(warnOnceOf(database, log), LOOK_EVERY_MS);
  return () => {
    clearInterval(pruning);
    clearInterval(looking);
  };
}

/** Says what is wrong with the database when it becomes so, and not again and again. */
function warnOnceOf(database: Database, log: Log): () => void {
  let told: string | undefined;
  return () => {
    const problem = database.problem();
    if (problem !== undefined && problem !== told)
      log.error({ problem }, 'nothing that is written down will last');
    told = problem;
  };
}

interface AfterStartDeps {
  readonly config: Config;
  readonly database: Database;
  readonly voiceEncoder: VoiceEncoder;
  readonly watchdog: Watchdog;
  readonly log: Log;
  /** Ends the bot; the reason is told before. */
  readonly end: () => void;
}

/** The first request for updates goes out before anything else is loaded, in ms. */
const AFTER_START_MS = 50;

/**
 * Does what the start does not wait for: looks whether the database is damaged, has the encoder proved, and has the event loop
 * watched. Each may end the bot.
 */
export function seeToTheRest(deps: AfterStartDeps): void {
  const { config, database, voiceEncoder, watchdog, log, end } = deps;
  const refuseDamaged = async (): Promise<void> => {
    if (!(await database.isDamaged())) return;
    tellDatabaseTrouble(new UnfitDatabase('damaged'), config.database);
    end();
  };
  const giveUp = (error: unknown): void => {
    log.fatal({ error }, 'no speech could be sent');
    process.exitCode = 1;
    end();
  };
  setTimeout(() => {
    void refuseDamaged();
    warmUp(voiceEncoder, log).catch(giveUp);
    watchdog.start();
  }, AFTER_START_MS);
}

/** Between two looks whether a shortage of the machine's has passed, in ms. */
const AGAIN_AFTER_MS = 1000;

/**
 * Proves the encoder, so that the first request does not wait for it. Throws `audio`, in words for the operator, where no speech could
 * ever be encoded; what the machine is short of just now is waited for.
 */
function warmUp(voiceEncoder: VoiceEncoder, log: Log): Promise<void> {
  return outlastShortage(() => voiceEncoder.warm(), {
    firstMs: AGAIN_AFTER_MS,
    onShortage: (error) => log.warn({ error }, 'the machine is short of what an encoder takes'),
  });
}
