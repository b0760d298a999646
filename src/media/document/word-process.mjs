/** The process that opens a Word document: its text on standard output. `word.ts` starts it with bounded memory and time. */
import { writeSync } from 'node:fs';
import { file, task } from '../task.mjs';
import { TooLong, Unreadable } from './word-parts.mjs';
import { wordText } from './word-text.mjs';

const STANDARD_OUTPUT = 1;

try {
  const text = Buffer.from(wordText(file, task.maxBytes));
  for (let at = 0; at < text.length; ) at += writeSync(STANDARD_OUTPUT, text, at);
} catch (error) {
  if (error instanceof TooLong) process.exit(task.exitCodes.tooLong);
  if (error instanceof Unreadable) process.exit(task.exitCodes.unreadable);
  throw error;
}
