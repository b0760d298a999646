/** Requests and answers as they go over the wire. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FullRecognitionRequest } from '../../src/service/recognition.ts';
import { json, raw } from './scripted-server.ts';
import {
  call,
  failureOf,
  image,
  OCR,
  recognised,
  SECRETS,
  SPEAK,
  TOKEN,
  TRANSLATE,
  translated,
  underTest,
} from './service-under-test.ts';

test('the token is asked for with an empty POST and the credentials in the query', async () => {
  const { service, server, meter } = await underTest({ [OCR]: [recognised] });
  await service.recognise({ input: { image } }, { meter });
  const [request] = server.requestsTo(TOKEN);
  expect(request).toMatchObject({ method: 'POST', path: TOKEN, body: Buffer.alloc(0) });
  expect(request?.headers).toMatchObject({ accept: 'application/json', 'content-length': '0' });
  expect(Object.fromEntries(request?.query ?? [])).toEqual({
    grant_type: 'client_credentials',
    client_id: SECRETS.apiKey,
    client_secret: SECRETS.secretKey,
  });
});

const requests: [string, FullRecognitionRequest, Record<string, string>][] = [
  ['an image alone', { input: { image } }, { image: '/9j/4A==' }],
  ['Tibetan', { input: { image }, language: 'tibetan' }, { image: '/9j/4A==', language_type: '0' }],
  ['Chinese', { input: { image }, language: 'chinese' }, { image: '/9j/4A==', language_type: '1' }],
  [
    'an address with every option',
    {
      input: { url: 'https://example.org/a b?c=1&d=བོད' },
      recognizeGranularity: 'small',
      detectDirection: true,
      vertexesLocation: true,
      paragraph: true,
      probability: true,
    },
    {
      url: 'https://example.org/a b?c=1&d=བོད',
      recognize_granularity: 'small',
      detect_direction: 'true',
      vertexes_location: 'true',
      paragraph: 'true',
      probability: 'true',
    },
  ],
  [
    'a page of a PDF',
    { input: { pdfFile: Buffer.from('%PDF-'), pdfFileNum: 7 } },
    { pdf_file: 'JVBERi0=', pdf_file_num: '7' },
  ],
  [
    'a page of an OFD',
    { input: { ofdFile: Buffer.from('PK\x03\x04'), ofdFileNum: 2 } },
    { ofd_file: 'UEsDBA==', ofd_file_num: '2' },
  ],
];

test.each(requests)(
  'recognition of %s sends these form fields and no others',
  async (_name, request, fields) => {
    const { service, server, meter } = await underTest({ [OCR]: [recognised] });
    await service.recognise(request, { meter });
    const [sent] = server.requestsTo(OCR);
    expect(sent?.method).toBe('POST');
    expect(sent?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(sent?.headers['content-length']).toBe(String(sent?.body.length));
    expect(sent?.headers['transfer-encoding']).toBeUndefined();
    expect(sent?.query.toString()).toBe('access_token=aaa.bbb.ccc');
    expect(Object.fromEntries(new URLSearchParams(sent?.body.toString('latin1')))).toEqual(fields);
  },
);

test('an image of any size arrives byte for byte', async () => {
  const { service, server, meter } = await underTest({ [OCR]: [recognised] });
  const sizes = fc.oneof(
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 47_990, max: 48_010 }),
    fc.integer({ min: 95_990, max: 150_000 }),
  );
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer(), async (size, seed) => {
      const noise = Buffer.from({ length: size } as ArrayLike<number>).map(
        (_, index) => Math.imul(seed ^ index, 2_654_435_761) >>> 24,
      );
      const bytes = Buffer.concat([image.bytes, noise]);
      await service.recognise({ input: { image: { ...image, bytes } } }, { meter });
      const form = new URLSearchParams(server.requestsTo(OCR).at(-1)?.body.toString('latin1'));
      expect(Buffer.from(form.get('image') ?? '', 'base64').equals(bytes)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('translation sends numbers, the text, and the secret’s header', async () => {
  const { service, server, meter } = await underTest({ [TRANSLATE]: [translated] });
  const text = 'བཀྲ་ཤིས།\n"\\𝒳';
  const result = await service.translate({ text, from: 'tibetan', to: 'chinese' }, { meter });
  expect(result).toEqual({ text: '你好' });
  await service.translate({ text: '你好', from: 'chinese', to: 'tibetan' }, { meter });
  const [there, back] = server.requests;
  expect(there?.method).toBe('POST');
  expect(there?.headers).toMatchObject({ 'content-type': 'application/json', 'x-secret': SECRETS.xSecret });
  expect(there?.body.toString()).toBe(JSON.stringify({ sourceLang: 0, destLang: 1, inputText: text }));
  expect(JSON.parse(back?.body.toString() ?? '')).toEqual({ sourceLang: 1, destLang: 0, inputText: '你好' });
});

test.each([
  [{ variety: 'utsang' }, { lang: 0, vcn: '' }],
  [{ variety: 'khampa' }, { lang: 4, vcn: '' }],
  [{ variety: 'amdo' }, { lang: 5, vcn: '' }],
  [
    { variety: 'chinese', voice: 'xiaoxiao' },
    { lang: 1, vcn: 'xiaoxiao' },
  ],
  [
    { variety: 'chinese', voice: 'yunjian' },
    { lang: 1, vcn: 'yunjian' },
  ],
] as const)('speech of %o sends %o', async (asked, sent) => {
  const { service, server, meter } = await underTest({ [SPEAK]: [raw(Buffer.alloc(4))] });
  const speech = await service.speak({ text: 'ཀ', ...asked }, { meter });
  await Array.fromAsync(speech);
  const [request] = server.requests;
  expect(request?.method).toBe('POST');
  expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'x-secret': SECRETS.xSecret });
  expect(JSON.parse(request?.body.toString() ?? '')).toEqual({ ...sent, inputText: 'ཀ' });
});

test('no compression is asked for and no redirect followed', async () => {
  const moved = raw('', 307, { location: '/elsewhere' });
  const under = await underTest({ [TRANSLATE]: [moved], '/elsewhere': [translated] });
  expect(await failureOf(call(under, 'translation'))).toMatchObject({ kind: 'malformed' });
  expect(under.server.requestsTo('/elsewhere')).toEqual([]);
  expect(under.server.requests[0]?.headers['accept-encoding']).toBe('identity');
});

test.each([
  ['a msgId that is a number', 2_000_000, 200, {}],
  ['a failing HTTP status', '2000000', 500, {}],
])('a translation with %s is understood', async (_name, msgId, status, headers) => {
  const step = json({ traceId: 't', msgId, msg: 'success', data: '好' }, status, headers);
  const under = await underTest({ [TRANSLATE]: [step] });
  expect(await call(under, 'translation')).toEqual({ text: '好' });
});

test('every documented field of a recognition is read', async () => {
  const body = `{
    "log_id": 18446744073709551615, "words_result_num": 2, "paragraphs_result_num": 1,
    "words_result": [
      { "words": "བོད་ཡིག", "location": { "top": "1", "left": 2, "width": "30.5", "height": 4 },
        "probability": { "average": 0.9, "variance": "0.01", "min": 0.5 } },
      { }
    ],
    "paragraphs_result": [{ "words_result_idx": [0, 1] }],
    "pdf_file_size": "12", "ofd_file_size": "3", "direction": -1 }`;
  const { service, meter } = await underTest({ [OCR]: [raw(body)] });
  expect(await service.recognise({ input: { image } }, { meter })).toEqual({
    logId: '18446744073709551615',
    lines: [
      {
        text: 'བོད་ཡིག',
        location: { top: 1, left: 2, width: 30.5, height: 4 },
        probability: { average: 0.9, variance: 0.01, min: 0.5 },
      },
      { text: '' },
    ],
    paragraphs: [[0, 1]],
    direction: -1,
    pdfFileSize: 12,
    ofdFileSize: 3,
  });
});

test.each([
  ['log_id', '18446744073709551615'],
  ['logId', '9007199254740993'],
  ['log_id', '"18446744073709551614"'],
  ['logId', '0'],
])('a log id keeps every digit, however it is spelled (%s: %s)', async (key, id) => {
  const under = await underTest({ [OCR]: [raw(`{"${key}":${id},"words_result_num":0,"words_result":[]}`)] });
  expect(await call(under, 'recognition')).toMatchObject({ logId: id.replaceAll('"', '') });
});

test.each([
  [
    'no paragraph count, as in the sample',
    { logId: 1, words_result_num: 1, words_result: [{ words: 'ཀ' }] },
    ['ཀ'],
  ],
  ['no lines', { log_id: 1, words_result_num: 0, words_result: [] }, []],
  [
    'an error code that says that there is no error',
    { error_code: 0, error_msg: '', log_id: 1, words_result: [{ words: 'ཀ' }] },
    ['ཀ'],
  ],
  ['no log id', { words_result_num: 1, words_result: [{ words: 'ཀ' }] }, ['ཀ']],
  [
    'unusable fields that are still under development',
    {
      log_id: 1,
      words_result: [{ words: 'ཀ', location: { top: 'x' }, probability: 3 }],
      direction: 9,
      paragraphs_result: 'none',
      pdf_file_size: null,
    },
    ['ཀ'],
  ],
])('a recognition with %s is still a recognition', async (_name, body, texts) => {
  const { service, meter } = await underTest({ [OCR]: [json(body)] });
  const { lines } = await service.recognise({ input: { image } }, { meter });
  expect(lines.map(({ text }) => text)).toEqual(texts);
});
