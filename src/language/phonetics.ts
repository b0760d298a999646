/** Writes how Tibetan sounds in Latin letters: roughly as in Lhasa. */
import { createYield } from '../patience.ts';
import { withAsciiDigits } from './numerals.ts';
import { toWylie } from './wylie.ts';

/** Ends with a visarga, or before a tsheg. */
const SYLLABLE = String.raw`[\u0f00\u0f18\u0f19\u0f35\u0f37\u0f39\u0f40-\u0f7e\u0f80-\u0fbc\u0fc6]+\u0f7f*|\u0f7f+`;
/** Bounded, so that others get the event loop in between. */
const PHRASE = String.raw`(?:(?:${SYLLABLE})[\u0f0b\u0f0c]*){1,100}`;
/** Shads with the white space around them; bounded before them, since each space begins a search of its own. */
const SHADS = String.raw`[ \u0f0b]{0,64}[\u0f0d-\u0f14][\u0f0b-\u0f14 ]*`;
/** Page heads, brackets and other silent signs; tshegs are silent, too. */
const SILENT = String.raw`[\u0f01-\u0f0c\u0f15-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3f\u0fbe-\u0fc5\u0fc7-\u0fff]+`;
const PARTS = new RegExp(
  `(?<phrase>${PHRASE})|(?<shads>${SHADS})|(?<silent>${SILENT})|(?<digits>[\\u0f20-\\u0f29]+)|[^]`,
  'gu',
);

/** The search begins only at the first: begun at each of many commas, it would take the square of their number. */
const COMMAS_AT_END = /(?<!, )(?:, )+$/u;

/** Spells for readers of English; an inner shad becomes a comma. What is unreadable or not Tibetan stays. Does not block the event loop. */
export async function toPhonetics(text: string): Promise<string> {
  const yieldToOthers = createYield();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const sounds: string[] = [];
    for (const { 0: part, groups = {} } of line.matchAll(PARTS)) {
      await yieldToOthers();
      const before = sounds.at(-1) ?? '';
      const tibetan =
        groups.phrase === undefined ? groups.digits && withAsciiDigits(part) : phraseSound(part);
      if (tibetan !== undefined) sounds.push(`${/[\p{L}\p{N}]$/u.test(before) ? ' ' : ''}${tibetan}`);
      else if (groups.shads === undefined && groups.silent === undefined) sounds.push(part);
      else if (groups.shads !== undefined && /\S$/u.test(before)) sounds.push(', ');
    }
    lines.push(sounds.join('').replace(COMMAS_AT_END, '').trimEnd());
  }
  return lines.join('\n');
}

/** Longer than any syllable, in UTF-16 units. */
const MAX_SYLLABLE_LENGTH = 16;

const PARTICLES: ReadonlySet<string> = new Set(
  'གི ཀྱི གྱི ཡི གིས ཀྱིས གྱིས ཡིས ལ ན ནས ལས དུ ཏུ སུ རུ དང ཀྱང ཡང ནི ཏེ སྟེ ཅིང'.split(' '),
);
/** Endings of nouns and adjectives: rgyal po, lta ba. */
const ENDING = /^(?:[པབ]ོ?|མོ)(?:[སར]|འ[ིོམང])?$/u;
/** What may be written onto a syllable that ends with a vowel. */
const WRITTEN_ON = /(?:[སར]|འ[ིོམང])$/u;
/** No Tibetan syllable after a Tibetan ending, or after pema, which is at home in Tibetan, belongs to the foreign word. */
const ENDS_FOREIGN_WORD = /.(?:[སར]|འ[ིོམང])$|^པདྨ$/u;
/** Words of mantras: om, hung, ah, hrih. */
const MANTRA_WORD = /^(?:om|hung|[a-zé]*h)$/u;
/** Words that would be torn apart, since their first syllable is elsewhere a particle. */
const LIKE_PARTICLES =
  'ཡི་གེ ལ་དྭགས ལ་གཞས ན་ཚ ན་གཞོན ན་ནིང ན་ཆུང ན་ཟུག ན་བ ལས་ཀ ལས་དོན ལས་ཁུངས ལས་རིགས ལས་བྱེད ལས་གཞི ལས་སླ ལས་དབང ལས་འགན ལས་གནས ལས་འགུལ ' +
  'དུ་མ དུ་བ རུ་ཁག དང་པོ དང་བ དང་ལེན ཡང་ན ཡང་བསྐྱར ཡང་དག ཡང་སྙིང ཡང་མིན སུ་ཞིག བར་ཆད བར་དུ བར་དོ པར་སྐྲུན པར་རིས';
