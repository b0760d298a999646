/** Varieties that can be spoken (three Tibetan dialects and Chinese), their voices, and how people name them. */
import { anyOf, createNameParser, folded, MAX_NAME_LENGTH, words } from './names.ts';
import { CHINESE_NAMES } from './reading-language.ts';
import type { Language } from './script.ts';

export const DIALECTS = ['utsang', 'khampa', 'amdo'] as const;
export const VARIETIES = [...DIALECTS, 'chinese'] as const;

export type Dialect = (typeof DIALECTS)[number];
export type Variety = (typeof VARIETIES)[number];

/** `all`: the dialects of Tibetan. */
export function languageOf(variety: Variety | 'all'): Language {
  return variety === 'chinese' ? 'chinese' : 'tibetan';
}

/** The voices of Chinese (service-interface §4.4, `vcn`); each Tibetan dialect has one voice. */
export const VOICES = ['xiaoxiao', 'yunjian'] as const;

export type Voice = (typeof VOICES)[number];

/** The service's spellings, and the bot's in Chinese and Tibetan. */
const VOICE_NAMES: Record<Voice, readonly string[]> = {
  xiaoxiao: ['xiaoxiao', '晓晓', '曉曉', 'ཞའོ་ཞའོ'],
  yunjian: ['yunjian', '云健', '雲健', 'ཡུན་ཅན'],
};

export const parseVoice = createNameParser(VOICES, (voice) => VOICE_NAMES[voice]);

/** Decides how a text sounds, and so is part of a voice note's key. */
export type Speaker = { readonly variety: Dialect } | { readonly variety: 'chinese'; readonly voice: Voice };

export function speakersOf(language: Language): readonly Speaker[] {
  if (language === 'tibetan') return DIALECTS.map((variety) => ({ variety }));
  return VOICES.map((voice) => ({ variety: 'chinese', voice }));
}

export function speakerOf(variety: Variety, voiceOfChinese: Voice): Speaker {
  return variety === 'chinese' ? { variety, voice: voiceOfChinese } : { variety };
}

type ByDialect = Readonly<Record<Dialect, readonly string[]>>;

// The words of a name, in the order in which they stand: in Latin letters, in Chinese, in Tibetan. No name mixes these.
const ASKING = words('in into in-the yong 用 请用 以');
const TIBETANS = words('tibetan zangyu 藏语 藏话 བོད བོད་ཀྱི བོད་སྐད');
const NAMES: ByDialect = {
  utsang:
    words(`utsang uetsang wutsang utshang weizang dbus-gtsang dbus lhasa lasa central-tibetan standard-tibetan
    卫藏 卫藏地区 拉萨 拉萨地区 དབུས་གཙང དབུས ལྷ་ས`),
  khampa: words(`kham khams khampa khamba khams-pa kangba mdo-khams
    康巴 康巴地区 康巴藏区 康 康区 康地区 ཁམས ཁམས་པ མདོ་ཁམས མདོ་སྟོད`),
  amdo: words('amdo a-mdo ando anduo mdo-smad 安多 安多地区 安多藏区 ཨ་མདོ ཨམ་མདོ མདོ་སྨད'),
};
/** Places and stems that name a dialect only with a word for speech: 昌都话, གཙང་སྐད, am ke. */
const STEMS: ByDialect = {
  utsang: words(`u tsang gtsang spyi chi shigatse rikaze gyantse shannan lhoka
    日喀则 前藏 后藏 山南 江孜 林芝 阿里
    གཙང སྟོད སྤྱི གཞིས་ཀ་རྩེ གཞིས་རྩེ རྒྱལ་རྩེ ལྷོ་ཁ ཀོང་པོ མངའ་རིས`),
  khampa: words(`kang chamdo changdu derge dege lithang litang kandze ganzi yushu
    昌都 甘孜 康定 德格 理塘 巴塘 玉树 迪庆 香格里拉
    ཁམ ཆབ་མདོ སྡེ་དགེ ལི་ཐང འབའ་ཐང དཀར་མཛེས དར་རྩེ་མདོ ཡུལ་ཤུལ བདེ་ཆེན ཉག་རོང`),
  amdo: words(`am golok guoluo ngawa aba labrang rebkong gannan xiahe dzorge
    阿坝 若尔盖 果洛 甘南 夏河 拉卜楞 黄南 同仁 热贡
    ཨམ མགོ་ལོག རེབ་གོང རྔ་བ བླ་བྲང མཛོད་དགེ རྨ་ཆུ ཀན་ལྷོ བ་ཡན མཚོ་སྔོན`),
};
/** Between a name and a word for speech, up to two: མདོ + བ + འི + སྐད, 康 + 区 + 的 + 方言. */
const LINKS = words("pa ba wa pe be we 'i e gi kyi gyi de 人 区 地区 藏区 的 པ བ འི གི ཀྱི གྱི ཡི");
const SPEECH = words(`tibetan dialect language speech accent skad yul-skad bod-skad
  ke kay kä kad kat hua yu fangyan zangyu kouyin 话 语 方言 土话 藏语 藏话 口音 音 腔
  སྐད སྐད་ཆ ཡུལ་སྐད བོད་སྐད ཁ་སྐད ཞལ་སྐད གསུང་སྐད སྐད་ལུགས སྐད་གདངས`);
