/** Reads Tibetan syllables as they are usually spelled in Latin letters: in pairs, with particles and endings behind their word. */
import { soundOf } from './syllable-sound.ts';

/** Longer than any syllable, in UTF-16 units. */
const MAX_SYLLABLE_LENGTH = 16;

const PARTICLES: ReadonlySet<string> = new Set(
  'གི ཀྱི གྱི ཡི གིས ཀྱིས གྱིས ཡིས ལ ན ནས ལས དུ ཏུ སུ རུ དང ཀྱང ཡང ནི ཏེ སྟེ ཅིང'.split(' '),
);
/** Endings of nouns and adjectives: rgyal po, lta ba. */
const ENDING = /^(?:[པབ]ོ?|མོ)(?:[སར]|འ[ིོམང])?$/u;
/** What may be written onto a syllable that ends with a vowel. */
const WRITTEN_ON = /(?:[སར]|འ[ིོམང])$/u;
/** Words that would be torn apart, since their first syllable is elsewhere a particle. */
const LIKE_PARTICLES =
  'ཡི་གེ ལ་དྭགས ལ་གཞས ན་ཚ ན་གཞོན ན་ནིང ན་ཆུང ན་ཟུག ན་བ ལས་ཀ ལས་དོན ལས་ཁུངས ལས་རིགས ལས་བྱེད ལས་གཞི ལས་སླ ལས་དབང ལས་འགན ལས་གནས ལས་འགུལ ' +
  'དུ་མ དུ་བ རུ་ཁག དང་པོ དང་བ དང་ལེན ཡང་ན ཡང་བསྐྱར ཡང་དག ཡང་སྙིང ཡང་མིན སུ་ཞིག བར་ཆད བར་དུ བར་དོ པར་སྐྲུན པར་རིས';
/** Words of two syllables, and how the first sounds if not as it is spelled. */
const WORDS: ReadonlyMap<string, string | undefined> = new Map([
  ...LIKE_PARTICLES.split(' ').map((word) => [word, undefined] as const),
  ['བཀྲ་ཤིས', 'ta'],
  ['ངག་དབང', 'nga'],
  ['གུ་རུ', 'gu'],
  ['ཨོ་རྒྱན', 'or'],
  ['ཨུ་རྒྱན', 'ur'],
  ['ད་ལྟ', 'tan'],
  ['དགའ་ལྡན', 'gan'],
  ['བདེ་མཆོག', 'dem'],
  ['རྒྱུ་འབྲས', 'gyun'],
  ['རྡོ་རྗེ', 'dor'],
  ['མཁའ་འགྲོ', 'khan'],
  ['དགེ་འདུན', 'gen'],
  ['བཀའ་འགྱུར', 'kan'],
  ['མི་འགྱུར', 'min'],
  ['མཆོད་རྟེན', 'chör'],
  ['རྟ་མགྲིན', 'tam'],
]);
/** Ends of words of three syllables: rin po che, spyan ras gzigs. */
const THIRD_SYLLABLES: ReadonlySet<string> = new Set(['པོ་ཆེ', 'རས་གཟིགས']);

/** Of two syllables, the word that the table has; the second may have a particle written onto it. */
function wordIn(table: { has(word: string): boolean }, first: string, second: string): string | undefined {
  return [second, second.replace(WRITTEN_ON, '')]
    .map((rest) => `${first}\u0f0b${rest}`)
    .find((word) => table.has(word));
}

interface Syllable {
  readonly written: string;
  sound: string;
  role: 'plain' | 'first' | 'particle' | 'ending' | 'foreign' | 'unreadable';
  readonly inForeignWord: string | undefined;
}

interface Word {
  readonly sound: string;
  /** Whether it takes in nothing more but an ending. */
  readonly isWhole: boolean;
  readonly isForeign: boolean;
}

/** The sound of syllables with tshegs between; what is no syllable stays as it is. */
export function phraseSound(phrase: string): string {
  const written = phrase.split(/[\u0f0b\u0f0c]+|(?<=\u0f7f)(?!\u0f7f)/u).filter((part) => part !== '');
  const syllables = written.map((part, at) => read(part, written[at - 1], written[at + 1]));
  hearForeignWords(syllables);
  const words: Word[] = [];
  for (const syllable of syllables) add(syllable, words);
  joinRest(words);
  return words.map(({ sound }) => sound).join(' ');
}

