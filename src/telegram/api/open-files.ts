/** Shares the file descriptors of this process out, so that no use of them starves the others. */
import { readFileSync } from 'node:fs';

/** File descriptors for calls, encoders and the database, under full load. */
const KEPT_FOR_WORK = 256;
/** At least this many, so that the webhook and the probes get through. */
const FEWEST_FROM_OUTSIDE = 16;

/** File descriptors of an idle bot, those of the database included. */
const KEPT_FOR_ITSELF = 48;
/** The share of the rest for connections to Telegram; the work on requests (above all speech) needs more. */
const SHARE_OF_TELEGRAM = 1 / 4;
/** The long poll takes one of them. */
const FEWEST_TO_TELEGRAM = 4;

/** How many connections others may open to the bot; undefined if the system does not tell the process's limit. */
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
