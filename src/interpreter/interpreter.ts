/** The bot's three abilities for the tiers above: recognise a picture, translate a text, speak a text. */
import type { PageRange } from '../language/page-range.ts';
import type { Language } from '../language/script.ts';
import type { Speaker } from '../language/variety.ts';
import { createPageReader } from '../media/document/page-reader.ts';
import { createPdfReader } from '../media/document/pdf.ts';
import { createImageFitter } from '../media/picture/image.ts';
import { createSemaphore } from '../media/semaphore.ts';
import type { CallKind } from '../paid-calls.ts';
import { Account } from './account.ts';
import type { Deps, InterpreterOptions } from './deps.ts';
import { type ReadDocument, readPdf, unpaidPages } from './document.ts';
import { isRecognised, readingsOf, recognise } from './recognition.ts';
import type { Asked, Payer, Picture } from './request.ts';
import {
  type SpokenText,
  speak,
  speakInTurn,
  type UploadedNote,
  unpaidSpeech,
  uploadedNotes,
} from './speech.ts';
import { translate, unpaidTranslation } from './translation.ts';

/** Room for hundreds of photos, but only six files of the largest size. */
const PICTURE_MEMORY_BYTES = 128 * 1024 * 1024;

/** Room for three files of the largest size. */
const DOCUMENT_MEMORY_BYTES = 60 * 1024 * 1024;

/** All methods throw `Failure`s (errors.ts); they never pay twice for the same thing. */
export interface Interpreter {
  /** The recognised lines, joined with line breaks; empty if nothing was found. */
  recognise(picture: Picture, language: Language, asked: Asked): Promise<string>;
  /** The readings of pages with these texts from `recognise` or `readPdf`; see `readingsOfPages`. Throws as `PageReader` does. */
  readingsOf(texts: readonly string[], asked: Pick<Asked, 'asker' | 'signal'>): Promise<string[]>;
  /** The present price of one call, in fen (a hundredth of a yuan). */
  price(kind: CallKind): number;
  /** To be called before work of these paid calls, and those after it: throws `limit-…` or `costly` if they are not allowed. */
  check(asker: Payer, calls: readonly CallKind[], callsAfter: readonly CallKind[]): Promise<void>;
  /** To be called with the calls that a request makes at least: throws `costly`, or `limit-…`, if they are more than the person has agreed to. */
  mustBeAgreed(asker: Payer, calls: readonly CallKind[]): Promise<void>;
  /** Whether `recognise` has its result already and makes no paid call. */
  isRecognised(picture: Picture, language: Language): Promise<boolean>;
  /** Reads the pages of a PDF, in `ranges` or all, in each of the languages. */
  readPdf(
    pdf: Picture,
    ranges: readonly PageRange[] | undefined,
    languages: readonly Language[],
    asked: Asked,
  ): Promise<ReadDocument>;
  /** The paid calls that `readPdf` would make. */
  unpaidPages(
    pdf: Picture,
    ranges: readonly PageRange[] | undefined,
    languages: readonly Language[],
    asked: Asked,
  ): Promise<readonly CallKind[]>;
  /** Translates a text of any length and keeps its layout. */
  translate(text: string, to: Language, asked: Asked): Promise<string>;
  /** The paid calls that `translate` would make. */
  unpaidTranslation(text: string, to: Language): Promise<readonly CallKind[]>;
  /** Speaks a text of any length as one voice note. */
  speak(text: string, speaker: Speaker, asked: Asked): Promise<SpokenText>;
  /** Makes one voice note in which each speaker speaks the whole text, one after another; each part is also kept by itself. */
  speakInTurn(text: string, speakers: readonly Speaker[], asked: Asked): Promise<SpokenText>;
  /** The paid calls that `speakInTurn` would make. */
  unpaidSpeech(text: string, speakers: readonly Speaker[]): Promise<readonly CallKind[]>;
  /** The voice notes of a text that need neither a paid call nor an upload. */
  uploadedNotes(text: string): Promise<readonly UploadedNote[]>;
  /** Resolves when all calls under way have ended, and their results are kept, also those of people who no longer wait. */
  settled(): Promise<void>;
  /** Ends all calls under way, and the provider; resolves when all is settled. */
  close(): Promise<void>;
}

/** Creates the interpreter. */
export function createInterpreter(options: InterpreterOptions): Interpreter {
  const { provider } = options;
  const account = new Account(options);
  const closing = new AbortController();
  const deps: Deps = {
    ...options,
    images: createImageFitter(provider.pictureLimits),
    pdfs: createPdfReader(provider.pictureLimits),
    readPages: createPageReader(),
    account,
    closed: closing.signal,
    pictureMemory: createSemaphore(PICTURE_MEMORY_BYTES),
    documentMemory: createSemaphore(DOCUMENT_MEMORY_BYTES),
  };
  return {
    recognise: (picture, language, asked) => recognise(deps, picture, language, asked),
    readingsOf: (texts, asked) => readingsOf(deps, texts, asked),
    price: (kind) => provider.price(kind),
    check: (asker, calls, callsAfter) => account.check(asker, calls, callsAfter),
    mustBeAgreed: (asker, calls) => account.mustBeAgreed(asker, calls),
    isRecognised: (picture, language) => isRecognised(deps, picture, language),
    readPdf: (pdf, ranges, languages, asked) => readPdf(deps, { pdf, ranges, languages }, asked),
    unpaidPages: (pdf, ranges, languages, asked) => unpaidPages(deps, { pdf, ranges, languages }, asked),
    translate: (text, to, asked) => translate(deps, text, to, asked),
    unpaidTranslation: (text, to) => unpaidTranslation(deps, text, to),
    speak: (text, speaker, asked) => speak(deps, text, speaker, asked),
    speakInTurn: (text, speakers, asked) => speakInTurn(deps, text, speakers, asked),
    unpaidSpeech: (text, speakers) => unpaidSpeech(deps, text, speakers),
    uploadedNotes: (text) => uploadedNotes(deps, text),
    settled: () => account.settled(),
    close: async () => {
      closing.abort();
      await provider.close();
      await account.settled();
    },
  };
}
