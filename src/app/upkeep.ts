/** What is done beside the updates: the bot's menus and profile at Telegram, a look over the database, and a proof of the encoder. */
import type { Log } from '../log.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import { outlastShortage, sleep } from '../patience.ts';
import type { Access } from '../store/access/access.ts';
import type { Database } from '../store/database.ts';
import { UnfitDatabase } from '../store/database-errors.ts';
import type { Results } from '../store/kept/results.ts';
import { prune } from '../store/pruning.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { unlessRefused } from '../telegram/api/api-errors.ts';
import type { Words } from '../telegram/locale.ts';
import { registerCommands, registerProfile } from '../telegram/profile.ts';
import type { Command } from '../telegram/request/command.ts';
import type { Config } from './config.ts';
import { tellDatabaseProblem } from './database.ts';
import type { Watchdog } from './watchdog.ts';

interface UpkeepDeps {
  readonly api: BotApi;
  readonly words: Words;
  readonly log: Log;
  readonly adminIds: readonly number[];
  readonly commands: readonly Command[];
  readonly database: Database;
  readonly access: Access;
  readonly results: Results;
}

/** How often it is looked whether the database is still in its place, in ms. */
const LOOK_EVERY_MS = 10_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
/** The first pruning waits until those who waited for the start have their answers, in ms: what a long downtime has left is much. */
const PRUNE_AFTER_START_MS = 10_000;

/** Registers the bot's face once, prunes soon and then every hour, and leaves groups that nobody has let in; a failure is logged. Gives what ends it. */
export function startUpkeep({
  api,
  words,
  log,
  adminIds,
  commands,
  database,
  access,
  results,
}: UpkeepDeps): () => void {
  const warnOf = (problem: string) => (error: unknown) => log.warn({ error }, problem);
  registerCommands(api, words, adminIds, commands).catch(warnOf('the command menu was not registered'));
  registerProfile(api, words).catch(warnOf('the profile was not registered'));
  const ended = new AbortController();
  const prunes = async (): Promise<void> => {
    await sleep(PRUNE_AFTER_START_MS, ended.signal);
    while (!ended.signal.aborted) {
      await prune(database, results, ended.signal).catch(warnOf('pruning failed'));
      await sleep(PRUNE_EVERY_MS, ended.signal);
    }
  };
  void prunes();
  const leave = (): void => {
    leaveStrangers(api, access, database.now()).catch(warnOf('groups that nobody has let in were not left'));
  };
  leave();
  const leaving = setInterval(leave, LEAVE_EVERY_MS);
  const looking = setInterval(warnOnceOf(database, log), LOOK_EVERY_MS);
  return () => {
    ended.abort();
    clearInterval(leaving);
    clearInterval(looking);
  };
}

/** How often it is looked which groups are to be left, in ms. */
const LEAVE_EVERY_MS = 60_000;
/** A group that nobody has let in is left after so long (spec §8), in ms. */
const STAYS_UNASKED_MS = 24 * 60 * 60 * 1000;

/** Leaves groups that have waited in vain, the next ones a minute later; one that the bot is not in any more is forgotten as well. */
async function leaveStrangers(api: BotApi, { admissions }: Access, now: number): Promise<void> {
  for (const group of await admissions.groupsAsking(now - STAYS_UNASKED_MS)) {
    // To leave those before it may have taken long: an admin may have let it in meanwhile.
    if ((await admissions.find(group))?.standing !== 'asking') continue;
    await unlessRefused(api.leaveChat(Number(group)));
    await admissions.withdraw(group);
  }
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
    tellDatabaseProblem(new UnfitDatabase('damaged'), config.database);
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
