/** The marks between the pages of a document's text, by which a file of the bot's is known again as pages. */
import { readingOfPages } from './reading.ts';

interface NumberedPage {
  readonly number: number;
  readonly text: string;
}

/** A page, or several that a sentence runs through. */
export interface MarkedPage extends NumberedPage {
  /** The last of several; unset where it is one. */
  readonly last?: number | undefined;
}

const RULE = '————';
const MARK = new RegExp(`^${RULE} \\d+(?:–\\d+)? ${RULE}$`, 'mu');

/** All pages in one text, each under its number. */
export function withPageMarks(pages: readonly MarkedPage[]): string {
  const marked = pages.map(({ number, last, text }) => {
    const numbers = last === undefined ? String(number) : `${number}–${last}`;
    return `${RULE} ${numbers} ${RULE}\n${text}`.trimEnd();
  });
  return marked.join('\n\n');
}

/** Pages with their readings (`readingsOfPages`): those that one sentence runs through are one. */
export function runsOfPages(pages: readonly NumberedPage[], readings: readonly string[]): MarkedPage[] {
  const runs: MarkedPage[] = [];
  for (const [index, { number, text }] of pages.entries()) {
    const reading = readings[index] ?? '';
    const holder = reading === '' && text.trim() !== '' ? runs.findLastIndex((run) => run.text !== '') : -1;
    const run = runs[holder];
    if (run === undefined) runs.push({ number, text: reading });
    // A page without text that stands between is within them.
    else runs.splice(holder, runs.length, { ...run, last: number });
  }
  return runs;
}

/** The text of the pages, without marks. */
export function textOfRuns(runs: readonly MarkedPage[]): string {
  return runs
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');
}

/** What ends a paragraph of a page: a blank line tells more surely than any break. */
const PARAGRAPH_ENDS = [/\n/u, /\n[^\S\n]*\n\s*/u];

/**
 * The translation of `textOfRuns` under the same marks. Undefined where it has other paragraphs than its original, so that nothing tells
 * where a page of it begins.
 */
export function markedLike(runs: readonly MarkedPage[], translation: string): string | undefined {
  for (const end of PARAGRAPH_ENDS) {
    const given = textOfRuns(runs).split(end);
    const parts = translation.split(end);
    const isAlike = parts.every((part, index) => (part.trim() === '') === (given[index]?.trim() === ''));
    if (parts.length !== given.length || !isAlike) continue;
    const between = end === PARAGRAPH_ENDS[0] ? '\n' : '\n\n';
    let at = 0;
    const pages = runs.map((run) => {
      if (run.text === '') return run;
      const count = run.text.split(end).length;
      const text = parts.slice(at, at + count).join(between);
      // The blank line between two pages is no line of either.
      at += count + (between === '\n' ? 1 : 0);
      return { ...run, text };
    });
    return withPageMarks(pages);
  }
  return undefined;
}

/** The reading (spec §2) of pages under their marks; a text without marks is given as it is. */
export function readingWithoutMarks(text: string): string {
  if (!MARK.test(text)) return text;
  return readingOfPages(text.split(new RegExp(MARK, 'gmu')).map((page) => page.trim().split('\n')));
}
