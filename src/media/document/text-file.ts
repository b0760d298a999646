/** The text of a file in an unknown encoding: UTF-8, UTF-16, GB18030 or Big5. */
import { isUtf8 as isValidUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * What sound text lacks: controls, unassigned and private characters (but those of old Tibetan, private-tibetan.ts), and U+FFFD. Old editors
 * end a file with Ctrl-Z.
 */
const FAULTS = /[[\p{Cc}\p{Cn}\p{Co}\p{Cs}\uFFFD]--[\s\u0085\cZ\uF300-\uF8FF]]/gv;
/** The largest share of them beside a first one: a byte may be lost, and a character be of somebody's own. */
const MAX_FAULTS = 0.02;
/** Printer control codes mean nothing to a reader. */
const CONTROLS = /[\p{Cc}--[\s\u0085]]/gv;
const BROKEN = /\uFFFD/gu;
/** What a decoder leaves where a file was cut within a character. */
const CUT = /\uFFFD{1,3}$/u;
const OUR_SCRIPTS = /[\p{Script=Han}\p{Script=Tibetan}]/gu;
/** Characters of our scripts for each byte that is no UTF-8. */
const UTF8_PER_FAULT = 3;
/** Bytes that decide about the encoding. */
const SAMPLE_BYTES = 8000;

/** Encodings without a mark, the more frequent first; Japanese and Korean are known only to be refused. */
const ENCODINGS = ['gb18030', 'big5', 'utf-16le', 'utf-16be', 'euc-kr', 'euc-jp'];
const OURS: ReadonlySet<string | undefined> = new Set(ENCODINGS.slice(0, 4));
/** With control characters: what is read in the wrong order of its bytes has many. */
const BEYOND_ASCII = /[^\s\x20-\x7E]/gu;
/**
 * The punctuation of Chinese and its most frequent characters, simplified and traditional, which are most of any text; of the other scripts
 * all. What is read in a wrong encoding has characters from all over its blocks, and hardly any of these.
 */
const FREQUENT = new RegExp(
  `(?<![A-Za-z])[\\p{Script=Tibetan}，。、！？：；“”‘’（）《》「」…—
的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动
面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向
头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔
更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像
难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运请谢您早晚吃喝买卖元钱号码字句词语写读送收照片
图打闭选择置汉藏族班级友朋帮忙快慢饭菜钟医院病药孩爸妈哥姐弟妹校习考试课喜欢想念爱心路车票店钱块半今昨晨午周节续停服私聊消息删除显示添允许输密网络链复翻译拼音佛
寺喇嘛拉萨牧区城市民族文化历史歌舞茶羊牛马雪山草原邀
這個們來為國說時會對著過發後裡種經麼學現當沒動還進樣開從實軍無與長機關點業將兩間問應戰頭體見產話門員論處義幾認條氣題爾別變總電數報結務場計資隊決馬
書則聽達強難權設類區統導領術觀師傳確讓識帶爭運請謝買賣錢號碼詞語寫讀圖選擇漢級兒東聲給邊張該規萬記並您
이다는을의에가고하지를은로한사기어나자도아리시대으있수인서해것습니되정일할과구제그라스상부전선세원보여트주]`.replaceAll(
    '\n',
    '',
  ),
  'gu',
);
/** What Japanese shares with Chinese in its own encoding. */
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Of so few characters one or two prove nothing. */
const FEW = 2;
/** The least share of what is frequent. */
const MOSTLY = 0.25;

/**
 * Gives `\n` line ends, and no byte order mark or control characters; undefined if it is no text, or in another encoding. One fault, or a
 * few in a long text, stay as they are (U+FFFD for bytes that mean nothing); where a file was cut, what is left of a character goes.
 */
export async function decodeText(bytes: Buffer): Promise<string | undefined> {
  const marked = encodingByMark(bytes);
  const isValid = isValidUtf8(bytes);
  // Decoded once, for the judgement and for the text.
  const utf8 = marked === undefined || marked === 'utf-8' ? new TextDecoder().decode(bytes) : '';
  const encoding = marked ?? (isUtf8(utf8, isValid) ? 'utf-8' : guessed(bytes.subarray(0, SAMPLE_BYTES)));
  if (encoding === undefined) return undefined;
  await nextTurn();
  const whole = encoding === 'utf-8' ? utf8 : new TextDecoder(encoding).decode(bytes);
  const text = encoding === 'utf-8' && isValid ? whole : whole.replace(CUT, '');
  await nextTurn();
  if (encoding !== 'utf-8' && countOf(FAULTS, text) > 1 + text.length * MAX_FAULTS) return undefined;
  await nextTurn();
  return text.replace(CONTROLS, '').replace(/\r\n?/gu, '\n');
}

function encodingByMark(bytes: Buffer): string | undefined {
  const opening = bytes.toString('latin1', 0, 3);
  if (opening === '\xef\xbb\xbf') return 'utf-8';
  if (opening.startsWith('\xff\xfe')) return 'utf-16le';
  return opening.startsWith('\xfe\xff') ? 'utf-16be' : undefined;
}

/**
 * Whether bytes without a mark are UTF-8, by what they give in it. If they hold a character of our scripts, they may hold anything else, which is the writer's, and a
 * few bytes that are none; in other encodings these are many.
 */
function isUtf8(text: string, isValid: boolean): boolean {
  if (isValid) return text.search(OUR_SCRIPTS) >= 0 || text.search(FAULTS) < 0;
  return countOf(BROKEN, text) * UTF8_PER_FAULT <= countOf(OUR_SCRIPTS, text);
}

/** The encoding in which bytes give the largest share of what is frequent; undefined if that is small, or it is Japanese or Korean. */
function guessed(sample: Buffer): string | undefined {
  const shares = ENCODINGS.map((encoding) =>
    frequentIn(new TextDecoder(encoding).decode(sample), OURS.has(encoding)),
  );
  const highest = Math.max(...shares);
  const encoding = ENCODINGS[shares.indexOf(highest)];
  return highest >= MOSTLY && OURS.has(encoding) ? encoding : undefined;
}

function frequentIn(text: string, isOurs: boolean): number {
  const kana = countOf(KANA, text);
  return (countOf(FREQUENT, text) + (isOurs ? -kana : kana)) / (FEW + countOf(BEYOND_ASCII, text));
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