function read(written: string, before = '', after = ''): Syllable {
  const heard = written.length > MAX_SYLLABLE_LENGTH ? undefined : soundOf(written);
  if (heard === undefined) return { written, sound: written, role: 'unreadable', inForeignWord: undefined };
  const begun = wordIn(WORDS, written, after);
  const roleFor = (): Syllable['role'] => {
    if (heard.isForeign) return 'foreign';
    if (wordIn(THIRD_SYLLABLES, before, written) !== undefined) return 'ending';
    if (begun !== undefined) return 'first';
    if (PARTICLES.has(written)) return 'particle';
    const isNewWord = PARTICLES.has(before)
      ? wordIn(WORDS, before, written) === undefined
      : /^$|འི$/u.test(before);
    return !isNewWord && ENDING.test(written) ? 'ending' : 'plain';
  };
  const role = roleFor();
  const { sound, inForeignWord } = heard;
  const spoken = role === 'ending' && written.startsWith('བ') ? sound.replace(/^p/u, 'w') : sound;
  return { written, sound: WORDS.get(begun ?? '') ?? spoken, role, inForeignWord };
}

/**
 * A word with surely foreign syllables (F; E: the last, since it has a Tibetan ending or is pema, which is at home in Tibetan), and Tibetan
 * ones that may be part of it (t; e: like an ending; p: like a particle): between those, after them, and before them where a word may begin.
 */
const FOREIGN_WORD = /(?:(?<=^|[EFpe.])t[te]*)?(?:E|F(?:[Ftep]*E|(?:[Ftep]*F)?t*))/gu;

/** Makes Tibetan syllables in foreign words sound like the rest of the word. */
function hearForeignWords(syllables: readonly Syllable[]): void {
  const shape = syllables.map(({ written, role, inForeignWord }, at) => {
    if (role === 'foreign') return WRITTEN_ON.test(written) || written === 'པདྨ' ? 'E' : 'F';
    const isFollower = at > 0 && (role === 'particle' || role === 'ending');
    if (inForeignWord === undefined) return isFollower ? '.' : 'x';
    return isFollower ? role.charAt(0) : 't';
  });
  for (const { 0: word, index } of shape.join('').matchAll(FOREIGN_WORD))
    for (const syllable of syllables.slice(index, index + word.length)) {
      syllable.sound = syllable.inForeignWord ?? syllable.sound;
      syllable.role = 'foreign';
    }
}

const VOWELS = /[aeiouéöü]+/gu;
/** Words of mantras: om, hung, ah, hrih. */
const MANTRA_WORD = /^(?:om|hung|[a-zé]*h)$/u;
/** The beginning of svaha. */
const BEGINS_MANTRA_WORD = 'sva';

/** Adds the syllable to the last word if that is half a pair, else begins another with it. */
function add({ sound, role }: Syllable, words: Word[]): void {
  const isForeign = role === 'foreign';
  const isLong = (sound.match(VOWELS)?.length ?? 0) > 1;
  const standsAlone = role === 'unreadable' || (isForeign && MANTRA_WORD.test(sound));
  const beginsWord =
    standsAlone || role === 'first' || (isForeign && (isLong || sound === BEGINS_MANTRA_WORD));
  if (beginsWord || !isForeign) joinRest(words);
  const last = words.at(-1);
  const isTaken =
    role === 'ending' ||
    (last?.isWhole === false && (!beginsWord || (isForeign && isLong && last.isForeign)));
  if (last === undefined || standsAlone || !isTaken)
    words.push({
      sound,
      isWhole: isLong || standsAlone || role === 'particle',
      isForeign: isForeign && !standsAlone,
    });
  else words.splice(-1, 1, together(last, { sound, isWhole: true, isForeign }));
}

/** Joins the odd syllable at the end of a foreign word to what it ends. */
function joinRest(words: Word[]): void {
  const [before, last] = words.slice(-2);
  if (before?.isForeign && last?.isForeign && !last.isWhole) words.splice(-2, 2, together(before, last));
}

/** With a hyphen where the border would not be seen. */
function together(one: Word, other: Word): Word {
  const isUnclear = /([aeiouéöü][aeiouéöü]|(.)\2)$/u.test(one.sound.slice(-1) + other.sound.charAt(0));
  return {
    sound: `${one.sound}${isUnclear ? '-' : ''}${other.sound}`,
    isWhole: true,
    isForeign: one.isForeign && other.isForeign,
  };
}
