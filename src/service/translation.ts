/** The wire of translation between Tibetan and Chinese (service-interface §4.3). */
import { z } from 'zod';
import type { TranslationRequest } from '../interpreter/provider.ts';
import type { Language } from '../language/script.ts';
import { isVisible } from '../language/script.ts';
import { code, id, SUCCESS } from './answer.ts';

const LANGUAGE_CODE: Readonly<Record<Language, number>> = { tibetan: 0, chinese: 1 };

/** The JSON body of a translation call. */
export function translationBody({ text, from, to }: TranslationRequest) {
  return { sourceLang: LANGUAGE_CODE[from], destLang: LANGUAGE_CODE[to], inputText: text };
}

export interface Translation {
  readonly text: string;
  /** The service's id for troubleshooting. */
  readonly traceId: string | undefined;
}

/** A successful envelope. A translation without a visible character counts as a failure: the person would see nothing. */
export const translationAnswer = z
  .object({
    msgId: code.pipe(z.literal(SUCCESS)),
    data: z.string().refine(isVisible),
    traceId: id,
  })
  .transform(({ data, traceId }): Translation => ({ text: data, traceId }));
