/** What a request acts on: a text, pictures or a document, all behind one interface. */
import { z } from 'zod';
import type { ReadPage } from '../interpreter/document.ts';
import type { RequestOptions } from '../interpreter/request.ts';
import type { MarkedPage } from '../language/reading/page-marks.ts';
import type { Language } from '../language/script.ts';
import type { Subtitles } from '../media/document/subtitles.ts';
import type { CallKind } from '../paid-calls.ts';
import type { BotContext } from '../telegram/context.ts';
import { DOCUMENT_KINDS } from '../telegram/request/sent-file.ts';

/** The id of a message; undefined if that is in another chat. */
const message = z.number().optional();
const file = z.object({
  file_id: z.string(),
  file_unique_id: z.string(),
  file_size: z.number().optional(),
  file_name: z.string().optional(),
  isPhoto: z.boolean().optional(),
});

/** Files with all that a button must know to read them again. A password is never stored. */
export const filesSchema = z.object({
  kind: z.enum(['pictures', ...DOCUMENT_KINDS]),
  /** Pictures in their order, or one document; each with its message. */
  files: z.array(z.object({ file, message })).readonly(),
  /** The pages to read of a document; all by default. */
  ranges: z
    .array(z.tuple([z.number(), z.number()]).readonly())
    .readonly()
    .optional(),
  /** Recognise a document, whatever text it has. */
  isForced: z.boolean().optional(),
  /** The first caption that can be translated, with its message. */
  captioned: z.object({ text: z.string(), message }).optional(),
});
export type Files = z.infer<typeof filesSchema>;

/** A read page: its text line by line, or the failure that left it without text. */
export interface Page extends ReadPage {
  /** The recognised text was nonsense: its text is left empty. */
  readonly isUnlikely?: true;
  /** The text is that of subtitles, whose times its translation keeps. */
  readonly subtitles?: Subtitles | undefined;
}

/** Where a page begins, as a share of the whole text (0 to 1). */
export interface PageStart {
  readonly number: number;
  readonly share: number;
}

/** What is known of the document that a text was in. */
export interface OfDocument {
  /** The name of its file, after which a translation that no message holds is named. */
  readonly name: string | undefined;
  readonly pages?: readonly MarkedPage[] | undefined;
  /** Its pages with their readings (`runsOfPages`). */
  readonly runs?: readonly MarkedPage[] | undefined;
  readonly subtitles?: Subtitles | undefined;
}

export interface Source {
  /** The message that the answer goes under; undefined for the one that asked. */
  readonly replyTo: number | undefined;
  /** `text`: the person has it already; `lines`: recognised lines, shown in a message; `file`: pages, shown in a file. */
  readonly form: 'text' | 'lines' | 'file';
  /** The languages to read it in; none for a text. If there are two, only a reading is shown in both. */
  readonly languages: readonly Language[];
  /** What it is read from; unset for a written text. */
  readonly files?: Files;
  /** Set for what was in a file of words or pages. */
  readonly document?: OfDocument | undefined;
  /** Its pages in each language; at least `callsAfter` follow. */
  read(
    ctx: BotContext,
    languages: readonly Language[],
    asked: Pick<RequestOptions, 'onProgress' | 'callsAfter'>,
  ): Promise<readonly (readonly Page[])[]>;
  /** The paid calls that `read` would make. */
  unread(ctx: BotContext, languages: readonly Language[]): Promise<readonly CallKind[]>;
}

/** A source, read in one language. */
export interface Found {
  /** Undefined for a text. */
  readonly language: Language | undefined;
  readonly pages: readonly Page[];
  /** The reading of each page; empty also for one that continues the page before. */
  readonly readings: readonly string[];
  /** The readings of all pages, which are translated or spoken. */
  readonly text: string;
}

/** A written text: one page without paid calls. */
export function textSource(text: string, replyTo?: number, document?: OfDocument): Source {
  return {
    replyTo,
    document,
    form: 'text',
    languages: [],
    read: async () => [[{ number: 1, text, isLayer: true, subtitles: document?.subtitles }]],
    unread: async () => [],
  };
}
