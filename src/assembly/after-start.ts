/**
 * What the start does not wait for: a look over the database, loading what pictures and speech need, and a watch over the event loop.
 * Each may end the bot.
 */
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { Database } from '../store/database.ts';
import { UnfitDatabase } from '../store/unfit-database.ts';
import { tellDatabaseTrouble } from './database-trouble.ts';
import { failStart } from './fail-start.ts';
import { warmUp } from './warm-up.ts';
import type { Watchdog } from './watchdog.ts';

interface AfterStartOptions {
  readonly config: Config;
  readonly database: Database;
  readonly voiceEncoder: VoiceEncoder;
  readonly watchdog: Watchdog;
  readonly log: Log;
  /** Ends the bot; the reason is told before. */
  readonly end: () => void;
}

/** The first request for updates goes out before anything else is loaded, in ms. */
const AFTER_MS = 50;

/** Looks whether the database is damaged, makes ready for pictures and speech, and has the event loop watched. */
export function seeToTheRest(options: AfterStartOptions): void {
  const { config, database, voiceEncoder, watchdog, log, end } = options;
  const refuseDamaged = async (): Promise<void> => {
    if (!(await database.isDamaged())) return;
    tellDatabaseTrouble(new UnfitDatabase('damaged'), config.database);
    end();
  };
  const giveUp = (error: unknown): void => {
    log.fatal({ error }, 'no speech could be sent');
    failStart();
    end();
  };
  setTimeout(() => {
    void refuseDamaged();
    warmUp(voiceEncoder, log).catch(giveUp);
    watchdog.start();
  }, AFTER_MS);
}
