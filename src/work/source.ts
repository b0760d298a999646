/** What a request is about: a text, pictures or a document. Whoever works with one need not know which. */
import type { ReadPage } from '../interpreter/document.ts';
import type { RequestOptions } from '../interpreter/request.ts';
import type { Language } from '../language/script.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Button } from '../telegram/answer/buttons.ts';
import type { BotContext } from '../telegram/context.ts';

/** A page as it was read: its text line by line, or the failure for which it has none. */
export interface Page extends ReadPage {
  /** Something was read, but hardly a letter: its text is left empty. */
  readonly isUnlikely?: true;
}

/** Where a page begins, as a share of the whole text (0 to 1). */
export interface PageStart {
  readonly number: number;
  readonly share: number;
}

export interface Source {
  /** The message that the answer goes under; undefined for the one that asked. */
  readonly replyTo: number | undefined;
  /** `text`: its reader has it already; `lines`: recognised lines, shown in a message; `file`: pages, shown in a file. */
  readonly form: 'text' | 'lines' | 'file';
  /** To read it in; a text has none. If there are two, only what is read is shown in both. */
  readonly languages: readonly Language[];
  /** Said to somebody who asks to have a text read, as a key of `locales/`. */
  readonly needsNoReading?: string;
  /** The name of the file that it came in. */
  readonly fileName?: string | undefined;
  /** Its translation in its own format, to be sent as a file; unset, or undefined, for a text as any other. Called after `read`. */
  inFormat?(translation: string): string | undefined;
  /** For a text that was read on pages: where they begin. */
  readonly pages?: readonly PageStart[];
  /** Taken in its place if nothing is found in it. */
  readonly caption?: string | undefined;
  /**
   * Its pages in each language; at least `callsAfter` follow. Undefined if it has no such pages; then the person has been told. Another source
   * if it turns out to be one. Throws a failure that all pages share.
   */
  read(
    ctx: BotContext,
    languages: readonly Language[],
    asked: Pick<RequestOptions, 'onProgress' | 'callsAfter'>,
  ): Promise<readonly (readonly Page[])[] | Source | undefined>;
  /** The paid calls that `read` would make. */
  unread(ctx: BotContext, languages: readonly Language[]): Promise<readonly CallKind[]>;
  /** The button that reads it again, in the other language than this; empty if there is none. */
  againButton(ctx: BotContext, language: Language): Promise<readonly Button[]>;
  /** The button that translates its caption; empty if it has none to translate. */
  captionButton(ctx: BotContext): Promise<readonly Button[]>;
}

/** A source as it was read in one language. */
export interface Found {
  /** Undefined for a text. */
  readonly language: Language | undefined;
  readonly pages: readonly Page[];
  /** The reading of each page; empty also for one that continues the page before. */
  readonly readings: readonly string[];
  /** The readings of all pages, which are translated or spoken. */
  readonly text: string;
}

/** A text that somebody wrote: one page that costs nothing. */
export function textSource(text: string, replyTo?: number): Source {
  return {
    replyTo,
    form: 'text',
    languages: [],
    needsNoReading: 'ocr-no-photo',
    read: async () => [[{ number: 1, text, isLayer: true }]],
    unread: async () => [],
    againButton: async () => [],
    captionButton: async () => [],
  };
}
