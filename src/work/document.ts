/** Documents as sources: the pages of a PDF or a TIFF, or the text of a file. */
import { readPdf, unpaidPages } from '../interpreter/document.ts';
import { chosenPages } from '../language/page-range.ts';
import { MAX_PAGES } from '../media/document/pdf.ts';
import { subtitlesIn } from '../media/document/subtitles.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { notice } from '../telegram/outbox/answer.ts';
import { loadable, loadText, type SentDocument } from '../telegram/request/sent-file.ts';
import { type Files, type ReadingOptions, type Source, textSource } from './source.ts';

export function textFileSource(api: BotApi, document: SentDocument, files: Files): Source {
  return {
    ...textSource('', document.message),
    files,
    needsNoReading: 'document-is-text',
    read: async ({ signal }) => {
      const text = await loadText(api, document, signal);
      const subtitles = document.kind === 'srt' ? subtitlesIn(text) : undefined;
      return [[{ number: 1, text: subtitles?.text ?? text, isLayer: true, subtitles }]];
    },
  };
}

/** A PDF, or a TIFF, whose pages are pictures. */
export function pagesSource(
  api: BotApi,
  { file, message: replyTo }: SentDocument,
  files: Files,
  { languages, passwords }: ReadingOptions,
): Source {
  const { ranges, isForced } = files;
  const pdf = { pdf: loadable(api, file), ranges, isForced, passwords };
  return {
    replyTo,
    files,
    form: 'file',
    languages,
    read: async (ctx, asked, options) => {
      const { bot, asker, signal } = ctx;
      const how = { asker, signal, ...options };
      const { pageCount, inEach } = await readPdf(bot.interpreter, { ...pdf, languages: asked }, how);
      if (inEach.some((pages) => pages.length > 0)) {
        // Pages with a text layer have the same text in both languages.
        const isDrawn = inEach[0]?.some(({ isLayer }) => !isLayer) === true;
        return isDrawn ? inEach : inEach.slice(0, 1);
      }
      const isTooMany = chosenPages(ranges, pageCount, MAX_PAGES).length > MAX_PAGES;
      const id = isTooMany ? 'document-too-many-pages' : 'document-no-such-pages';
      await notice(ctx, id, { args: { count: pageCount, most: MAX_PAGES }, replyTo });
      return undefined;
    },
    unread: ({ bot, asker, signal }, asked) =>
      unpaidPages(bot.interpreter, { ...pdf, languages: asked }, { asker, signal }),
  };
}
