/** The marks between the pages of a document's text; by them the bot finds the pages of its own files again. */

interface NumberedPage {
  readonly number: number;
  readonly text: string;
}

/** A page, or several joined by a sentence. */
export interface MarkedPage extends NumberedPage {
  /** The last of several pages; unset for one. */
  readonly last?: number | undefined;
}

const RULE = '————';
/** The mark above each page, or above several that a sentence joins. */
export const PAGE_MARK = new RegExp(`^${RULE} \\d+(?:–\\d+)? ${RULE}$`, 'gmu');

/** The pages that a mark stands above, with their texts; none if there is no mark. */
export function pagesByMarks(text: string): MarkedPage[] {
  const texts = text.split(PAGE_MARK).slice(1);
  return [...text.matchAll(PAGE_MARK)].map(([mark], index) => {
    const [number = 1, last] = (mark.match(/\d+/gu) ?? []).map(Number);
    return { number, last, text: texts[index]?.trim() ?? '' };
  });
}

export function withPageMarks(pages: readonly MarkedPage[]): string {
  const marked = pages.map(({ number, last, text }) => {
    const numbers = last === undefined ? String(number) : `${number}–${last}`;
    return `${RULE} ${numbers} ${RULE}\n${text}`.trimEnd();
  });
  return marked.join('\n\n');
}

/** Pages with their readings (`readingsOfPages`); pages joined by a sentence become one. */
export function runsOfPages(pages: readonly MarkedPage[], readings: readonly string[]): MarkedPage[] {
  const runs: MarkedPage[] = [];
  for (const [index, page] of pages.entries()) {
    const { number, text } = page;
    const reading = readings[index] ?? '';
    const holder = reading === '' && text.trim() !== '' ? runs.findLastIndex((run) => run.text !== '') : -1;
    const run = runs[holder];
    if (run === undefined) runs.push({ ...page, text: reading });
    // An empty page in between belongs to them.
    else runs.splice(holder, runs.length, { ...run, last: number });
  }
  return runs;
}

export function textOfRuns(runs: readonly MarkedPage[]): string {
  return runs
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');
}

const BETWEEN_PARAGRAPHS = /\n[^\S\n]*\n\s*/u;

/** Puts the translation of `textOfRuns` under the same marks. Undefined if the numbers of paragraphs differ, so that pages cannot be found. */
export function markedLike(runs: readonly MarkedPage[], translation: string): string | undefined {
  const paragraphs = translation.split(BETWEEN_PARAGRAPHS);
  if (paragraphs.length !== textOfRuns(runs).split(BETWEEN_PARAGRAPHS).length) return undefined;
  let at = 0;
  const pages = runs.map((run) => {
    if (run.text === '') return run;
    const start = at;
    at += run.text.split(BETWEEN_PARAGRAPHS).length;
    return { ...run, text: paragraphs.slice(start, at).join('\n\n') };
  });
  return withPageMarks(pages);
}
