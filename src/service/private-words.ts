/** Keeps a service's error text from carrying into the log what was sent to it. */

/** What the service says may be kept up to this many UTF-16 units. */
const LONGEST_TEXT = 200;
/** A run of this many units that was also in the request is no coincidence. */
const TELLING_RUN = 8;

/** The first 200 units of `text`, or a remark in its place when it repeats part of one of `privates` (a person's text, a secret). */
export function publicText(text: string, privates: readonly string[]): string {
  const kept = text.slice(0, LONGEST_TEXT);
  return privates.some((secret) => repeats(kept, secret)) ? '(withheld: repeats the request)' : kept;
}

function repeats(text: string, secret: string): boolean {
  const run = Math.min(TELLING_RUN, secret.length);
  if (run === 0) return false;
  for (let start = 0; start + run <= text.length; start++) {
    if (secret.includes(text.slice(start, start + run))) return true;
  }
  return false;
}
