/** The process that opens a PDF, told what it may not exceed. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { PdfTask } from '../../src/media/document/pdf.ts';
import { aPdf } from './pdfs.ts';

const PROGRAM = fileURLToPath(new URL('../../src/media/document/pdf-process.mjs', import.meta.url));

it.each([
  [40, 0],
  [39, 68],
])('two pages of 20 letters in %i letters end with code %i', (maxLetters, code) => {
  const pdf = aPdf([{ lines: ['བོད་'.repeat(5)] }, { lines: ['ཡིག་'.repeat(5)] }]);
  const task: PdfTask = {
    bytes: pdf.length,
    passwordBytes: 2,
    maxPages: 2,
    maxLetters,
    memoryBytes: 256 * 1024 * 1024,
    exitCodes: { unreadable: 65, tooLarge: 66, encrypted: 67, tooLong: 68, blank: 69 },
  };
  expect(
    spawnSync(process.execPath, [PROGRAM, JSON.stringify(task)], {
      input: Buffer.concat([Buffer.from('[]'), pdf]),
    }).status,
  ).toBe(code);
});
