/** Work beside the updates: the bot's menus and profile at Telegram, pruning, checks of the database, and the proof of the encoder. */
import { VOCABULARY } from '../bot.ts';
import type { Log } from '../log.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import { outlastShortage, sleep } from '../patience.ts';
import type { Access } from '../store/access/access.ts';
import type { Database } from '../store/database.ts';
import { UnfitDatabase } from '../store/database-errors.ts';
import { prune } from '../store/erasure.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { unlessRefused } from '../telegram/api/api-errors.ts';
import { registerCommands, registerProfile } from '../telegram/profile.ts';
import { tellDatabaseProblem } from './database.ts';
import type { Deps } from './deps.ts';
import type { Watchdog } from './watchdog.ts';

/** How often to look whether the database file is still in its place, in ms. */
const LOOK_EVERY_MS = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
/** When the first pruning begins, in ms: after a long downtime it is much work, and the answers to those who waited go first. */
const PRUNE_AFTER_START_MS = 10_000;

/**
 * Registers menus and profile once, prunes soon and then every hour, and leaves groups that nobody let in; logs failures. Gives the
 * function that ends it.
 */
export function startUpkeep({ config, api, words, log, stores }: Deps): () => void {
  const { database, access } = stores;
  const warnOf = (problem: string) => (error: unknown) => log.warn({ error }, problem);
  registerCommands(api, words, config.adminIds, VOCABULARY.commands).catch(
    warnOf('the command menu was not registered'),
  );
  registerProfile(api, words).catch(warnOf('the profile was not registered'));
  const ended = new AbortController();
  const prunes = async (): Promise<void> => {
    await sleep(PRUNE_AFTER_START_MS, ended.signal);
    while (!ended.signal.aborted) {
      await prune(database, config.resultsTtlDays * DAY_MS, ended.signal).catch(warnOf('pruning failed'));
      await sleep(PRUNE_EVERY_MS, ended.signal);
    }
  };
  void prunes();
  const leave = (): void => {
    leaveStrangers(api, access, database.now()).catch(warnOf('groups that nobody let in could not be left'));
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

/** How often to look for groups to leave, in ms. */
const LEAVE_EVERY_MS = 60_000;
/** How long the bot stays in a group that nobody lets in (spec §8), in ms. */
const STAYS_UNASKED_MS = DAY_MS;

/**
 * Leaves groups that have waited in vain, up to 100 a minute, and deletes their requests, even if the bot is no longer in them. With
 * `ACCESS=open` nothing waits, whatever was asked before.
 */
async function leaveStrangers(api: BotApi, { admissions, isOpen }: Access, now: number): Promise<void> {
  if (isOpen) return;
  for (const group of await admissions.groupsAsking(now - STAYS_UNASKED_MS)) {
    // Leaving the others may have taken long: an admin may have let this one in meanwhile.
    if ((await admissions.find(group))?.standing !== 'asking') continue;
    await unlessRefused(api.leaveChat(Number(group)));
    await admissions.withdraw(group);
  }
}

/** Logs a problem of the database once, when it begins. */
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
  readonly voiceEncoder: VoiceEncoder;
  readonly watchdog: Watchdog;
  /** Ends the bot, after the reason was told. */
  readonly end: () => void;
}

/** In ms: the first request for updates goes out before anything else is loaded. */
const AFTER_START_MS = 50;

/** Does what the start does not wait for: checks the database, proves the encoder, starts the watchdog. Each may end the bot. */
export function afterStart(
  { config, stores, log }: Deps,
  { voiceEncoder, watchdog, end }: AfterStartDeps,
): void {
  const refuseDamaged = async (): Promise<void> => {
    if (!(await stores.database.isDamaged())) return;
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

/** How often to look whether a shortage of the machine has passed, in ms. */
const AGAIN_AFTER_MS = 1000;

/**
 * Proves the encoder, so that the first request does not wait for it. Throws `audio`, in words for the operator, if no speech could ever be
 * encoded; waits out a shortage of the machine.
 */
function warmUp(voiceEncoder: VoiceEncoder, log: Log): Promise<void> {
  return outlastShortage(() => voiceEncoder.warm(), {
    firstMs: AGAIN_AFTER_MS,
    onShortage: (error) => log.warn({ error }, 'the machine is short of what an encoder takes'),
  });
}
