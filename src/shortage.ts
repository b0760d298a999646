/** Tells a machine that has run out of something for now from one that lacks it: the one heals by itself. */

/** No file descriptor left (for the process, for the machine), no process, no memory. */
const OF_A_MOMENT = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Whether the error, or what it was caused by, is such a shortage: the same may succeed a moment later. */
export function isShortage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && OF_A_MOMENT.has(error.code)) return true;
  return isShortage(error.cause);
}
