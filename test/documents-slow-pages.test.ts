/** A page of a PDF may take 10 seconds of the processor to open or to draw, and those beside it are read all the same (spec §2, Documents). */
import { expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { aPageSlowToOpen, aPdf, type Page } from './media/pdfs.ts';
import { newTibetan, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene();

/** Twice 10 s of the processor take minutes at the niceness of the bot's children on a busy machine. */
const PATIENCE_MS = 600_000;

/** More text than a pipe holds at once: it waits in the process that opens the file, unless that writes it before it goes on. */
const aLongPage = (): Page => ({
  lines: Array<string>(1100).fill(`${newTibetan()}།`.repeat(8).slice(0, 70)),
});

const isFile = ({ document }: Message): boolean => document?.file_name === 'book · བོད་ཡིག.txt';

it('a page that takes too long to open, and so to draw, says so in its place; the others are read, and text costs nothing', {
  timeout: PATIENCE_MS,
}, async () => {
  const person = scene.newcomer();
  const [before, behind] = [newTibetan(), newTibetan()];
  const scan: Page = { jpeg: { bytes: await aJpeg(), width: 320, height: 200 }, size: [160, 100] };
  const pdf = aPdf([aLongPage(), { lines: [before] }, aPageSlowToOpen(), { lines: [behind] }, scan]);
  const paid = await scene.paidBy(async () => {
    const message = await person.sendDocument(person.chat, pdf, {
      fileName: 'book.pdf',
      mimeType: 'application/pdf',
    });
    const { world } = scene.telegram;
    const wait = { after: message, timeoutMs: PATIENCE_MS };
    const answer = await world.waitForMessage(message.chat, isFile, wait);
    expect(answer.caption).toMatch(/^4 pages read\. /);
    expect(answer.caption).toContain(says('document-read-failed', 'en', { count: 1 }));
    const text = scene.telegram.world.fileBytes(answer.document?.file_id ?? '').toString('utf8');
    const pages = text.split(/———— \d ————\n/u);
    const [first, second, third, fourth] = pages.slice(2);
    expect([first, third]).toEqual([`${before}\n\n`, `${behind}\n\n`]);
    expect(second).toContain(says('document-page-unreadable'));
    expect(fourth).toMatch(/^\p{Script=Tibetan}/u);
  });
  expect(paid).toBe(1);
});
