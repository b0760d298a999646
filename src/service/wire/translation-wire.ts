/** Translation on the wire (service-interface §4.3, §2.3). */
import { z } from 'zod';
import type { Language } from '../../language/script.ts';
import { isVisible } from '../../language/visible.ts';
import { ServiceFailure } from '../failure.ts';
import { type RequestBody, textBody } from '../transport/request-body.ts';
import { SUCCESS } from './error-body.ts';
import { code, id } from './spellings.ts';
import { checkText } from './text-limits.ts';

export interface TranslationRequest {
  readonly text: string;
  readonly from: Language;
  readonly to: Language;
}

export interface Translation {
  readonly text: string;
  /** The service's id for troubleshooting. */
  readonly traceId: string | undefined;
}

const LANGUAGE_CODE: Readonly<Record<Language, number>> = { tibetan: 0, chinese: 1 };

/**
 * Gives the text's length in code points. Throws `bad-request` or `too-long` for what the service would refuse;
 * equal languages too, since what it does with them is not documented.
 */
export function checkTranslation({ text, from, to }: TranslationRequest): number {
  if (from === to) throw new ServiceFailure('bad-request', 'not sent: both languages are the same');
  return checkText(text);
}

/** The JSON body of a translation call. */
export function translationBody({ text, from, to }: TranslationRequest): RequestBody {
  return textBody(
    JSON.stringify({ sourceLang: LANGUAGE_CODE[from], destLang: LANGUAGE_CODE[to], inputText: text }),
  );
}

/** A successful envelope. A translation in which nothing shows is no success: nothing of it would reach the person. */
export const translationAnswer = z
  .object({
    msgId: code.pipe(z.literal(SUCCESS)),
    data: z.string().refine(isVisible),
    traceId: id,
  })
  .transform(({ data, traceId }): Translation => ({ text: data, traceId }));
