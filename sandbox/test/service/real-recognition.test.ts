/** The real recognition: the sample photos through the service, as a caller would send them. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { SAMPLES, TIBETAN_SAMPLE } from '../../samples/samples.ts';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { askRecognition, freshToken } from './calling.ts';

const answerSchema = z.object({
  words_result_num: z.int(),
  words_result: z.array(
    z.object({
      words: z.string(),
      location: z
        .object({ top: z.number(), left: z.number(), width: z.number(), height: z.number() })
        .optional(),
      probability: z.object({ average: z.number(), variance: z.number(), min: z.number() }).optional(),
    }),
  ),
});

let service: LocalService;
let token: string;
beforeAll(async () => {
  service = await startLocalService();
  token = await freshToken(service);
  return () => service.close();
});

async function read(image: Buffer, fields: Record<string, string> = {}) {
  const response = await askRecognition(service, token, { image: image.toString('base64'), ...fields });
  return answerSchema.parse(await response.json());
}

test.each(SAMPLES)('the $language sample is read line by line, at least 95 % right', async (sample) => {
  // Tibetan is the language when none is named.
  const language: Record<string, string> = sample.language === 'bo' ? {} : { language_type: '1' };
  const answer = await read(await readFile(sample.file), language);
  expect(answer.words_result_num).toBe(sample.text.split('\n').length);
  const text = answer.words_result.map((line) => line.words).join('\n');
  expect(distance(text, sample.text) / [...sample.text].length).toBeLessThanOrEqual(0.05);
});

test('confidence comes when asked for, places only when the spelling has them', async () => {
  const image = await readFile(TIBETAN_SAMPLE.file);
  const plain = await read(image);
  expect(plain.words_result.every((line) => !line.probability && !line.location)).toBe(true);
  service.spelling.locations = true;
  const full = await read(image, { probability: 'true' });
  service.spelling.locations = false;
  for (const { location, probability } of full.words_result) {
    expect(location?.width).toBeGreaterThan(100);
    expect(probability?.average).toBeGreaterThan(0.5);
  }
  const tops = full.words_result.map((line) => line.location?.top ?? 0);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
});

test('an empty sheet has no lines, and a broken picture is an error', async () => {
  const blank = { create: { width: 400, height: 300, channels: 3, background: '#f5efe0' } } as const;
  expect(await read(await sharp(blank).png().toBuffer())).toEqual({ words_result_num: 0, words_result: [] });
  const image = await readFile(TIBETAN_SAMPLE.file);
  const broken = await askRecognition(service, token, { image: image.subarray(0, 5_000).toString('base64') });
  expect(await broken.json()).toEqual({ error_code: 216630, error_msg: 'recognize error' });
  expect((await read(image)).words_result_num).toBe(4);
});

/** Levenshtein's, in code points. */
function distance(a: string, b: string): number {
  const target = [...b];
  let row = Array.from({ length: target.length + 1 }, (_, column) => column);
  for (const [index, character] of [...a].entries()) {
    const next = [index + 1];
    for (const [column, other] of target.entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
