/** Documents as sources: the pages of a PDF, or the text of a file. */
import { z } from 'zod';
import { readPdf, unpaidPages } from '../interpreter/document.ts';
import { chosenPages, type DocumentWords, documentWords } from '../language/page-range.ts';
import { LANGUAGES, type Language, otherLanguage } from '../language/script.ts';
import { MAX_PAGES } from '../media/document/pdf.ts';
import { subtitlesIn } from '../media/document/subtitles.ts';
import { type Button, isChannel, keptForButton } from '../telegram/answer/buttons.ts';
import type { BotContext } from '../telegram/context.ts';
import { notice } from '../telegram/outbox/answer.ts';
import { callbackMessage } from '../telegram/request/callback.ts';
import { repliedMessage } from '../telegram/request/intent.ts';
import { loadable, loadText, type SentDocument } from '../telegram/request/sent-file.ts';
import { type Source, textSource } from './source.ts';

/** How to read a document. */
interface DocumentOptions extends Partial<Omit<DocumentWords, 'language' | 'areUnderstood'>> {
  readonly language: Language;
  /** Its caption can be translated. */
  readonly isCaptioned?: boolean;
}

export function documentSource(document: SentDocument, reading: DocumentOptions): Source {
  return document.kind === 'pdf' || document.kind === 'tiff'
    ? pdfSource(document, reading)
    : textFileSource(document, reading);
}

function textFileSource(document: SentDocument, { isCaptioned }: DocumentOptions): Source {
  return {
    ...textSource('', document.message),
    fileName: document.name,
    needsNoReading: 'document-is-text',
    read: async ({ bot, signal }) => {
      const text = await loadText(bot.api, document, signal);
      const subtitles = document.kind === 'srt' ? subtitlesIn(text) : undefined;
      return [[{ number: 1, text: subtitles?.text ?? text, isLayer: true, subtitles }]];
    },
    captionButton: async (ctx) => captionButton(ctx, isCaptioned),
  };
}

function pdfSource(document: SentDocument, reading: DocumentOptions): Source {
  const { language, isInBoth, ranges, isForced, passwords, isCaptioned } = reading;
  const how = { ranges, isForced, passwords };
  const replyTo = document.message;
  return {
    replyTo,
    fileName: document.name,
    form: 'file',
    languages: isInBoth ? [language, ...LANGUAGES.filter((one) => one !== language)] : [language],
    read: async (ctx, languages, asked) => {
      const { bot, asker, signal } = ctx;
      const pdf = loadable(bot.api, document.file);
      const more = { asker, signal, ...asked };
      const { pageCount, inEach } = await readPdf(bot.interpreter, { pdf, ...how, languages }, more);
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
    unread: ({ bot, asker, signal }, languages) => {
      const pdf = loadable(bot.api, document.file);
      return unpaidPages(bot.interpreter, { pdf, ...how, languages }, { asker, signal });
    },
    againButton: (ctx, language) => againButton(ctx, document, { ranges, isForced }, language),
    captionButton: async (ctx) => captionButton(ctx, isCaptioned),
  };
}

/** "Translate caption", if the caption says more than pages and language. */
function captionButton(ctx: BotContext, isCaptioned: boolean | undefined): Button[] {
  if (isCaptioned !== true || isChannel(ctx)) return [];
  return [{ text: ctx.words('button-translate-caption'), callback_data: 'caption' }];
}

const range = z.tuple([z.number(), z.number()]);
/** The stored JSON of a document with a button. */
const keptDocument = z.object({
  kind: z.enum(['pdf', 'tiff']).optional(),
  fileId: z.string(),
  uniqueId: z.string(),
  name: z.string().optional(),
  bytes: z.number().optional(),
  message: z.number().optional(),
  ranges: z.array(range).optional(),
  isForced: z.boolean().optional(),
});

/** Stores the document for the button; empty if that fails, and in a channel. */
async function againButton(
  ctx: BotContext,
  { kind, file, name, message }: SentDocument,
  { ranges, isForced }: Pick<DocumentOptions, 'ranges' | 'isForced'>,
  read: Language,
): Promise<Button[]> {
  if (isChannel(ctx)) return [];
  const { file_id: fileId, file_unique_id: uniqueId, file_size: bytes } = file;
  const kept = JSON.stringify({ kind, fileId, uniqueId, name, bytes, message, ranges, isForced });
  const id = await keptForButton(ctx.bot, ctx.person, kept, 'document');
  const other = otherLanguage(read);
  if (id === undefined) return [];
  return [{ text: ctx.words(`button-read-${other}`), callback_data: `pages:${other}:${id}` }];
}

/** The document stored under this id; undefined if it has expired. */
export async function keptPages(
  ctx: BotContext,
  id: string,
  language: Language,
): Promise<Source | undefined> {
  const whole = await ctx.bot.wholes.find('document', id);
  if (whole === undefined) return undefined;
  const {
    kind = 'pdf',
    fileId,
    uniqueId,
    name,
    bytes,
    message,
    ranges,
    isForced,
  } = keptDocument.parse(JSON.parse(whole));
  const size = bytes === undefined ? {} : { file_size: bytes };
  const file = { file_id: fileId, file_unique_id: uniqueId, ...size };
  // A password is never stored: it is in the caption that the button's message replies to.
  const replied = repliedMessage(callbackMessage(ctx));
  const { passwords } = documentWords(
    replied !== undefined && 'caption' in replied ? (replied.caption ?? '') : '',
  );
  return documentSource({ kind, file, name, message }, { language, ranges, isForced, passwords });
}
