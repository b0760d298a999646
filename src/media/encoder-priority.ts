/** How encoders give way to the bot, which shares the processor with them: a long speech must not slow anyone's text. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isShortage } from '../shortage.ts';

/** Of -20 to 19, as in nice(1): a tenth of the processor beside whoever has 0. */
export const NICENESS = 10;

/** Linux takes one such wish in so many ms from all who are not root, and refuses the others (EAGAIN). */
const ASKED_AGAIN_AFTER_MS = 120;
/** A voice note takes less than that long, in all but the worst of times. */
const TRIES = 50;

/**
 * Has the session that this process leads give way as the process itself does. Where Linux shares the processor among sessions
 * before it looks at what is in them (`sched_autogroup_enabled`, sched(7)), every encoder would else count as much as the whole bot,
 * however nice it is. Resolves when that is done, or cannot be.
 */
export async function giveWayAsSession(pid: number, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < TRIES && !signal.aborted; attempt += 1) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(NICENESS));
    } catch (error) {
      // Elsewhere there is no such file; and what has ended has no session any more.
      if (!isShortage(error)) return;
    }
    await delay(ASKED_AGAIN_AFTER_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
