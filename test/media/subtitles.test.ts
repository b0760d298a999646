/** Subtitles as programs write them, and players take them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { subtitlesIn } from '../../src/media/document/subtitles.ts';

/** The cue of each line: its times and its text. */
async function cuesIn(file: string): Promise<string[][] | undefined> {
  const subtitles = await subtitlesIn(file);
  const cues = subtitles
    ?.withTimes(subtitles.text)
    ?.trim()
    .split(/\n{2,}/u);
  return cues?.map((cue) => {
    const [, times = '', ...lines] = cue.split('\n');
    return [times, lines.join('\n')];
  });
}

const TIMES = '00:00:01,000 --> 00:00:02,000';
const NEXT = '00:00:03,000 --> 00:00:04,000';

it.each([
  '0:0:1,5 --> 0:0:2,25',
  '00:00:01 --> 00:00:02',
  '00:00:01.0 --> 00:00:02.1',
  '00:00:01, --> 00:00:02,',
  '00:00:01,000000 --> 00:00:02,000000',
  '01:02 --> 01:04',
  '01:02.500 --> 01:04.250',
  '100:00:01,000-->100:00:02,000',
  '00:00:01,000 --> 00:00:02,000 X1:100 Y1:20',
  '00:00:01,000 --> 00:00:02,000 position:50%',
  '00:00:01,000   -->   00:00:02,000  ',
  '00: 00: 01,000 --> 00: 00: 02,000',
  '00 : 00 : 01 , 000 -- > 00 : 00 : 02 , 000',
  '00：00：01，000 --> 00：00：02，000',
  '00:00:01,000 —＞ 00:00:02,000',
  '00:00:01,000 -> 00:00:02,000',
  '00:00:01,000 ---> 00:00:02,000',
  '00:00:01:500 --> 00:00:02:500',
])('%s are times', async (times) => {
  expect(await cuesIn(`1\n${times}\n你好\n`)).toEqual([[times.trim(), '你好']]);
  for (const mark of ['\u200E', '\u202B', '\uFEFF'])
    expect(await cuesIn(`${mark}1\n${mark}${times}\n你好\n`)).toEqual([[times.trim(), '你好']]);
});

it.each(['12:30', '00:00:01 > 00:00:02', '--> 00:00:02', 'at 1:02 --> 1:04', '1:2:3:4:5 --> 1:2:3:5:6'])(
  '%s are no times',
  async (line) => {
    expect(await subtitlesIn(`1\n${line}\n你好\n`)).toBeUndefined();
  },
);

it.each([
  ['a number that somebody says', '1998', '1998'],
  ['markup and places', '<i>你好</i> {\\an8}<font color="red">吗</font>', '你好 吗'],
  ['entities', '你好 &amp; &lt;再见&gt; &#39;', "你好 & <再见> '"],
  ['a sentence that the width breaks', '今天天气很好我们\n一起去学校吧', '今天天气很好我们一起去学校吧'],
  ['a figure in its own line', '今天天气很好我们等到\n19点30分', '今天天气很好我们等到19点30分'],
  ['two people', '- 你来吗？\n- 不来。', '- 你来吗？\n- 不来。'],
  ['two people without spaces', '-你来吗？\n-不来。', '-你来吗？\n-不来。'],
  ['two languages', '你好\nབཀྲ་ཤིས་བདེ་ལེགས།', '你好\nབཀྲ་ཤིས་བདེ་ལེགས།'],
  ['a second language in Latin letters', '你好\nHello', '你好\nHello'],
  ['a blank line', '你好\n\n再见', '你好\n再见'],
  ['a blank line with spaces', '你好\n \t\n再见', '你好\n再见'],
  ['seven lines', '一\n二\n三\n四\n五\n六\n七', '一\n二\n三\n四\n五\n六\n七'],
  ['nothing', '', ''],
])('a cue keeps %s, whatever follows it', async (_, text, shown) => {
  const cues = [
    [TIMES, shown],
    [NEXT, '再见'],
  ];
  expect(await cuesIn(`1\n${TIMES}\n${text}\n\n2\n${NEXT}\n再见`)).toEqual(cues);
  expect(await cuesIn(`${TIMES}\n${text}\n\n${NEXT}\n再见\n`)).toEqual(cues);
});

it('numbers without blank lines above them are not said', async () => {
  expect(await cuesIn(`7\n${TIMES}\n你好\n8\n${NEXT}\n1998\n9\n${NEXT}\n`)).toEqual([
    [TIMES, '你好'],
    [NEXT, '1998'],
    [NEXT, ''],
  ]);
});

it('cues come back with their times, whatever is said', async () => {
  const words = fc.array(
    fc.constantFrom('你好', '1998', '-', 'བོད་', '<b>', '&amp;', '\n', '\n\n', '-->', ' '),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 20 }), async (said) => {
      const file = said.map((one, index) => `${index + 1}\n${TIMES}\n好${one.join('')}`).join('\n\n');
      expect((await cuesIn(file))?.map(([times]) => times)).toEqual(said.map(() => TIMES));
    }),
  );
});
