/** POST /api/cognitive/translation: a text from one language into the other (service-interface §4.3). */
import { z } from 'zod';
import { envelope } from './answers.ts';
import type { Endpoint } from './endpoint.ts';
import type { Engines, Language } from './engines.ts';
import { createTextEndpoint } from './text-endpoint.ts';

const languageNumber = z.union([z.literal(0), z.literal(1)]);
const schema = z
  .strictObject({ sourceLang: languageNumber, destLang: languageNumber, inputText: z.string().min(1) })
  .refine((body) => body.sourceLang !== body.destLang, { path: ['destLang'] });

/** Refuses two equal languages with 500: the service's behaviour is undocumented, so nobody may rely on it. */
export function createTranslationEndpoint(translate: Engines['translate'], xSecret: string): Endpoint {
  return createTextEndpoint({
    kind: 'translation',
    path: '/api/cognitive/translation',
    xSecret,
    schema,
    async work({ inputText, sourceLang, destLang }) {
      const translated = await translate(inputText, languageOf(sourceLang), languageOf(destLang));
      return envelope('2000000', 'success', translated);
    },
  });
}

function languageOf(number: 0 | 1): Language {
  return number === 0 ? 'bo' : 'zh';
}
