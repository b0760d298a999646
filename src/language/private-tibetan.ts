/**
 * Tibetan in private characters, one for a whole stack, as the Chinese national standards GB/T 20542-2006 (extension A, U+F300 to U+F8FF) and
 * GB/T 22238-2008 (extension B, in plane 15) have it: in sites, textbooks and documents made in China up to about 2012.
 */
import { readFileSync } from 'node:fs';
import { Failure } from '../errors.ts';

const STACK = '[\\uF300-\\uF8FF\\u{F0000}-\\u{F1FFF}]';
const HAS_STACK = new RegExp(STACK, 'u');
/** Every syllable ends with a tsheg, which is Unicode in any case: a picture of an icon font, or the mark of a maker, stands by itself. */
const RUN = new RegExp(`(?:[\\u0F00-\\u0FFF]|${STACK})+`, 'gu');
const UNICODE = /[\u0F00-\u0FFF]/u;
const STACKS = new RegExp(STACK, 'gu');

let stacks: ReadonlyMap<string, string> | undefined;

/** The text with these stacks in Unicode, as far as they are known. */
export function inUnicode(text: string): string {
  if (!HAS_STACK.test(text)) return text;
  stacks ??= load();
  return text.replace(RUN, (run) =>
    UNICODE.test(run) ? run.replace(STACKS, (stack) => stacks?.get(stack) ?? stack) : run,
  );
}

/** Before a text is paid for: throws `private-letters` if its Tibetan words have stacks that are not known. */
export function mustBeKnown(text: string): void {
  if (!HAS_STACK.test(text)) return;
  const isUnknown = text.match(RUN)?.some((run) => UNICODE.test(run) && HAS_STACK.test(run));
  if (isUnknown) throw new Failure('private-letters', 'a text has private characters for Tibetan stacks');
}

/** private-tibetan.txt says where they are from. */
function load(): ReadonlyMap<string, string> {
  const text = readFileSync(new URL('./private-tibetan.txt', import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.flatMap((line) => {
      const [first = '', ...all] = line.split(' ');
      const from = Number.parseInt(first, 16);
      return all.map((stack, index): [string, string] => [String.fromCodePoint(from + index), stack]);
    }),
  );
}
