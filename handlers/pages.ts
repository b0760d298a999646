/** Reads the pages of a document and answers with a text file with page marks; reads them again in the other language. */
import { z } from 'zod';
import { type Failure, mayPass } from '../src/errors.ts';
import type { ReadPage } from '../src/interpreter/document.ts';
import type { PageRange } from '../src/language/page-range.ts';
import {
  type MarkedPage,
  runsOfPages,
  textOfRuns,
  withPageMarks,
} from '../src/language/reading/page-marks.ts';
import { parseReadingLanguage } from '../src/language/reading-language.ts';
import { LANGUAGES, type Language, otherLanguage } from '../src/language/script.ts';
import { MOST_PAGES } from '../src/media/document/pdf.ts';
import type { CallKind } from '../src/paid-calls.ts';
import {
  type Button,
  isChannel,
  keptForButton,
  textButtons,
  tryAgainButton,
} from '../src/telegram/answer/buttons.ts';
import { failureWords } from '../src/telegram/answer/failure-words.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answerWithFile, doubtsIn, notice } from '../src/telegram/outbox/answer.ts';
import { type Activity, whileShowing } from '../src/telegram/outbox/progress.ts';
import { asRemark, readingsOf } from '../src/telegram/request/additions.ts';
import { type Callback, noticeIfGone } from '../src/telegram/request/callback.ts';
import { type DocumentToRead, loadable, loadText } from '../src/telegram/request/sent-file.ts';

/** "Translate caption", if the document's caption says more than pages and language. */
export function documentCaptionButtons(
  ctx: BotContext,
  { isCaptioned }: Pick<DocumentToRead, 'isCaptioned'>,
): Button[] {
  if (isCaptioned !== true || isChannel(ctx)) return [];
  return [{ text: ctx.words('button-translate-caption'), callback_data: 'caption' }];
}

/** Answers with the text of a PDF's pages; if read in both languages, with a file for each. A text file needs no reading: it says so. */
export async function readDocument(ctx: BotContext, asked: DocumentToRead): Promise<void> {
  if (asked.document.kind === 'text') return notice(ctx, 'document-is-text', { replyTo: asked.replyTo });
  await whileShowing(ctx, 'typing', async (activity) => {
    const languages = asked.isInBoth ? LANGUAGES : [asked.language];
    for (const found of await readPdf(ctx, asked, languages, activity, [])) await found.answer();
  });
}

export interface FoundText {
  /** The text of the document without page marks, or its translation. */
  readonly reading: string;
  /** The same page by page; pages joined by a sentence stand together. */
  readonly pages: readonly MarkedPage[];
  /** Answers with it; does nothing if the person sent the text itself. */
  answer(): Promise<void>;
}

/** The text of a document; at least `callsAfter` follow. Undefined if there is none; then the person has been told. */
export async function readDocumentOnTheWay(
  ctx: BotContext,
  asked: DocumentToRead,
  activity: Activity,
  callsAfter: readonly CallKind[],
): Promise<FoundText | undefined> {
  const { document, language } = asked;
  if (document.kind === 'text') {
    const reading = await loadText(ctx.bot.api, document.file, ctx.signal);
    return { reading, pages: [], answer: async () => {} };
  }
  const [found] = await readPdf(ctx, asked, [language], activity, callsAfter);
  return found;
}

/** The text of a PDF's pages in each language; the person has been told of a language without text. */
async function readPdf(
  ctx: BotContext,
  asked: DocumentToRead,
  languages: readonly Language[],
  activity: Activity,
  callsAfter: readonly CallKind[],
): Promise<FoundText[]> {
  const { document, replyTo, ranges } = asked;
  const { api, interpreter } = ctx.bot;
  const { pageCount, inEach } = await interpreter.readPdf(loadable(api, document.file), ranges, languages, {
    asker: ctx.asker,
    signal: ctx.signal,
    onProgress: activity.part(),
    callsAfter,
  });
  if (inEach.every((pages) => pages.length === 0)) {
    const isTooMany = countOf(ranges, pageCount) > MOST_PAGES;
    const id = isTooMany ? 'document-too-many-pages' : 'document-no-such-pages';
    await notice(ctx, id, { args: { count: pageCount, most: MOST_PAGES }, replyTo });
    return [];
  }
  // Pages with a text layer have the same text in both languages.
  const isDrawn = inEach[0]?.some(({ isLayer }) => !isLayer) === true;
  const found: FoundText[] = [];
  for (const [index, pages] of (isDrawn ? inEach : inEach.slice(0, 1)).entries()) {
    const language = languages[index] ?? asked.language;
    const text = await textOfPages(ctx, { ...asked, language }, pages, isDrawn && languages.length > 1);
    if (text !== undefined) found.push(text);
  }
  const said = found.map(({ reading }) => reading).filter((reading) => reading !== '');
  if (said.length > 0) ctx.session.lastText = said.join('\n\n');
  return found;
}

