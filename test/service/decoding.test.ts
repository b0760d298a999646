/** An answer that is compressed, or only said to be, is read as what it is; the work is paid for once. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { raw } from './scripted-server.ts';
import { SPEAK, TRANSLATE, underTest } from './service-under-test.ts';

const ANSWER = Buffer.from('{"traceId":"t","msgId":"2000000","msg":"success","data":"你好"}');
const SOUND = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 37) % 251));

const plain = (bytes: Buffer) => bytes;
const twice = (bytes: Buffer) => gzipSync(gzipSync(bytes));

const READABLE: readonly [encoding: string, compress: (bytes: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  [' GZip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['gzip, gzip', twice],
  ['gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))],
  ['identity, gzip', gzipSync],
  ['', plain],
  ['identity', plain],
  ['utf-8', plain],
];

test.each(READABLE)('%o over what %o makes of it', async (encoding, compress) => {
  const answer = (bytes: Buffer) => raw(compress(bytes), 200, { 'content-encoding': encoding });
  const { service, meter, outcomes } = await underTest({
    [TRANSLATE]: [answer(ANSWER)],
    [SPEAK]: [answer(SOUND)],
  });
  const translation = await service.translate({ text: 'ཀ', from: 'tibetan', to: 'chinese' }, { meter });
  expect(translation.text).toBe('你好');
  const speech = await service.speak({ text: 'ཀ', variety: 'amdo' }, { meter });
  expect(Buffer.concat(await Array.fromAsync(speech)).equals(SOUND)).toBe(true);
  expect(outcomes()).toEqual(['charged', 'charged']);
});

test.each(['gzip', 'br', 'deflate', 'zstd', 'aes128gcm', 'gzip, br, zstd'])(
  'JSON that is only said to be %s',
  async (encoding) => {
    const { service, meter } = await underTest({
      [TRANSLATE]: [raw(ANSWER, 200, { 'content-encoding': encoding })],
    });
    const asked = { text: 'ཀ', from: 'tibetan', to: 'chinese' } as const;
    expect((await service.translate(asked, { meter })).text).toBe('你好');
  },
);

test('sound that is only said to be compressed may be anything, and is not heard', async () => {
  const { service, meter, outcomes } = await underTest({
    [SPEAK]: [raw(SOUND, 200, { 'content-encoding': 'gzip' })],
  });
  const speaking = service.speak({ text: 'ཀ', variety: 'amdo' }, { meter });
  await expect(speaking).rejects.toMatchObject({ kind: expect.stringMatching(/malformed|unavailable/) });
  expect(outcomes()).toEqual(['in-doubt', 'in-doubt', 'in-doubt']);
});