/** After a word for speech: སྐད + ཐོག་ནས. Not the genitive: what it belongs to follows. */
const HOW = words('ལ ར རུ སུ ཏུ དུ ནས ཀྱིས ནང ཀྱི་ནང ཐོག ཐོག་ནས ཀྱི་ཐོག ཀྱི་ཐོག་ནས འི་ཐོག འི་ཐོག་ནས');
const ORDERS = words(`please la du tu thog-nas 来 说 讲 读 念 朗读 播放
  ཀློག ཀློགས ཀློག་འདོན འདོན བཤད ཤོད གསུང གསུངས སྒྲོག སྒྲོགས བྱེད བྱོས གནང རོགས ཤིག ཞུ ལགས`);
/** After a name without a word for speech, as in a sentence: ཁམས + ལ. */
const CASE_PARTICLES = words('འི གི ཀྱི གྱི ཡི ས གིས ཀྱིས གྱིས ཡིས ལ ར ན རུ སུ ཏུ དུ ནས ལས ཐོག ཐོག་ནས ནང');
/** The three dialects one after another. */
const ALL_NAMES =
  words(`all all-three all-dialects all-three-dialects the-three-dialects tshang-ma thams-cad quanbu suoyou
  全部 所有 全部方言 所有方言 三种方言 三个方言 三大方言 三方言
  ཚང་མ ཐམས་ཅད གསུམ་ག གསུམ་ཀ སྐད་ལུགས་གསུམ ཡུལ་སྐད་ཚང་མ ཡུལ་སྐད་གསུམ ཡུལ་སྐད་གསུམ་ག ཡུལ་སྐད་གསུམ་ཀ`);

/** Repeated words are bounded, since each word that can be split in two ways doubles the search. */
const PARTICLES = `${anyOf(CASE_PARTICLES)}{1,4}`;
const ENDING = `${anyOf(HOW)}{0,4}${anyOf(ORDERS)}{0,4}`;

interface Named {
  readonly variety: Variety | 'all';
  /** How it is named: by its language, by a place alone, or by a place with a case particle. */
  readonly form: 'language' | 'place' | 'inflected';
}

const whole = (source: string): RegExp => new RegExp(`^${source}$`, 'u');

function patternsOf(variety: Dialect): (Named & { pattern: RegExp })[] {
  const before = `${anyOf(ASKING)}?${anyOf(TIBETANS)}?`;
  const name = anyOf(NAMES[variety]);
  const stem = anyOf([...NAMES[variety], ...STEMS[variety]]);
  const language = `${stem}${anyOf(LINKS)}{0,2}${anyOf(SPEECH)}{1,2}${ENDING}`;
  return [
    { variety, form: 'place', pattern: whole(before + name) },
    { variety, form: 'language', pattern: whole(before + language) },
    { variety, form: 'inflected', pattern: whole(name + PARTICLES) },
  ];
}

const PATTERNS: readonly (Named & { pattern: RegExp })[] = [
  ...DIALECTS.flatMap(patternsOf),
  {
    variety: 'chinese',
    form: 'language',
    pattern: whole(`${anyOf(ASKING)}?${anyOf(CHINESE_NAMES)}${ENDING}`),
  },
  // Before a shad it is text, as a place is.
  { variety: 'all', form: 'place', pattern: whole(anyOf(ALL_NAMES)) },
];

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Han}/u, /\p{Script=Tibetan}/u];

function named(name: string): Named | undefined {
  if (SCRIPTS.filter((script) => script.test(name)).length > 1) return undefined;
  return PATTERNS.find(({ pattern }) => pattern.test(name));
}

/** Takes Latin, Chinese or Tibetan script, with or without diacritics: `in Amdo Tibetan`, 用昌都话, `ཨ་མདོའི་ཡུལ་སྐད་ལ་`. */
export function parseVariety(said: string): Variety | undefined {
  const variety = named(folded(said))?.variety;
  return variety === 'all' ? undefined : variety;
}

export function parseDialect(word: string): Dialect | undefined {
  const variety = parseVariety(word);
  return variety === 'chinese' ? undefined : variety;
}

/** Words that ask for slow speech, anywhere beside a variety or alone. The longest first, since the first that fits counts. */
const SLOW_WORDS = words(`slowly slower slow ga-ler dal-por dal-bur
  慢慢朗读 慢速朗读 慢慢读 慢慢念 慢慢地 慢慢的 放慢速度 慢一点 慢一些 慢慢 慢点 慢些 慢速 放慢 慢读 慢
  ག་ལེ་ག་ལེར ག་ལེ་ག་ལེ ག་ལེར ག་ལེ དལ་པོར དལ་པོ དལ་བུར དལ་བུ དལ་མོར དལ་མོ`);
