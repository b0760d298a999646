/** How encoders give way to the bot, which shares the processor with them: a long speech must not slow anyone's text. */
import { writeFile } from 'node:fs/promises';
import { outlastShortage } from '../../shortage.ts';

/** Of -20 to 19, as in nice(1): a tenth of the processor beside whoever has 0. */
export const NICENESS = 10;

/** Linux takes one such request in so many ms from all who are not root, and refuses the others (EAGAIN). */
const ASKED_AGAIN_AFTER_MS = 120;
/** A voice note takes less than that long, in all but the worst of times. */
const ASKED_FOR_MS = 6000;

/**
 * Has the session that this process leads give way as the process itself does. Where Linux shares the processor among sessions
 * before it looks at what is in them (`sched_autogroup_enabled`, sched(7)), every encoder would else count as much as the whole bot,
 * however nice it is. Resolves when that is done, or cannot be; `signal` says that the process has ended.
 */
export async function giveWayAsSession(pid: number, signal: AbortSignal): Promise<void> {
  const ask = async (): Promise<void> => {
    if (!signal.aborted) await writeFile(`/proc/${pid}/autogroup`, String(NICENESS));
  };
  const patience = { firstMs: ASKED_AGAIN_AFTER_MS, withinMs: ASKED_FOR_MS, signal };
  await outlastShortage(ask, patience).catch(() => {
    // Other systems have no such file.
  });
}
