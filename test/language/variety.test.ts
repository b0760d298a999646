/** What people call the dialects and Chinese, and where the text begins after /speak. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DIALECTS,
  languageOf,
  parseVariety,
  takeVariety,
  VARIETIES,
  type Variety,
} from '../../src/language/variety.ts';
import { anyText } from './texts.ts';

const NAMES: Record<Variety, string[]> = {
  utsang: [
    ...'weizang | Wèizàng fāngyán | lhasa ke | ü-kä | in the Lhasa accent | 日喀则话 | 用拉萨话'.split(' | '),
    ...'后藏口音 | Lhasa. | (lhasa) | དབུས་པའི་སྐད | ལྷ་ས་བའི་སྐད | སྤྱི་སྐད | གཞིས་ཀ་རྩེའི་སྐད'.split(' | '),
    ...'ལྷ་སའི་གསུང་སྐད | utsang | ü-tsang | u-tsang | lhasa | 卫藏 | དབུས་གཙང | Utsang | Ü-Tsang'.split(' | '),
    ...'U\u0308-TSANG | ütsang | ü tsang | U Tsang | u_tsang | Ü·Tsang | u:tsang | uetsang | ü‑tsang'.split(
      ' | ',
    ),
    ...'ＵＴＳＡＮＧ | LHASA | 衛藏 | 卫藏话 | 卫藏方言 | 卫藏藏语 | 拉萨 | 拉萨话 | དབུས་གཙང་'.split(' | '),
    ...'དབུས་གཙང། | དབུས༌གཙང | དབུས་གཙང་སྐད | དབུས་གཙང་གི་སྐད | དབུས་སྐད | ལྷ་ས | ལྷ་སའི་སྐད | དབུས'.split(' | '),
    ...'གཙང་སྐད | དབུས་གཙང་གི་ཡུལ་སྐད་ལ། | dbus gtsang | dbus skad | Ü-Tsang Tibetan | 拉萨藏语'.split(' | '),
    ...'藏语卫藏方言'.split(' | '),
  ],
  khampa: [
    ...'kangba | kangba fangyan | khamke | Khampe ke | khamba | derge dialect | 昌都话'.split(' | '),
    ...'请用昌都话朗读 | མདོ་ཁམས | ཁམ་སྐད | ཆབ་མདོའི་སྐད | བོད་ཀྱི་ཁམས་སྐད | khampa | kham | khams'.split(' | '),
    ...'康巴 | 康 | ཁམས | Khampa | KHAMS | 康巴话 | 康巴方言 | 康方言 | ཁམས་ | ཁམས། | ཁམས་སྐད'.split(' | '),
    ...'ཁམས་ཀྱི་སྐད | ཁམས་པའི་སྐད་ | 康区 | 康區 | 康区话 | 藏语康方言 | ཁམས་སྐད་ཐོག་ནས | ཁམས་སྐད་དུ'.split(' | '),
    ...'khams skad | Khams pa'.split(' | '),
  ],
  amdo: [
    ..."anduo | Ānduō huà | amke | amkä | ando | golok dialect | amdo wa'i skad | a mdo’i skad".split(' | '),
    ...'in amdo | amdo. | (amdo) | [Amdo] | （安多） | in Amdo dialect please | 用安多话 | 安多口音'.split(
      ' | ',
    ),
    ...'安多的方言 | མདོ་སྨད | ཨམ་མདོ | ཨ་མདོ་བའི་སྐད | ཨ་མདོའི་སྐད་ཐོག་ནས།'.split(' | '),
    ...'ཨ་མདོའི་སྐད་ཀྱི་ཐོག་ནས་ཀློག་གནང་རོགས། | amdo | 安多 | ཨ་མདོ | Amdo | AMDO | Ámdo | amdo:'.split(' | '),
    ...'am\u200bdo | 安多话 | 安多方言 | 安多藏语 | 安多語 | ཨ་མདོ་ | ཨ༌མདོ༌ | ཨ་མདོའི་སྐད'.split(' | '),
    ...'ཨ་མདོའི་སྐད་ཆ། | Amdo Tibetan | amdo dialect | Tibetan Amdo | ཨ་མདོའི་སྐད་ལ་'.split(' | '),
    ..."ཨ་མདོའི་ཡུལ་སྐད | ཨ་མདོའི་ཡུལ་སྐད་ལ། | ཨ་མདོར | ཨམ་སྐད | a mdo'i skad | 安多， | 安多藏区".split(' | '),
    ...'藏语安多方言 | 藏語安多方言 | 安多 方言'.split(' | '),
  ],
  chinese: [
    ...'putonghua | Pǔtōnghuà | hanyu | zhongwen | in Chinese | 汉语普通话 | 用普通话 | རྒྱ་མིའི་སྐད'.split(' | '),
    ...'chinese | zh | mandarin | 中文 | 普通话 | རྒྱ་སྐད | Chinese | ZH | 普通話 | 汉语 | 漢語 | 漢'.split(
      ' | ',
    ),
    ...'中國話 | 國語 | རྒྱ་སྐད། | རྒྱ་ཡིག | ཧན་སྐད | ཧན་ཡིག | རྒྱའི་སྐད | རྒྱ་སྐད་ལ་'.split(' | '),
    ...'རྒྱ་ནག་གི་སྐད | rgya skad | Mandarin Chinese'.split(' | '),
  ],
};

describe.each(VARIETIES)('%s', (variety) => {
  test.each(NAMES[variety])('is called %s', (name) => {
    expect(parseVariety(name)).toBe(variety);
  });
});

test.each([
  ...['', ' '],
  ...'་ | - | tibetan | hello | amdowa | 康定 | 安多县 | 话 | སྐད | བོད་སྐད | ཁམས་པ་ཚོ | ཁམས་བཟང'.split(' | '),
  ...'དབུས་ཅན | གཙང | གཙང་མ | 康复 | 安多芬 | amdo 方言 | amdo སྐད | 汉语方言 | chinese tibetan'.split(' | '),
  ...'བོད་ཀྱི་སྐད | 中文？ | amdo2 | golok | 昌都 | གཞིས་ཀ་རྩེ | ཁམ | སྤྱི | am | བོད་སྐད | 用'.split(' | '),
  ...'安多音乐 | 山南'.split(' | '),
])('"%s" names no variety', (word) => {
  expect(parseVariety(word)).toBeUndefined();
});

describe('the arguments of /speak', () => {
  test.each<[string, Variety | 'all' | undefined, string, string?]>([
    ['  Amdo   བཀྲ་ཤིས།  ', 'amdo', 'བཀྲ་ཤིས།'],
    ['Amdo, བཀྲ་ཤིས།', 'amdo', 'བཀྲ་ཤིས།'],
    ['Tibetan Ü Tsang dialect: བཀྲ་ཤིས།', 'utsang', 'བཀྲ་ཤིས།'],
    ['安多，你好', 'amdo', '你好'],
    ['安多、 你好', 'amdo', '你好'],
    ['amdo ，你好', 'amdo', '，你好'],
    ['amdo སྐད', 'amdo', 'སྐད'],
    ['中文 藏语很难', 'chinese', '藏语很难'],
    ['中文 藏语', 'chinese', '藏语'],
    ['安多话　你好', 'amdo', '你好'],
    ['安多：你好', 'amdo', '你好'],
    ['U Tsang:བཀྲ་ཤིས།', 'utsang', 'བཀྲ་ཤིས།'],
    ['amdo khampa', 'amdo', 'khampa'],
    ['all བོད།', 'all', 'བོད།'],
    ['全部 བོད།', 'all', 'བོད།'],
    ['ཚང་མ བོད།', 'all', 'བོད།'],
    ['ཡུལ་སྐད་གསུམ་ག བོད།', 'all', 'བོད།'],
    ['（安多）你好', 'amdo', '你好'],
    ['用安多话说：“你好”', 'amdo', '“你好”'],
    ['请用昌都话朗读，你好', 'khampa', '你好'],
    ['ཨ་མདོའི་སྐད་ཐོག་ནས། བཀྲ་ཤིས།', 'amdo', 'བཀྲ་ཤིས།'],
    ['ཁམས་སྐད་དུ་ཀློག་རོགས།\nབཀྲ་ཤིས།', 'khampa', 'བཀྲ་ཤིས།'],
    ['拉萨：你好', 'utsang', '你好'],
    ['slow', undefined, '', ' slowly'],
    ['slow amdo བཀྲ་ཤིས།', 'amdo', 'བཀྲ་ཤིས།', ' slowly'],
    ['Amdo, slowly: བཀྲ་ཤིས།', 'amdo', 'བཀྲ་ཤིས།', ' slowly'],
    ['all slow བོད།', 'all', 'བོད།', ' slowly'],
    ['慢 你好', undefined, '你好', ' slowly'],
    ['慢速安多 你好', 'amdo', '你好', ' slowly'],
    ['用安多话慢一点说：“你好”', 'amdo', '“你好”', ' slowly'],
    ['ག་ལེར་ ཨ་མདོ བཀྲ་ཤིས།', 'amdo', 'བཀྲ་ཤིས།', ' slowly'],
    ['ཨ་མདོའི་སྐད་ཐོག་ནས་ག་ལེར་ཀློག་རོགས། བཀྲ་ཤིས།', 'amdo', 'བཀྲ་ཤིས།', ' slowly'],
  ])('%j asks for %s, %j%s', (args, variety, text, pace) => {
    expect(takeVariety(args)).toEqual({ variety, text, isSlow: pace !== undefined });
  });

  test.each([
    ...[
      '慢慢来',
      '慢，太慢了',
      'ག་ལེར་ཕེབས།',
      'ག་ལེར། བཀྲ་ཤིས།',
      '康定是一座城市',
      'ཁམས་པ་ཚོ་ལ་བཀྲ་ཤིས།',
      'ཨ་མདོའི་ལུང་པ།',
    ],
    ...[
      '中文很难',
      '“中文” 是什么？',
      'u\ntsang',
      'hello amdo',
      '他说：安多',
      'ལྷ་ས།བཀྲ་ཤིས།',
      '拉萨。你好',
      'ཁམས་བཟང་།',
    ],
    ...[
      'གཙང་མ་བྱེད་རོགས།',
      '康复中心',
      '安多芬',
      '安多བཀྲ་ཤིས།',
      'ཁམས་སྐད་ལ་བཀྲ་ཤིས།',
      '安多的节日：赛马',
      'བཀྲ་ཤིས། amdo',
    ],
    ...[
      'དབུས གཙང་གི་ གྲོང་ཁྱེར།',
      '（拉萨）今天是雪顿节。',
      '（安多 你好）',
      '拉萨、日喀则和山南',
      '安多、康巴和卫藏',
      '中文 很难学',
      '普通话，是全国通用的',
    ],
    ...['昌都 你好', 'ཁམས་སྐད་དང་། ཨ་མདོའི་སྐད།', 'ཨ་མདོའི་སྐད་ཀྱི་ ཁྱད་ཆོས།', 'རྒྱ་ཡིག་ཏུ་ བྲིས་ཡོད།'],
    ...['རྒྱ་ཡིག། བོད་ཡིག', 'ཆབ་མདོ་ ཁམས་ཀྱི་ས་ཆ་རེད།', ''],
  ])('%j is text from its first word', (args) => {
    expect(takeVariety(args)).toEqual({ variety: undefined, text: args, isSlow: false });
  });

  test('a text that begins with no name is spoken as it is', () => {
    const named = fc.constantFrom(
      // A shad makes a place the beginning of the text, where something follows, and so does a case particle.
      ...VARIETIES.flatMap((variety) => NAMES[variety].map((name) => ({ variety, name }))).filter(
        ({ name }) => !(name.endsWith('།') && !name.includes('སྐད')) && name !== 'ཨ་མདོར',
      ),
    );
    const beginning = fc.constantFrom(
      ...['', 'བཀྲ', 'ཁམས་བཟང་', 'སྐད་ཆ་བཤད', 'ལ་ལས', 'ས་', '你好', '话剧', '方言学', '方言很多', 'Tibetans'],
      ...['speeches', '。', '-'],
    );
    fc.assert(
      fc.property(named, beginning, anyText, ({ variety, name }, first, rest) => {
        const text = `${first}\n${rest}`.trim();
        expect(takeVariety(`${name} ${text}`)).toEqual({ variety, text, isSlow: false });
      }),
    );
  });

  test('a sentence about a place is text, not a dialect’s name', () => {
    const [regions, towns] = [
      fc.constantFrom('ཁམས', 'ཨ་མདོ', 'དབུས་གཙང', 'མདོ་ཁམས', 'ཁམས་པ'),
      fc.constantFrom('ལྷ་ས', '拉萨', '拉薩'),
    ];
    const particles = fc.constantFrom('་ལ', '་ནས', '་གི', '་ཀྱི', '་ལས', '་ན', '་ནང', '་ཡིས', '་དུ', 'འི', 'ར');
    const inflected = fc
      .tuple(fc.oneof(regions, fc.constant('ལྷ་ས')), particles, fc.constantFrom('་ ', ' ', '། ', '\n'))
      .map((parts) => parts.join(''));
    const ended = fc.tuple(regions, fc.constantFrom('། ', '༎ ', '།\n', '། །')).map((parts) => parts.join(''));
    const setOff = fc
      .tuple(towns, fc.constantFrom('，', ', ', '、', '， ', '。', '（', '——'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(inflected, ended, setOff), anyText, (beginning, rest) => {
        const text = `${beginning}ང་${rest}`.trim();
        expect(takeVariety(text)).toEqual({ variety: undefined, text, isSlow: false });
      }),
    );
  });

  test('nothing of a text is lost, with or without a variety before it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const taken = takeVariety(text);
        if (taken.variety === undefined) expect(taken.text).toBe(text.trim());
        // Not the text alone: `ke` goes on with the name.
        expect(takeVariety(`amdo ང་${text}`)).toEqual({
          variety: 'amdo',
          text: `ང་${text}`.trim(),
          isSlow: false,
        });
      }),
    );
  });
});

test('the dialects are Tibetan, the rest is Chinese', () => {
  expect(DIALECTS.map(languageOf)).toEqual(['tibetan', 'tibetan', 'tibetan']);
  expect(languageOf('chinese')).toBe('chinese');
});
