/** Text files in the encodings of people's editors. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeText } from '../../src/media/document/text-file.ts';

const TEXTS = ['བཀྲ་ཤིས་བདེ་ལེགས།\nདུས་ཚོད།', '今天天气很好。\n你好', 'བོད་ and 中文, mixed: 1,2'];

it.each(TEXTS)('%s is told in each of them', async (text) => {
  const swapped = Buffer.from(text, 'utf16le').swap16();
  const files = [
    Buffer.from(text),
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(text.replaceAll('\n', '\r\n')),
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.concat([Buffer.from([0xfe, 0xff]), swapped]),
    Buffer.from(text, 'utf16le'),
    swapped,
  ];
  for (const file of files) expect(await decodeText(file)).toBe(text);
});

it.each([
  ['a broken character', '\uFFFD', '\uFFFD'],
  ['a character of a private font', '\uE000', '\uE000'],
  ['a character newer than ours', '\u0FFF', '\u0FFF'],
  ['the end mark of an old editor', '\u001A', ''],
  ["a printer's codes", '\u001BE', 'E'],
  ['a zero', '\u0000', ''],
])('UTF-8 is UTF-8 with %s, too', async (_, sign, shown) => {
  for (const text of TEXTS) {
    expect(await decodeText(Buffer.from(text + sign))).toBe(text + shown);
    expect(await decodeText(Buffer.from(`\uFEFF${sign}${text}`))).toBe(shown + text);
  }
  expect(await decodeText(Buffer.from(`\uFEFFonly English${sign}`))).toBe(`only English${shown}`);
});

it('the end mark of an old editor refuses no text in Latin letters', async () => {
  for (const text of ['bkra shis bde legs/\r\n', 'hello']) {
    expect(await decodeText(Buffer.from(`${text}\u001A`))).toBe(text.replace('\r', ''));
  }
});

/** The beginning of the Universal Declaration of Human Rights, by the encodings that writers of each language use. */
const DECLARATIONS = {
  gb18030: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
  big5: '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。',
  'euc-kr':
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았다.',
  'euc-jp': 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  shift_jis: 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  'iso-8859-1':
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison.',
};

it.each(Object.entries(DECLARATIONS))(
  '%s is read if it is Chinese, and else refused',
  async (encoding, text) => {
    const bytes = execFileSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text });
    const isChinese = encoding === 'gb18030' || encoding === 'big5';
    expect(await decodeText(bytes)).toBe(isChinese ? text : undefined);
  },
);

it('a few words in two bytes a character are GB18030', async () => {
  expect(await decodeText(Buffer.from('c4e3bac3a3acbdf1ccecccecc6f8badcbac3a1a3', 'hex'))).toBe(
    '你好，今天天气很好。',
  );
});

it('any text in UTF-8 is that text, and junk is none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom('བོད', '་', '中', 'a', ' ', 'é') }), async (text) => {
      expect(await decodeText(Buffer.from(text))).toBe(text);
    }),
  );
  for (const magic of ['89504e470d0a1a0a0000', '504b0304140000000800', '255044462d312e370a00ff']) {
    expect(await decodeText(Buffer.from(magic, 'hex'))).toBeUndefined();
  }
});

const encoded = (text: string, encoding: string): Buffer =>
  execFileSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text });

/** One sentence each: a guess from blocks of characters, or from their bytes, takes them for another encoding. */
const SENTENCES: readonly [string, string][] = [
  ['gb18030', 'ང་ཚོས་བོད་ཡིག་སློབ་སྦྱོང་བྱེད་དགོས།'],
  ['gb18030', 'བཀྲ་ཤིས་བདེ་ལེགས།'],
  ['gb18030', '明天早上九点在学校门口见。'],
  ['gb18030', '你好'],
  ['gb18030', '我們明天去拉薩。'],
  ['big5', '明天早上九點在學校門口見。'],
  ['big5', '謝謝您'],
  ['big5', '請問，這裡有人會說藏語嗎？'],
  ['utf-16be', 'ང་ཚོས་བོད་ཡིག་སློབ་སྦྱོང་བྱེད་དགོས།'],
  ['utf-16le', 'བཀྲ་ཤིས་བདེ་ལེགས།'],
  ['utf-16be', '明天早上九点在学校门口见。'],
  ['utf-16le', '使用次数'],
];

