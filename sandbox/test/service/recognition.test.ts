/** The recognition endpoint against service-interface §2.4, §4.2 and §8. */
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import type { LocalService } from '../../service/local-service.ts';
import { pictureSaying } from '../../service/picture-words.ts';
import { askRecognition, freshToken, startQuickService } from './calling.ts';

let service: LocalService;
let token: string;
beforeEach(async () => {
  service = await startQuickService();
  token = await freshToken(service);
  return () => service.close();
});

function picture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#eeddcc' } });
}

/** 24 bits a pixel, rows padded to four bytes. */
function bmp(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(Math.ceil((width * 3) / 4) * 4 * height, 0xee);
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(54 + pixels.length, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(-height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return Buffer.concat([header, pixels]);
}

async function read(fields: Record<string, string> | FormData): Promise<unknown> {
  return (await askRecognition(service, token, fields)).json();
}

test('an urlencoded picture gives its lines in order, and only the fields of the sample', async () => {
  const image = (await pictureSaying('བཀྲ་ཤིས།\nབདེ་ལེགས།')).toString('base64');
  expect(await read({ image, language_type: '0' })).toEqual({
    logId: expect.any(Number),
    words_result_num: 2,
    words_result: [{ words: 'བཀྲ་ཤིས།' }, { words: 'བདེ་ལེགས།' }],
  });
});

test('multipart brings the same picture as base64 text or as an attached file', async () => {
  const jpeg = await pictureSaying('你好');
  const asText = new FormData();
  asText.set('image', jpeg.toString('base64'));
  const asFile = new FormData();
  asFile.set('image', new Blob([new Uint8Array(jpeg)]), 'photo.jpg');
  for (const form of [asText, asFile]) {
    form.set('language_type', '1');
    expect(await read(form)).toMatchObject({ words_result: [{ words: '你好' }] });
  }
});

test('the log id is a bare number beyond what a JavaScript number holds', async () => {
  const image = (await pictureSaying('x')).toString('base64');
  const text = await (await askRecognition(service, token, { image })).text();
  const digits = /"logId":(\d+),/.exec(text)?.[1] ?? '0';
  expect(BigInt(digits)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
  expect(BigInt(digits)).toBeLessThan(2n ** 64n);
});

test('paragraphs come where they are asked for, and unasked when the spelling says so', async () => {
  const image = (await pictureSaying('one\ntwo\n\nthree')).toString('base64');
  const paragraphs_result = [{ words_result_idx: [0, 1] }, { words_result_idx: [3] }];
  expect(await read({ image })).not.toHaveProperty('paragraphs_result');
  expect(await read({ image, paragraph: 'true' })).toMatchObject({ paragraphs_result });
  Object.assign(service.spelling, { paragraphsUnasked: true });
  expect(await read({ image })).toMatchObject({ paragraphs_result });
});

test('the call log tells the picture by size and format, not by its bytes', async () => {
  const jpeg = await picture(60, 40).jpeg().toBuffer();
  await read({ image: jpeg.toString('base64'), language_type: '1' });
  expect(service.calls.at(-1)).toMatchObject({
    kind: 'recognition',
    outcome: 'ok',
    charged: true,
    characters: 0,
    parameters: { language_type: '1', image: { bytes: jpeg.length, width: 60, height: 40, format: 'jpg' } },
  });
});

const BAD_SIZE = { error_code: 216202, error_msg: 'image size error' };
const BAD_FORMAT = { error_code: 216201, error_msg: 'image format error' };

test.each([
  ['a PNG of 15 px', () => picture(15, 15).png().toBuffer(), { words_result_num: 1 }],
  ['a JPEG of 8192 px', () => picture(8192, 15).jpeg().toBuffer(), { words_result_num: 1 }],
  ['a BMP of 15 px', async () => bmp(15, 20), { words_result_num: 1 }],
  ['a side of 14 px', () => picture(14, 100).png().toBuffer(), BAD_SIZE],
  ['a side of 8193 px', () => picture(8193, 15).jpeg().toBuffer(), BAD_SIZE],
  ['a BMP of 14 px', async () => bmp(14, 100), BAD_SIZE],
  ['webp', () => picture(30, 30).webp().toBuffer(), BAD_FORMAT],
  ['gif', () => picture(30, 30).gif().toBuffer(), BAD_FORMAT],
  ['text', async () => Buffer.from('no picture at all'), BAD_FORMAT],
  ['nothing', async () => Buffer.alloc(0), BAD_FORMAT],
  ['a cut-off header', async () => (await picture(30, 30).png().toBuffer()).subarray(0, 12), BAD_FORMAT],
])('%s is read or refused by its format and size', async (_, make, answer) => {
  const image = (await make()).toString('base64');
  expect(await read({ image })).toMatchObject(answer);
  expect(service.paid().calls).toBe('error_code' in answer ? 0 : 1);
});

test('a picture within 10 MB of base64 is read, one beyond refused', async () => {
  const jpeg = await picture(20, 20).jpeg().toBuffer();
  const largest = (10_000_000 * 3) / 4;
  const within = Buffer.concat([jpeg, Buffer.alloc(largest - jpeg.length)]);
  expect(await read({ image: within.toString('base64') })).toMatchObject({ words_result_num: 1 });
  const beyond = Buffer.concat([within, Buffer.alloc(1)]);
  expect(await read({ image: beyond.toString('base64') })).toMatchObject(BAD_SIZE);
});

test.each([
  ['base64 whose "+" was not percent-encoded: a form turns it into a space', 'image=/9j/4AAQ+kZJ', 216201],
  ['JSON', '{}', 216100],
])('%s is refused', async (_, body, error_code) => {
  const response = await fetch(`${service.url}/api/v1/ocr/general?access_token=${token}`, {
    method: 'POST',
    headers: { 'content-type': `application/${body === '{}' ? 'json' : 'x-www-form-urlencoded'}` },
    body,
  });
  expect(await response.json()).toMatchObject({ error_code });
});

test.each<[string, Record<string, string>, number]>([
  ['no input', { language_type: '0' }, 216101],
  ['a url, which is under development', { url: 'http://example.org/a.jpg' }, 216101],
  ['a url of more than 1024 bytes', { url: 'x'.repeat(1025) }, 216100],
  ['an unknown language', { language_type: '2' }, 216100],
  ['a language by name', { language_type: 'bo' }, 216100],
  ['a flag that is neither true nor false', { probability: '1' }, 216100],
  ['a field that is not documented', { langauge_type: '0' }, 216100],
])('%s is refused', async (_, fields, code) => {
  expect(await read(fields)).toMatchObject({ error_code: code });
  expect(service.paid().calls).toBe(0);
});
