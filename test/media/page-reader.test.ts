/** Many pages are read in a process of its own, and just as few are. */
import { expect, it } from 'vitest';
import { readingsOfPages } from '../../src/language/reading/reading.ts';
import { PageReader } from '../../src/media/document/page-reader.ts';

/** Lines that run on, over the edges of the pages, too. */
const PAGES = Array.from({ length: 40 }, (_, page) => ({
  lines: Array.from({ length: 8 }, (_, line) => `${'བོད་ཡིག་'.repeat(5)}ཤོག་${page * 8 + line}་`),
}));

it('gives the same readings for many pages, in which sentences run over the edges', async () => {
  const reader = new PageReader();
  const readings = await reader.read(PAGES, { person: '1', signal: new AbortController().signal });
  expect(readings).toEqual(readingsOfPages(PAGES));
  expect(readings.filter((reading) => reading === '').length).toBeGreaterThan(30);
});

it('stops when it is cancelled', async () => {
  const work = new AbortController();
  const reading = new PageReader().read(PAGES, { person: '1', signal: work.signal });
  work.abort();
  await expect(reading).rejects.toMatchObject({ kind: 'cancelled' });
});
