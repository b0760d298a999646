/** Text that can be sent on and written down, whatever a client has put into it. */

/** Half a surrogate pair has no UTF-8, and NUL no place in a database. */
const NOT_WELL_FORMED = /\0|\p{Surrogate}/gu;

/** The text with `�` in place of each such character, so that entity offsets still count. */
export function wellFormedText(text: string): string {
  return text.replace(NOT_WELL_FORMED, '\ufffd');
}

/** Deeper than anything of Telegram's goes; what goes much deeper cannot even be written as JSON. */
const MOST_LEVELS = 32;

/** The same JSON with well-formed text throughout; undefined where it is nested too deeply. */
export function withWellFormedText(json: unknown): unknown {
  return isWithin(json, MOST_LEVELS) ? mended(json) : undefined;
}

function isWithin(json: unknown, levels: number): boolean {
  if (typeof json !== 'object' || json === null) return true;
  return levels > 0 && Object.values(json).every((value) => isWithin(value, levels - 1));
}

function mended(json: unknown): unknown {
  if (typeof json === 'string') return wellFormedText(json);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(mended);
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [wellFormedText(key), mended(value)]));
}