/** `isOneOfBoth`: the pages are also read in the other language, with an answer of its own. */
async function textOfPages(
  ctx: BotContext,
  asked: DocumentToRead,
  pages: readonly ReadPage[],
  isOneOfBoth: boolean,
): Promise<FoundText | undefined> {
  const { language, replyTo } = asked;
  const again = isOneOfBoth ? [] : await readPagesAgainButtons(ctx, asked);
  const caption = documentCaptionButtons(ctx, asked);
  if (pages.every(({ text, failure }) => text === '' && failure === undefined)) {
    await notice(ctx, `document-nothing-found-${language}`, { keyboard: [again, caption], replyTo });
    return undefined;
  }
  const heading = isOneOfBoth ? ctx.words(`language-${language}`) : undefined;
  const readings = await readingsOf(
    ctx,
    pages.map(({ text }) => text),
  );
  const runs = runsOfPages(pages, readings);
  const reading = textOfRuns(runs);
  return {
    reading,
    pages: runs,
    answer: () => answerPages(ctx, { pages, reading, again, caption, replyTo, heading }),
  };
}

/** The number of pages asked for. */
function countOf(ranges: readonly PageRange[] | undefined, pageCount: number): number {
  const fromStart = (number: number): number => (number < 0 ? pageCount + 1 + number : number);
  const numbers = (ranges ?? [[1, pageCount]]).map(
    ([from, to]) => Math.min(fromStart(to), pageCount) - Math.max(1, fromStart(from)) + 1,
  );
  return numbers.reduce((sum, count) => sum + Math.max(0, count), 0);
}

interface Pages {
  readonly pages: readonly ReadPage[];
  readonly reading: string;
  readonly again: readonly Button[];
  readonly caption: readonly Button[];
  readonly replyTo: number | undefined;
  /** The language, if there is an answer for each. */
  readonly heading: string | undefined;
}

/** Sends the pages as a file; a remark stands in place of a page that failed. */
async function answerPages(
  ctx: BotContext,
  { pages, reading, again, caption: captionRow, replyTo, heading }: Pages,
): Promise<void> {
  const failures = pages.flatMap(({ failure }) => failure ?? []);
  const repeat = failures.some(mayPass) ? [tryAgainButton(ctx)] : [];
  const free = pages.filter(({ isLayer }) => isLayer).length;
  const caption = [
    ...(heading === undefined ? [] : [`${heading}:`]),
    ctx.words('document-read', { count: pages.length - failures.length }),
    ...(free > 0 ? [ctx.words('document-read-free', { count: free })] : []),
    ...(failures.length > 0 ? [ctx.words('document-read-failed', { count: failures.length })] : []),
  ];
  const shown = withPageMarks(
    pages.map(({ number, text, failure }) => ({
      number,
      text: failure === undefined ? text : asRemark(pageFailureWords(ctx, failure)),
    })),
  );
  const recognised = pages.filter(({ isLayer }) => !isLayer).map(({ text }) => text);
  const doubts = doubtsIn(ctx, recognised.join('\n'));
  await answerWithFile(ctx, shown, {
    caption: [caption.join(' '), ...(doubts === undefined ? [] : [doubts])].join('\n\n'),
    about: reading,
    isFoundInFile: true,
    keyboard: (text, whole) => [
      ...(text === '' ? [again, captionRow] : textButtons(ctx, again, captionRow)(text, whole)),
      repeat,
    ],
    replyTo,
  });
}

function pageFailureWords(ctx: BotContext, failure: Failure): string {
  const isPage = failure.kind === 'document-unreadable' || failure.kind === 'document-too-large';
  return isPage ? ctx.words('document-page-unreadable') : failureWords(ctx, failure);
}

const range = z.tuple([z.number(), z.number()]);
/** The JSON of a document kept for its button. */
const keptDocument = z.object({
  fileId: z.string(),
  uniqueId: z.string(),
  bytes: z.number().optional(),
  message: z.number().optional(),
  ranges: z.array(range).optional(),
});

/** Keeps the document for the button; empty if that fails, and in a channel. */
async function readPagesAgainButtons(
  ctx: BotContext,
  { document, ranges, language }: DocumentToRead,
): Promise<[Button] | []> {
  if (isChannel(ctx)) return [];
  const { file_id: fileId, file_unique_id: uniqueId, file_size: bytes } = document.file;
  const kept = JSON.stringify({ fileId, uniqueId, bytes, message: document.message, ranges });
  const id = await keptForButton(ctx.bot, ctx.person, kept, 'document');
  const other = otherLanguage(language);
  if (id === undefined) return [];
  return [{ text: ctx.words(`button-read-${other}`), callback_data: `pages:${other}:${id}` }];
}

/** "Read in the other language", under the pages of a document: the same pages. */
export const readPagesAgain: Callback<BotContext> = {
  data: /^pages:(\w+):(?<whole>[\w-]+)$/,
  notice: noticeIfGone('document-gone', 'document'),
  handle: async (ctx, [, word = '', id = '']) => {
    const language = parseReadingLanguage(word);
    const whole = await ctx.bot.wholes.find('document', id);
    // `notice` has told the sender.
    if (language === undefined || whole === undefined) return;
    const { fileId, uniqueId, bytes, message, ranges } = keptDocument.parse(JSON.parse(whole));
    const file = {
      file_id: fileId,
      file_unique_id: uniqueId,
      ...(bytes !== undefined && { file_size: bytes }),
    };
    await readDocument(ctx, { document: { kind: 'pdf', file, message }, replyTo: message, language, ranges });
  },
};