const SLOW = new RegExp(anyOf(SLOW_WORDS), 'u');
/** Before these words, "slow" belongs to the text and is no wish. */
const PAUSE = /^\s*[,，、.。\u0f0d-\u0f14]|[,，、.。\u0f0d-\u0f14]\s*$/u;

/** Separates a name from the text: white space, a comma, a colon. An enumeration comma does not: 拉萨、昌都. */
const SEPARATOR = /[\s,:，：]/u;
const OPENED = /^[([（【〔༼]/u;
const CLOSED = /[)\]）】〕༽]$/u;
const IS_LATIN = /^\P{L}*\p{Script=Latin}/u;
const ENDS_A_SENTENCE = /[.。\u0f0d-\u0f14]\s*$/u;
/** Particles need a word before them; alone they are words of the text (`ས` is "earth"). */
const PARTICLES_ALONE = whole(PARTICLES);
/** Lhasa is a town before it is a dialect: with a comma or brackets it begins a sentence. */
const TOWN_SET_OFF = /^\P{L}*(?:拉[萨薩]|ལྷ[་༌]ས).*[^\p{L}\p{M}\s་༌:：]/u;
/** Chinese as it is written, with a particle or a shad: རྒྱ་ཡིག་ཏུ་ … */
const WRITING_IN_SENTENCE = /(?:ཡིག|ཡི[་༌]གེ)[་༌]?[\p{L}\u0f0d-\u0f14]/u;
/** A predicate, for which the name of Chinese before it is the subject: 中文 很难学. A Chinese text is spoken in Chinese anyway. */
const PREDICATE = /^[ \t\u3000,，]+(?:很|非常|十分|的|是(?![的吗嗎啊吧]))/u;

/** Whether each is a word: signs that stand alone are text, though signs inside a name are ignored. */
function areWords(parts: readonly string[]): boolean {
  return parts.every((word) => /\p{L}/u.test(word) && !PARTICLES_ALONE.test(folded(word)));
}

interface Wanted {
  readonly variety: Variety | 'all' | undefined;
  readonly form: Named['form'] | 'slow';
  readonly isSlow: boolean;
}

function wanted(said: string): Wanted | undefined {
  const name = folded(said);
  const isSlow = SLOW.test(name);
  const unhurried = folded(name.replace(SLOW, '').replace(/^[,:]/u, ''));
  if (isSlow && unhurried === '') return { variety: undefined, form: 'slow', isSlow };
  const found = named(unhurried);
  return found && { ...found, isSlow };
}

/** Returns whether words that name a variety nevertheless begin a sentence, or are one. `rest`: the words after them. */
function areText({ variety, form }: Wanted, name: string, rest: string): boolean {
  if (form === 'slow') return rest !== '' && (PAUSE.test(name) || PAUSE.test(rest)) && !IS_LATIN.test(name);
  // A particle may be parted from its word, and a word of the sentence may look like one: ལྷ་ས་ན་ ང་.
  if (form === 'inflected') return rest !== '' || /\s/u.test(name);
  if (rest === '') return false;
  if (variety === 'chinese' && (PREDICATE.test(rest) || WRITING_IN_SENTENCE.test(name))) return true;
  if (form === 'language' || IS_LATIN.test(name)) return false;
  return ENDS_A_SENTENCE.test(name) || TOWN_SET_OFF.test(name + rest.charAt(0));
}

interface SpeakWords {
  readonly variety: Variety | 'all' | undefined;
  readonly isSlow: boolean;
  readonly text: string;
}

/**
 * Parses the arguments of /speak: the variety or `all` named first, slow speech, and the text after them. The longest name on the first line counts
 * (`amdo tibetan`, not `amdo`), up to white space, a comma, a colon, or the end of its brackets. So `ཁམས་པ་ཚོ…` and `康定…` are text; and so is a
 * place before a shad (`ལྷ་ས། …` begins a report) or with a case particle (`ཁམས་ལ་ …`).
 */
export function takeVariety(args: string): SpeakWords {
  const text = args.trim();
  const firstLine = /^.*/u.exec(text)?.[0] ?? '';
  for (let end = Math.min(firstLine.length, MAX_NAME_LENGTH); end > 0; end -= 1) {
    const name = text.slice(0, end);
    const rest = text.slice(end);
    const isInBrackets = CLOSED.test(name);
    if (isInBrackets !== OPENED.test(name)) continue;
    if (rest !== '' && !isInBrackets && !SEPARATOR.test(rest.charAt(0))) continue;
    if (!areWords(name.split(/\s+/u))) continue;
    const found = wanted(name);
    if (found === undefined) continue;
    if (areText(found, name, rest)) break;
    const { variety, isSlow } = found;
    return { variety, isSlow, text: rest.replace(/^[,:，：]/u, '').trimStart() };
  }
  return { variety: undefined, isSlow: false, text };
}
