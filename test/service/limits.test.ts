/** Nothing that breaks a documented limit is sent, or paid for. */
import { expect, test } from 'vitest';
import type { RecognitionInput } from '../../src/service/recognition.ts';
import {
  ANSWERS,
  call,
  failureOf,
  image,
  OCR,
  recognised,
  SPEAK,
  TRANSLATE,
  translated,
  underTest,
} from './service-under-test.ts';

/** In base64 10 MB, of 1,000,000 bytes each. */
const MAX_BYTES = 7_500_000;
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const pdf = Buffer.from('%PDF-1.7');
const ofd = Buffer.from('PK\x03\x04');

/** `signature`, padded with zeros. */
const file = (signature: Buffer, length: number) =>
  Buffer.concat([signature, Buffer.alloc(length - signature.length)]);

const address = (bytes: number) => `https://example.org/${'x'.repeat(bytes - 20)}`;

const refused: [string, RecognitionInput][] = [
  ['a short side of 14 pixels', { image: { ...image, width: 14 } }],
  ['a long side of 8193 pixels', { image: { ...image, height: 8193 } }],
  ['10 MB and a little in base64', { image: { ...image, bytes: file(image.bytes, MAX_BYTES + 1) } }],
  ['an address of 1025 bytes', { url: address(1025) }],
  ['an address of 1025 bytes in fewer letters', { url: `${address(1023)}é` }],
  ['a PDF above 10 MB in base64', { pdfFile: file(pdf, MAX_BYTES + 1) }],
];

test.each(refused)('recognition with %s is refused, unsent and unmetered', async (_name, input) => {
  const { service, server, meter, entries } = await underTest({ [OCR]: [recognised] });
  expect(await failureOf(service.recognise({ input }, { meter }))).toMatchObject({ kind: 'bad-request' });
  expect(server.requests).toEqual([]);
  expect(entries).toEqual([]);
});

const taken: [string, RecognitionInput][] = [
  ['sides of 15 and 8192 pixels', { image }],
  ['a PNG', { image: { ...image, bytes: png } }],
  ['exactly 10 MB in base64', { image: { ...image, bytes: file(image.bytes, MAX_BYTES) } }],
  ['an address of 1024 bytes', { url: address(1024) }],
  ['a PDF', { pdfFile: pdf, pdfFileNum: 1 }],
  ['an OFD', { ofdFile: ofd, ofdFileNum: 1 }],
];

test.each(taken)('recognition with %s is sent', async (_name, input) => {
  const { service, server, meter } = await underTest({ [OCR]: [recognised] });
  await service.recognise({ input }, { meter });
  expect(server.requestsTo(OCR)).toHaveLength(1);
});

const texts: [string, string, string][] = [
  ['3001 letters', 'ཀ'.repeat(3001), 'too-long'],
  ['3001 letters outside the basic plane', '𠀀'.repeat(3001), 'too-long'],
];

test.each(texts)('%s is refused, unsent and unmetered', async (_name, text, kind) => {
  const under = await underTest({});
  for (const one of ['translation', 'speech'] as const)
    expect(await failureOf(call(under, one, { text }))).toMatchObject({ kind });
  expect(under.server.requests).toEqual([]);
  expect(under.entries).toEqual([]);
});

test('3000 code points are sent, whatever their size in bytes, and metered as 3000', async () => {
  const under = await underTest({ [TRANSLATE]: [translated], [SPEAK]: [ANSWERS.speech] });
  for (const one of ['translation', 'speech'] as const) await call(under, one, { text: '𠀀'.repeat(3000) });
  expect(under.server.requests).toHaveLength(2);
  expect(under.entries.map(({ characters }) => characters)).toEqual([3000, 3000]);
});
