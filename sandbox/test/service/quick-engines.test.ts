/** The quick engines give what tests lean on: distinct, repeatable, of the right script, length and pitch. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pictureSaying } from '../../service/picture-words.ts';
import { createQuickEngines } from '../../service/quick-engines.ts';

const { recognise, translate, speak } = createQuickEngines();

function picture(background: string) {
  return sharp({ create: { width: 20, height: 20, channels: 3, background } });
}

async function audioOf(...speech: Parameters<typeof speak>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(speak(...speech)));
}

test('a picture is read by what stands in it, its lines in their places', async () => {
  const jpeg = await pictureSaying('བོད།\n  第二行');
  expect(await recognise(jpeg, 'bo')).toEqual({
    lines: [
      { words: 'བོད།', location: { top: 0, left: 0, width: 120, height: 30 } },
      { words: '  第二行', location: { top: 50, left: 60, width: 90, height: 30 } },
    ],
    paragraphs: [[0, 1]],
  });
});

test.each(['png', 'jpeg', 'webp'] as const)(
  'what stands in a picture outlasts re-encoding as %s',
  async (format) => {
    const text = 'བོད་ཡིག '.repeat(300).trim();
    const drawn = await sharp(await pictureSaying(text))
      .toFormat(format, { quality: 75 })
      .toBuffer();
    expect(await recognise(drawn, 'bo')).toMatchObject({ lines: [{ words: text }], paragraphs: [[0]] });
  },
);

test('any other picture is one line of the language asked for, its own each time', async () => {
  const [white, black] = [await picture('#fff').jpeg().toBuffer(), await picture('#000').jpeg().toBuffer()];
  expect((await recognise(white, 'bo')).lines[0]?.words).toMatch(/^[\u0F00-\u0FFF]+$/u);
  expect((await recognise(white, 'zh')).lines[0]?.words).toMatch(/^\p{Script=Han}+$/u);
  expect(await recognise(white, 'bo')).toEqual(await recognise(white, 'bo'));
  expect(await recognise(white, 'bo')).not.toEqual(await recognise(black, 'bo'));
});

test('a translation is of the other script, distinct, repeatable, and keeps digits, Latin and layout', async () => {
  const one = await translate('བཀྲ་ཤིས། 17 Tashi\nབདེ་ལེགས།', 'bo', 'zh');
  expect(one).toMatch(/^\p{Script=Han}{2}。 17 Tashi\n\p{Script=Han}{2}。$/u);
  expect(await translate('བཀྲ་ཤིས། 17 Tashi\nབདེ་ལེགས།', 'bo', 'zh')).toBe(one);
  expect(await translate('བཀྲ་ཤས། 17 Tashi\nབདེ་ལེགས།', 'bo', 'zh')).not.toBe(one);
  expect(await translate('你好。 17\n谢谢', 'zh', 'bo')).toMatch(
    /^[\u0F40-\u0FBC་]+། 17\n[\u0F40-\u0FBC་]+$/u,
  );
});

test('speech lasts 60 ms a code point, in a pitch for each voice', async () => {
  expect((await audioOf('𠀀'.repeat(10), 'chinese', 'xiaoxiao')).length).toBe(0.6 * 32_000);
  expect((await audioOf('ཀ', 'amdo', 'xiaoxiao')).length).toBe(0.2 * 32_000);
  const spoken = await Promise.all([
    ...(['utsang', 'khampa', 'amdo', 'chinese'] as const).map((one) => audioOf('ཀཁག', one, 'xiaoxiao')),
    audioOf('ཀཁག', 'chinese', 'yunjian'),
  ]);
  expect(new Set(spoken.map(risingCrossings)).size).toBe(spoken.length);
});

/** How often the wave rises through zero: its pitch. */
function risingCrossings(audio: Buffer): number {
  let crossings = 0;
  for (let at = 2; at < audio.length; at += 2) {
    if (audio.readInt16LE(at - 2) < 0 && audio.readInt16LE(at) >= 0) crossings += 1;
  }
  return crossings;
}