it.each(SENTENCES)('a sentence in %s is read: %s', async (encoding, text) => {
  expect(await decodeText(encoded(text, encoding))).toBe(text);
});

it.each([
  ['iso-8859-1', 'Die Vorgänge für Ausdrücke dürfen nicht größer sein.'],
  ['iso-8859-1', 'Où est la bibliothèque? Elle a été fermée l’été dernier.'.replace('’', "'")],
  ['iso-8859-1', 'El niño comió la piña mañana.'],
  ['iso-8859-2', 'Środowisko uruchomieniowe wywoła błąd.'],
  ['windows-1251', 'Сегодня хорошая погода.'],
  ['koi8-r', 'Сегодня хорошая погода.'],
  ['euc-jp', '今日はいい天気ですね。'],
  ['euc-jp', '変数の宣言では使用できません。'],
  ['shift_jis', '今日はいい天気ですね。'],
  ['euc-kr', '오늘은 날씨가 좋습니다. 학교에 갑니다.'],
])('a sentence in %s is refused, not guessed: %s', async (encoding, text) => {
  expect(await decodeText(encoded(text, encoding))).toBeUndefined();
});

const LONGER = '今天天气很好，我们去学校。བཀྲ་ཤིས་བདེ་ལེགས།'.repeat(3);
const spoilt = (bytes: Buffer, at: number, ...put: readonly number[]) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at)]);

it.each([
  ['UTF-8 cut by one byte', Buffer.from(LONGER).subarray(0, -1), LONGER.slice(0, -1)],
  ['UTF-8 cut by two bytes', Buffer.from(LONGER).subarray(0, -2), LONGER.slice(0, -1)],
  ['UTF-8 with a stray byte', spoilt(Buffer.from(LONGER), 3, 0xff), LONGER.replace('天', '\uFFFD天')],
  [
    'UTF-8 with a stray byte in a character',
    spoilt(Buffer.from(LONGER), 1, 0x41),
    `\uFFFDA\uFFFD\uFFFD${LONGER.slice(1)}`,
  ],
  [
    'marked UTF-8 with a stray byte',
    spoilt(Buffer.from(`\uFEFF${LONGER}`), 6, 0xff),
    LONGER.replace('天', '\uFFFD天'),
  ],
  ['UTF-16 cut by one byte', Buffer.from(`\uFEFF${LONGER}`, 'utf16le').subarray(0, -1), LONGER.slice(0, -1)],
  ['UTF-16 with a private character', Buffer.from(`\uFEFF${LONGER}\uE000`, 'utf16le'), `${LONGER}\uE000`],
  ['a word of UTF-16 with a private character', Buffer.from('\uFEFFབོད\uE000', 'utf16le'), 'བོད\uE000'],
  [
    'UTF-16 without a mark with a private character',
    Buffer.from(`${LONGER}\uE000`, 'utf16le'),
    `${LONGER}\uE000`,
  ],
  [
    'GB18030 cut by one byte',
    encoded('今天天气很好，我们去学校。', 'gb18030').subarray(0, -1),
    '今天天气很好，我们去学校',
  ],
  [
    'Big5 cut by one byte',
    encoded('明天早上九點在學校門口見。', 'big5').subarray(0, -1),
    '明天早上九點在學校門口見',
  ],
])('%s is read', async (_, bytes, text) => {
  expect(await decodeText(bytes)).toBe(text);
});

it('a text of 1 MB with a fault in every line is damaged', async () => {
  expect(await decodeText(Buffer.from('བ\xff\xff\xff\n'.repeat(1000), 'latin1'))).toBeUndefined();
});
