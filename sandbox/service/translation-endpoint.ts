/** POST /api/cognitive/translation: a text from one language into the other (service-interface §4.3). */
import { z } from 'zod';
import { envelope } from './answers.ts';
import { type Endpoint, type Received, refusal } from './endpoint.ts';
import type { Engines, Language } from './engines.ts';
import { readTextRequest } from './text-request.ts';

interface TranslationEndpointParts {
  readonly translate: Engines['translate'];
  readonly xSecret: string;
}

const languageNumber = z.union([z.literal(0), z.literal(1)]);
const schema = z
  .strictObject({ sourceLang: languageNumber, destLang: languageNumber, inputText: z.string().min(1) })
  .refine((body) => body.sourceLang !== body.destLang, { path: ['destLang'] });

/** Refuses two equal languages with 500: the service's behaviour is undocumented, so nobody may rely on it. */
export function createTranslationEndpoint({ translate, xSecret }: TranslationEndpointParts): Endpoint {
  return {
    kind: 'translation',
    path: '/api/cognitive/translation',
    async read(received: Received) {
      const rules = { kind: 'translation', xSecret, schema } as const;
      const { parameters, characters, outcome } = readTextRequest(received, rules);
      if ('error' in outcome) return refusal(outcome.error, parameters, characters);
      const { inputText, sourceLang, destLang } = outcome.body;
      return {
        parameters,
        characters,
        async answer() {
          const translated = await translate(inputText, languageOf(sourceLang), languageOf(destLang));
          return envelope('2000000', 'success', translated);
        },
      };
    },
  };
}

function languageOf(number: 0 | 1): Language {
  return number === 0 ? 'bo' : 'zh';
}
