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
    ...['utsang', 'ü-tsang', 'u-tsang', 'lhasa', '卫藏', 'དབུས་གཙང'],
    ...[
      'Utsang',
      'Ü-Tsang',
      'U\u0308-TSANG',
      'ütsang',
      'ü tsang',
      'U Tsang',
      'u_tsang',
      'Ü·Tsang',
      'u:tsang',
      'uetsang',
      'ü‑tsang',
      'ＵＴＳＡＮＧ',
      'LHASA',
    ],
    ...['衛藏', '卫藏话', '卫藏方言', '卫藏藏语', '拉萨', '拉萨话'],
    ...['དབུས་གཙང་', 'དབུས་གཙང།', 'དབུས༌གཙང', 'དབུས་གཙང་སྐད', 'དབུས་གཙང་གི་སྐད', 'དབུས་སྐད', 'ལྷ་ས', 'ལྷ་སའི་སྐད'],
    ...[
      'དབུས',
      'གཙང་སྐད',
      'དབུས་གཙང་གི་ཡུལ་སྐད་ལ།',
      'dbus gtsang',
      'dbus skad',
      'Ü-Tsang Tibetan',
      '拉萨藏语',
      '藏语卫藏方言',
    ],
  ],
  khampa: [
    ...['khampa', 'kham', 'khams', '康巴', '康', 'ཁམས'],
    ...[
      'Khampa',
      'KHAMS',
      '康巴话',
      '康巴方言',
      '康方言',
      'ཁམས་',
      'ཁམས།',
      'ཁམས་སྐད',
      'ཁམས་ཀྱི་སྐད',
      'ཁམས་པའི་སྐད་',
    ],
    ...['康区', '康區', '康区话', '藏语康方言', 'ཁམས་སྐད་ཐོག་ནས', 'ཁམས་སྐད་དུ', 'khams skad', 'Khams pa'],
  ],
  amdo: [
    ...['amdo', '安多', 'ཨ་མདོ'],
    ...[
      'Amdo',
      'AMDO',
      'Ámdo',
      'amdo:',
      'am\u200bdo',
      '安多话',
      '安多方言',
      '安多藏语',
      '安多語',
      'ཨ་མདོ་',
      'ཨ༌མདོ༌',
      'ཨ་མདོའི་སྐད',
      'ཨ་མདོའི་སྐད་ཆ།',
    ],
    ...['Amdo Tibetan', 'amdo dialect', 'Tibetan Amdo'],
    ...['ཨ་མདོའི་སྐད་ལ་', 'ཨ་མདོའི་ཡུལ་སྐད', 'ཨ་མདོའི་ཡུལ་སྐད་ལ།', 'ཨ་མདོར', 'ཨམ་སྐད', "a mdo'i skad"],
    ...['安多，', '安多藏区', '藏语安多方言', '藏語安多方言', '安多 方言'],
  ],
  chinese: [
    ...['chinese', 'zh', 'mandarin', '中文', '普通话', 'རྒྱ་སྐད'],
    ...['Chinese', 'ZH', '普通話', '汉语', '漢語', '漢', '中國話', '國語', 'རྒྱ་སྐད།', 'རྒྱ་ཡིག'],
    ...['ཧན་སྐད', 'ཧན་ཡིག', 'རྒྱའི་སྐད', 'རྒྱ་སྐད་ལ་', 'རྒྱ་ནག་གི་སྐད', 'rgya skad', 'Mandarin Chinese'],
  ],
};

describe.each(VARIETIES)('%s', (variety) => {
  test.each(NAMES[variety])('is called %s', (name) => {
    expect(parseVariety(name)).toBe(variety);
  });
});

test.each([
  '',
  ' ',
  '་',
  '-',
  'tibetan',
  'hello',
  'amdowa',
  '康定',
  '安多县',
  '话',
  'སྐད',
  'བོད་སྐད',
  'ཁམས་པ་ཚོ',
  'ཁམས་བཟང',
  'དབུས་ཅན',
  'གཙང',
  'གཙང་མ',
  '康复',
  '安多芬',
  'amdo 方言',
  'amdo སྐད',
  '汉语方言',
  'chinese tibetan',
  'བོད་ཀྱི་སྐད',
  '中文？',
  'amdo2',
])('"%s" names no variety', (word) => {
  expect(parseVariety(word)).toBeUndefined();
});

