/** What a process does every second for the queue that it shares: says that it works, and takes over from who does not. */
import type { Log } from '../log.ts';
import { sleep } from '../sleep.ts';
import type { DeathWatch } from './death-watch.ts';
import { HEARTBEAT_MS, type QueueJobs } from './postgres-jobs.ts';
import type { PostgresRows } from './postgres-rows.ts';

export interface UpkeepOptions {
  readonly rows: PostgresRows;
  readonly jobs: QueueJobs;
  readonly deathWatch: DeathWatch;
  readonly log: Log;
  /** The jobs that this process works on, by the ids of their rows. */
  readonly held: () => readonly number[];
  /** Called every time: what was notified while nobody listened is found by looking. */
  readonly onLook: () => void;
}

const EVERY_MS = 1000;
const TOUCH_EVERY_MS = HEARTBEAT_MS / 6;
const SUPERVISE_EVERY_MS = HEARTBEAT_MS / 3;

/** Runs until `signal` aborts; never throws. */
export async function keepUp(options: UpkeepOptions, signal: AbortSignal): Promise<void> {
  const { rows, jobs, deathWatch, log } = options;
  let touchedAt = performance.now();
  let supervisedAt = touchedAt;
  let answersSince: number | undefined = touchedAt;

  const once = async (now: number): Promise<void> => {
    const dead = await deathWatch.look();
    if (dead.length > 0) {
      log.warn({ processes: dead.length }, 'work of a process that died is taken over');
      await rows.giveBack(dead);
    }
    if (answersSince === undefined || now - touchedAt >= TOUCH_EVERY_MS) {
      await jobs.touch(options.held());
      touchedAt = now;
    }
    if (answersSince === undefined) {
      log.info('the database answers again');
      answersSince = now;
    }
    // While the database was away nobody could be heard: all get the time to say that they live.
    if (now - answersSince >= HEARTBEAT_MS && now - supervisedAt >= SUPERVISE_EVERY_MS) {
      await jobs.supervise();
      supervisedAt = now;
    }
    options.onLook();
  };

  while (!signal.aborted) {
    try {
      await once(performance.now());
    } catch (error) {
      if (answersSince !== undefined) log.warn({ error }, 'the database does not answer');
      answersSince = undefined;
      deathWatch.forget();
    }
    await sleep(EVERY_MS, signal);
  }
}
