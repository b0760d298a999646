/** How many connections may be open to the bot at once, so that whoever opens them leaves it enough for its own work. */
import { readFileSync } from 'node:fs';

/** File descriptors for calls, encoders and the database, under full load. */
const KEPT_FOR_WORK = 256;
/** However few there are, the webhook and whoever watches come through. */
const FEWEST = 16;

/** By what the system lets the process open; undefined where it does not say. */
export function mostConnections(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Math.max(FEWEST, Number(limit) - KEPT_FOR_WORK);
  } catch {
    return undefined;
  }
}