describe('the arguments of /speak', () => {
  test.each([
    ['amdo བཀྲ་ཤིས།', 'amdo', 'བཀྲ་ཤིས།'],
    ['  Amdo   བཀྲ་ཤིས།  ', 'amdo', 'བཀྲ་ཤིས།'],
    ['khampa\nབཀྲ་ཤིས།\nབདེ་ལེགས།', 'khampa', 'བཀྲ་ཤིས།\nབདེ་ལེགས།'],
    ['amdo', 'amdo', ''],
    ['ü tsang བཀྲ་ཤིས།', 'utsang', 'བཀྲ་ཤིས།'],
    ['U Tsang', 'utsang', ''],
    ['ཁམས་ བཀྲ་ཤིས།', 'khampa', 'བཀྲ་ཤིས།'],
    ['ཁམས།', 'khampa', ''],
    ['Amdo Tibetan བཀྲ་ཤིས', 'amdo', 'བཀྲ་ཤིས'],
    ['Amdo, བཀྲ་ཤིས།', 'amdo', 'བཀྲ་ཤིས།'],
    ['Tibetan Ü Tsang dialect: བཀྲ་ཤིས།', 'utsang', 'བཀྲ་ཤིས།'],
    ['dbus gtsang བཀྲ་ཤིས།', 'utsang', 'བཀྲ་ཤིས།'],
    ['khams skad\nབཀྲ་ཤིས།', 'khampa', 'བཀྲ་ཤིས།'],
    ['ཨ་མདོའི་སྐད་ལ་ བཀྲ་ཤིས།', 'amdo', 'བཀྲ་ཤིས།'],
    ['ཁམས་སྐད་ཐོག་ནས བཀྲ་ཤིས།', 'khampa', 'བཀྲ་ཤིས།'],
    ['དབུས་ བཀྲ་ཤིས།', 'utsang', 'བཀྲ་ཤིས།'],
    ['藏语康方言 你好', 'khampa', '你好'],
    ['安多，', 'amdo', ''],
    ['安多，你好', 'amdo', '你好'],
    ['安多、 你好', 'amdo', '你好'],
    ['amdo ，你好', 'amdo', '，你好'],
    ['amdo 方言很多', 'amdo', '方言很多'],
    ['amdo སྐད', 'amdo', 'སྐད'],
    ['安多 方言很多', 'amdo', '方言很多'],
    ['中文 藏语很难', 'chinese', '藏语很难'],
    ['中文 藏语', 'chinese', '藏语'],
    ['ཨ་མདོ་ སྐད་ཆ་བཤད།', 'amdo', 'སྐད་ཆ་བཤད།'],
    ['安多话　你好', 'amdo', '你好'],
    ['中文 你好', 'chinese', '你好'],
    ['安多：你好', 'amdo', '你好'],
    ['U Tsang:བཀྲ་ཤིས།', 'utsang', 'བཀྲ་ཤིས།'],
    ['u:tsang བཀྲ་ཤིས།', 'utsang', 'བཀྲ་ཤིས།'],
    ['amdo khampa', 'amdo', 'khampa'],
    ['all བོད།', 'all', 'བོད།'],
    ['全部 བོད།', 'all', 'བོད།'],
    ['ཚང་མ བོད།', 'all', 'བོད།'],
    ['ཡུལ་སྐད་གསུམ་ག བོད།', 'all', 'བོད།'],
  ])('%j asks for %s', (args, variety, text) => {
    expect(takeVariety(args)).toEqual({ variety, text });
  });

  test.each([
    ['康定是一座城市'],
    ['ཁམས་པ་ཚོ་ལ་བཀྲ་ཤིས།'],
    ['ཨ་མདོའི་ལུང་པ།'],
    ['中文很难'],
    ['“中文” 是什么？'],
    ['u\ntsang'],
    ['hello amdo'],
    ['他说：安多'],
    ['ལྷ་ས། བཀྲ་ཤིས།'],
    ['ལྷ་ས།བཀྲ་ཤིས།'],
    ['ལྷ་ས།\nབཀྲ་ཤིས།'],
    ['དབུས་གཙང་། བཀྲ་ཤིས།'],
    ['ཁམས༎ བཀྲ་ཤིས༎'],
    ['拉萨。你好'],
    ['ཁམས་བཟང་།'],
    ['དབུས་ཀྱི་གྲོང་ཁྱེར།'],
    ['གཙང་མ་བྱེད་རོགས།'],
    ['康复中心'],
    ['安多芬'],
    ['安多བཀྲ་ཤིས།'],
    ['ཁམས་སྐད་ལ་བཀྲ་ཤིས།'],
    ['安多的节日：赛马'],
    ['བཀྲ་ཤིས། amdo'],
    [''],
  ])('%j is text from its first word', (args) => {
    expect(takeVariety(args)).toEqual({ variety: undefined, text: args });
  });

  test('whatever name stands before it, a text that begins with none is spoken as it is', () => {
    const named = fc.constantFrom(
      // A shad makes a name the beginning of the text, where something follows.
      ...VARIETIES.flatMap((variety) => NAMES[variety].map((name) => ({ variety, name }))).filter(
        ({ name }) => !name.endsWith('།'),
      ),
    );
    const beginning = fc.constantFrom(
      ...[
        '',
        'བཀྲ',
        'ཁམས་བཟང་',
        'སྐད་ཆ་བཤད',
        'ལ་ལས',
        'ས་',
        '你好',
        '话剧',
        '方言学',
        'Tibetans',
        'speeches',
        '。',
        '-',
      ],
    );
    fc.assert(
      fc.property(named, beginning, anyText, ({ variety, name }, first, rest) => {
        const text = `${first}\n${rest}`.trim();
        expect(takeVariety(`${name} ${text}`)).toEqual({ variety, text });
      }),
    );
  });

  test('a long run of particles is looked through at once', () => {
    expect(parseVariety(`ཁམས${'ནས'.repeat(2000)}`)).toBeUndefined();
  });

  test('nothing of a text is lost, with or without a variety before it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const taken = takeVariety(text);
        if (taken.variety === undefined) expect(taken.text).toBe(text.trim());
        expect(takeVariety(`amdo ${text}`)).toEqual({ variety: 'amdo', text: text.trim() });
      }),
    );
  });
});

test('the dialects are Tibetan, the rest is Chinese', () => {
  expect(DIALECTS.map(languageOf)).toEqual(['tibetan', 'tibetan', 'tibetan']);
  expect(languageOf('chinese')).toBe('chinese');
});
