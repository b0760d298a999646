/** Loads sharp, which the bot needs for pictures but not to take updates, so that the start does not wait for it, and no person either. */
import type { Log } from '../log.ts';
import { loadSharp } from '../media/load-sharp.ts';

/** Meant for the moment in which updates begin to be taken. What cannot be loaded is logged: it is tried again when it is needed. */
export async function warmUp(log: Log): Promise<void> {
  try {
    await loadSharp();
  } catch (error) {
    log.error({ error }, 'a library cannot be loaded: install the bot again');
  }
}
