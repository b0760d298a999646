/** The marks between the pages of a document's text, by which a file of the bot's is known again as pages. */
import { readingOfPages } from './reading.ts';

interface MarkedPage {
  readonly number: number;
  readonly text: string;
}

const RULE = '————';
const MARK = new RegExp(`^${RULE} \\d+ ${RULE}$`, 'mu');

/** All pages in one text, each under its number. */
export function withPageMarks(pages: readonly MarkedPage[]): string {
  return pages.map(({ number, text }) => `${RULE} ${number} ${RULE}\n${text}`.trimEnd()).join('\n\n');
}

/** The reading (spec §2) of pages under their marks; a text without marks is given as it is. */
export function readingWithoutMarks(text: string): string {
  if (!MARK.test(text)) return text;
  return readingOfPages(text.split(new RegExp(MARK, 'gmu')).map((page) => page.trim().split('\n')));
}
