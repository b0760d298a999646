/** The sound of one Tibetan syllable, roughly as in Lhasa, in Latin letters for readers of English. */
import { toWylie } from './wylie.ts';

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
  return new Map(pairs.split(' ').map((pair) => [pair.replace(/:.*/u, ''), pair.replace(/.*:/u, '')]));
}

/** Signs of emphasis. */
const SILENT_SIGNS = /[\u0f18\u0f19\u0f35\u0f37\u0fc6]/gu;
/** Tibetan syllables that could be part of a Sanskrit word. */
const LIKE_SANSKRIT = /^(?:[kgtdpb]|kh|th|ph|ts|dz|[nmyrlwh]|sh?)?[rw]?[aeiou]$/u;
/** EWTS with a vowel, without the escapes for what is no letter. */
const LETTERS = /^[A-Za-z'+\-.~^?&`]*[aeiouAIU][A-Za-z'+\-.~^?&`]*$/u;

/** Undefined for what is no syllable. Its time grows with the square of the length. */
export function soundOf(syllable: string): SyllableSound | undefined {
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
