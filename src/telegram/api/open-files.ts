/** How the files and connections that this process may have open at once are shared out, so that no use of them starves the others. */
import { readFileSync } from 'node:fs';

/** File descriptors for calls, encoders and the database, under full load. */
const KEPT_FOR_WORK = 256;
/** However few there are, the webhook and the probes come through. */
const FEWEST_FROM_OUTSIDE = 16;

/** File descriptors of a bot that does nothing: its own, and those of the database. */
const KEPT_FOR_ITSELF = 48;
/** Of the rest, those for connections to Telegram, which stay open for a while; what comes of a call (speech above all) takes more. */
const SHARE_OF_TELEGRAM = 1 / 4;
/** One of them is taken by the wait for updates. */
const FEWEST_TO_TELEGRAM = 4;

/** How many connections others may open to the bot; undefined where the system does not say what the process may open. */
export function mostConnectionsFromOutside(): number | undefined {
  const most = mostOpenFiles();
  return most === undefined ? undefined : Math.max(FEWEST_FROM_OUTSIDE, most - KEPT_FOR_WORK);
}

/** How many connections the bot opens to Telegram; undefined as above. */
export function mostConnectionsToTelegram(): number | undefined {
  const most = mostOpenFiles();
  if (most === undefined) return undefined;
  return Math.max(FEWEST_TO_TELEGRAM, Math.floor((most - KEPT_FOR_ITSELF) * SHARE_OF_TELEGRAM));
}

function mostOpenFiles(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