/** Words of two syllables, and how the first sounds if not as it is spelled. */
const WORDS: ReadonlyMap<string, string | undefined> = new Map([
  ...LIKE_PARTICLES.split(' ').map((word) => [word, undefined] as const),
  ['བཀྲ་ཤིས', 'ta'],
  ['སྭཱ་ཧཱ', undefined],
  ['བོ་དྷི', 'bo'],
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
  /** `alone`: unreadable, or a word of a mantra. */
  role: 'plain' | 'first' | 'particle' | 'ending' | 'foreign' | 'alone';
  readonly inForeignWord: string | undefined;
}

interface Word {
  readonly sound: string;
  /** Whether it takes in nothing more but an ending, or the odd syllable at the end of a foreign word. */
  readonly isWhole: boolean;
  readonly isForeign: boolean;
}

/** The sound of syllables with tshegs between; what is no syllable stays as it is. */
function phraseSound(phrase: string): string {
  const written = phrase.split(/[\u0f0b\u0f0c]+|(?<=\u0f7f)(?!\u0f7f)/u).filter((part) => part !== '');
  const syllables = written.map((part, at) => read(part, written[at - 1], written[at + 1]));
  hearForeignWords(syllables);
  const words: Word[] = [];
  for (const [at, syllable] of syllables.entries()) add(syllable, syllables[at + 1], words);
  return words.map(({ sound }) => sound).join(' ');
}

function read(written: string, before = '', after = ''): Syllable {
  const heard = written.length > MAX_SYLLABLE_LENGTH ? undefined : soundOf(written);
  if (heard === undefined) return { written, sound: written, role: 'alone', inForeignWord: undefined };
  const begun = wordIn(WORDS, written, after);
  const roleFor = (): Syllable['role'] => {
    if (begun === undefined && heard.isForeign) return MANTRA_WORD.test(heard.sound) ? 'alone' : 'foreign';
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

/** Makes Tibetan syllables that may be part of a foreign word beside them sound like it: མ་ག་དྷཱ is magadha. */
function hearForeignWords(syllables: readonly Syllable[]): void {
  for (const inOrder of [syllables, syllables.toReversed()]) {
    let isInside = false;
    for (const syllable of inOrder) {
      const { role, written, inForeignWord } = syllable;
      if (isInside && role === 'plain' && inForeignWord !== undefined) {
        syllable.sound = inForeignWord;
        syllable.role = 'foreign';
      }
      const isForeign: boolean =
        syllable.role === 'foreign' || role === 'alone' || (isInside && role === 'particle');
      isInside = isForeign && inForeignWord !== undefined && !ENDS_FOREIGN_WORD.test(written);
    }
  }
}

const VOWELS = /[aeiouéöü]+/gu;

/** Adds the syllable to the last word, or begins another with it. */
function add({ sound, role }: Syllable, next: Syllable | undefined, words: Word[]): void {
  const isForeign = role === 'foreign';
  const isLong = (sound.match(VOWELS)?.length ?? 0) > 1;
  const last = words.at(-1);
  const isOddOne = isForeign && !isLong && next?.role !== 'foreign' && last?.isForeign;
  const beginsWord = role === 'alone' || role === 'first' || (isForeign && isLong && !last?.isForeign);
  if (last !== undefined && (role === 'ending' || isOddOne || (!beginsWord && !last.isWhole)))
    words.splice(-1, 1, together(last, sound, isForeign));
  else words.push({ sound, isWhole: isLong || role === 'alone' || role === 'particle', isForeign });
}

/** With a hyphen where the border would not be seen. */
function together(one: Word, sound: string, isForeign: boolean): Word {
  const isUnclear = /([aeiouéöü][aeiouéöü]|(.)\2)$/u.test(one.sound.slice(-1) + sound.charAt(0));
  return {
    sound: `${one.sound}${isUnclear ? '-' : ''}${sound}`,
    isWhole: true,
    isForeign: one.isForeign && isForeign,
  };
}

interface SyllableSound {
  readonly sound: string;
  /** Sanskrit or another foreign word, in which every letter sounds. */
  readonly isForeign: boolean;
  /** Its sound in a foreign word, where nothing is silent and g, d, b stay voiced; undefined if only Tibetan has such a syllable. */
  readonly inForeignWord: string | undefined;
}

/** A syllable by the rules of Tibetan spelling, in EWTS. `before`: the silent letters before the root letter; `root`: with those below it. */
const TIBETAN = new RegExp(
  "^(?<before>(?:g\\.(?=y)|g(?=[ctdnzs])|d(?=[kgpbm]|ng)|b(?=[kgcjtdsz]|r[kgjtdnl]|l[td])|[m'](?=[kcpt]h|tsh|[gjd])|m(?=n)|'(?=b))?" +
    '(?:r(?=[kgjtdnbml])|l(?=[kgcjtdpb]|ng)|s(?=[kgtdnpbm]))?)' +
    "(?<root>[kgpb]y|[kp]hy|my|[kgtdpbnmsh]r|[ktp]hr|shr|[kgbsz]l|kh|ng|k|g|ch?|j|ny|th|tsh?|t|dz|d|n|ph?|b|m|zh?|w|y|r|lh?|sh?|h|f|')?" +
    '(?<wasur>w?)(?<vowel>[aeiou])(?<suffix>ng|[gdnbmrls])?[sd]?' +
    "(?<particles>'|(?:'[aeiou](?:ng|[gdnbmrls])?)*)$",
  'u',
);

/** How roots sound, where EWTS writes them otherwise. */
const ROOTS = table(
  "kh:k g:k c:ch j:ch d:t ph:p b:p tsh:ts zh:sh z:s ': gy:ky py:ch phy:ch by:ch my:ny kl:l gl:l bl:l sl:l zl:d mr:m nr:n sr:s shr:sh " +
    'kr:tr khr:tr gr:tr thr:tr dr:tr pr:tr phr:tr br:tr',
);
/** The same after a silent letter. */
const ROOTS_AFTER_SILENT = table('g:g j:j d:d b:b z:z gy:gy by:j gr:dr dr:dr br:dr');
const SUFFIXES = table('g:k ng:ng n:n b:p m:m r:r l:l');
/** Vowels before `d`, `s` and the particle `'i`. */
const FRONTED = table('a:é e:é o:ö u:ü');
/** Roots under which a w is silent. */
const WITH_SILENT_W = /^(?:kh|gr?|ch?|ny|dr?|tsh?|zh?|phy|r|l|sh)$/u;

function table(pairs: string): ReadonlyMap<string, string> {
  return new Map(
    pairs.split(' ').map((pair) => {
      const [written = '', sound = ''] = pair.split(':');
      return [written, sound];
    }),
  );
}

/** Signs of emphasis. */
const SILENT_SIGNS = /[\u0f18\u0f19\u0f35\u0f37\u0fc6]/gu;
/** Tibetan syllables that could be part of a Sanskrit word. */
const LIKE_SANSKRIT = /^(?:[kgtdpb]|kh|th|ph|ts|dz|[nmyrlwh]|sh?)?[rw]?[aeiou]$/u;
/** EWTS with a vowel, without the escapes for what is no letter. */
const LETTERS = /^(?=[^aeiouAIU]*[aeiouAIU])[A-Za-z'+\-.~^?&`]*$/u;

/** Undefined for what is no syllable. Its time grows with the square of the length. */
function soundOf(syllable: string): SyllableSound | undefined {
  const wylie = toWylie(syllable.replace(SILENT_SIGNS, '')).replace(/h\+ph|ph\^/gu, 'f');
  const tibetan = TIBETAN.exec(wylie)?.groups;
  if (tibetan !== undefined) {
    const inForeignWord = LIKE_SANSKRIT.test(wylie) ? foreignSound(wylie) : undefined;
    return { sound: tibetanSound(tibetan), isForeign: false, inForeignWord };
  }
  if (!LETTERS.test(wylie)) return undefined;
  const sound = foreignSound(wylie);
  return { sound, isForeign: true, inForeignWord: sound };
}

function tibetanSound(parts: Record<string, string | undefined>): string {
  const { before = '', root = '', wasur = '', vowel = '', suffix = '', particles = '' } = parts;
  const w = WITH_SILENT_W.test(root) ? '' : wasur;
  return withParticles(rootSound(before, root, vowel) + w + rhyme(vowel, suffix), particles);
}

function rootSound(before: string, root: string, vowel: string): string {
  if (before === 'd' && root === 'by') return 'y';
  if (before === 'd' && root === 'b') return /[iu]/u.test(vowel) ? '' : 'w';
  const afterSilent = before === '' ? undefined : ROOTS_AFTER_SILENT.get(root);
  return afterSilent ?? ROOTS.get(root) ?? root;
}

function rhyme(vowel: string, suffix: string): string {
  const end = SUFFIXES.get(suffix) ?? '';
  if (vowel === 'a' && suffix === 'n') return 'en';
  if (vowel === 'e') return end === '' ? 'é' : `e${end}`;
  const isFronted = /^[dnls]$/u.test(suffix) && !(vowel === 'a' && suffix === 'l');
  return (isFronted ? (FRONTED.get(vowel) ?? vowel) : vowel) + end;
}

function withParticles(sound: string, particles: string): string {
  return (particles.match(/'[^']+/gu) ?? []).reduce(
    (before, particle) =>
      /^'is?$/u.test(particle)
        ? fronted(before)
        : `${before}'${rhyme(particle.charAt(1), particle.slice(2))}`,
    sound,
  );
}

function fronted(sound: string): string {
  return sound.replace(/[aeou]$/u, (vowel) => FRONTED.get(vowel) ?? vowel);
}

/** Every letter as EWTS writes it, but Tibetan's own endings as they sound: pad+mas, "by the lotus". */
function foreignSound(wylie: string): string {
  const [, word = '', s = '', particles = ''] =
    /^(.*?)((?<=[aeiouAIU])s|)((?:'[aeiou](?:ng|[gdnbmrls])?)*)$/u.exec(wylie) ?? [];
  const letters = word
    .replace(/^pad\+ma$/u, 'pema')
    .replace(/^maN\+Dal$/u, 'mandala')
    .replace(/^badzr/u, 'vajr')
    .replace(/^(h[rR+]*[aeiouAIU]+)~?M/u, '$1ng') // hUM: hung
    .replace(/(?<=[bdghkjlmnprstzDNTS]\+?)w/gu, 'v')
    .toLowerCase()
    .replace(/[^a-z]/gu, '')
    .replace(/e$/u, 'é');
  return withParticles(s === '' ? letters : fronted(letters), particles);
}
