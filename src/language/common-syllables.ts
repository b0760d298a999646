/** The syllables of Tibetan that are common: common-syllables.txt says where they were counted. */
import { readFileSync } from 'node:fs';
import ewts from 'jsewts';

interface CommonSyllables {
  /** In Tibetan letters; some 1200. */
  readonly veryCommon: ReadonlySet<string>;
  /** In EWTS; some 4000, with the very common ones. */
  readonly common: ReadonlySet<string>;
}

let known: CommonSyllables | undefined;

/** Reads the list when it is first needed, since few people ask for doubtful syllables. */
export function commonSyllables(): CommonSyllables {
  known ??= read();
  return known;
}

function read(): CommonSyllables {
  const text = readFileSync(new URL('./common-syllables.txt', import.meta.url), 'utf8');
  const [, first = '', second = ''] = text.trim().split('\n\n');
  const veryCommon = first.split(/\s/u);
  const inTibetan = ewts.fromWylie(first, { check: false, check_strict: false, sloppy: false });
  return {
    veryCommon: new Set(inTibetan.normalize('NFC').match(/[\u0f40-\u0fbc]+/gu)),
    common: new Set([...veryCommon, ...second.split(/\s/u)]),
  };
}
