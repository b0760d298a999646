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
  const task: PdfTask = { passwords: [], maxPages: 2, maxLetters, wasmBytes: 256 * 1024 * 1024 };
  const exitCodes = { tooLong: 68 };
  const input = Buffer.concat([Buffer.from(`${JSON.stringify({ ...task, exitCodes })}\n`), pdf]);
  expect(spawnSync(process.execPath, [PROGRAM, `${input.length}`], { input }).status).toBe(code);
});
