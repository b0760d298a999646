/** Keeps what a service says of an error from carrying into the log what was sent to it, or what it has read. */

/** What the service says may be kept up to this many UTF-16 units. */
const LONGEST_TEXT = 200;
/** A run of this many units that was also in the request is no coincidence. */
const TELLING_RUN = 6;
/** What people write, and what a picture says, is hardly ever in ASCII; a service may also repeat it escaped. */
const NOT_ASCII = /[^\n\t\x20-\x7e]+/g;
const ESCAPED = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|&#\w+;/i;
/** Numbers, UUIDs and what else programs number things with. */
const ID = /^[\w.:-]{1,64}$/;

const WITHHELD = '(withheld: repeats the request)';

/**
 * The first 200 units of `text`, without what is not ASCII; or a remark in its place when it repeats part of one of `privates` (a
 * person's text, a secret), or may.
 */
export function publicText(text: string, privates: readonly string[]): string {
  const kept = text.slice(0, LONGEST_TEXT);
  return ESCAPED.test(kept) || repeatsAny(kept, privates) ? WITHHELD : kept.replace(NOT_ASCII, '…');
}

/** A code or an id, exactly as it came; a remark in its place where it is something else. Where there is none, none. */
export function publicId<Id extends string | undefined>(id: Id, privates: readonly string[]): Id | string {
  if (id === undefined) return id;
  return ID.test(id) && !repeatsAny(id, privates) ? id : WITHHELD;
}

function repeatsAny(text: string, privates: readonly string[]): boolean {
  return privates.some((secret) => repeats(text, secret));
}

function repeats(text: string, secret: string): boolean {
  const run = Math.min(TELLING_RUN, secret.length);
  if (run === 0) return false;
  for (let start = 0; start + run <= text.length; start++) {
    if (secret.includes(text.slice(start, start + run))) return true;
  }
  return false;
}
