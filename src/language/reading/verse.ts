/** Finds verse on a page: lines of about one length that each end in a shad, or in Chinese in a mark. A narrow page may break each into several. */
import { ENDS_WITHOUT_SHAD, endsMarked, type Line } from './line.ts';

/** At least this number of lines of verse stand together, unless the page has nothing else. */
const MIN_OF_VERSE = 4;

/** Lines of the page up to one that ends in a mark. If this is verse, they are one line of it. */
interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly last: Line;
  readonly syllables: number;
  readonly phrases: number;
}

const BETWEEN_PHRASES = /[\u0f0d-\u0f12\u0f14，、。！？；：]+/u;

/** The same lines, with `verse` set for those that belong to verse. */
export function inVerse(lines: readonly Line[]): Line[] {
  const metre = mostCommon(candidatesOf(lines, undefined).map(({ syllables }) => syllables));
  const candidates = candidatesOf(lines, metre);
  const result = [...lines];
  for (let at = 0; at < candidates.length; ) {
    let next = at + 1;
    while (areAlike(candidates[next - 1], candidates[next])) next += 1;
    const run = candidates.slice(at, next);
    if (run.length >= MIN_OF_VERSE || (run.length > 1 && run.length === lines.length)) {
      for (const { start, end } of run) {
        for (let index = start; index < end; index += 1) {
          const line = lines[index];
          if (line === undefined) continue;
          result[index] = { ...line, verse: { piece: at, isEnd: index === end - 1 } };
        }
      }
    }
    at = next;
  }
  return result;
}

/** `metre`: the usual number of syllables. Where the shad is left out, only the length tells that a line of verse ends. */
function candidatesOf(lines: readonly Line[], metre: number | undefined): Candidate[] {
  const candidates: Candidate[] = [];
  let [start, syllables, text] = [0, 0, ''];
  for (const [index, line] of lines.entries()) {
    syllables += line.syllables;
    text += line.text;
    if (!endsMarked(line) && !(syllables === metre && ENDS_WITHOUT_SHAD.test(line.text))) continue;
    const phrases = text.split(BETWEEN_PHRASES).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
    candidates.push({ start, end: index + 1, last: line, syllables, phrases });
    [start, syllables, text] = [index + 1, 0, ''];
  }
  return candidates;
}

function mostCommon(counts: readonly number[]): number | undefined {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function areAlike(one: Candidate | undefined, other: Candidate | undefined): boolean {
  if (one === undefined || other === undefined || one.last.isTibetan !== other.last.isTibetan) return false;
  const tolerance = one.last.isTibetan ? 1 : 0;
  return one.phrases === other.phrases && Math.abs(one.syllables - other.syllables) <= tolerance;
}
