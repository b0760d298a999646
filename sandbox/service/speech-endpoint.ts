/** POST /api/cognitive/tts/stream: a text as speech, streamed while it is made (service-interface §4.4). */
import { z } from 'zod';
import { begun } from './audio-stream.ts';
import type { Endpoint } from './endpoint.ts';
import { DIALECTS, type Dialect, type Engines, type Variety } from './engines.ts';
import { createTextEndpoint } from './text-endpoint.ts';

const NAMES = Object.keys(DIALECTS) as Dialect[];
const inputText = z.string().min(1);
const schema = z.discriminatedUnion('lang', [
  z.strictObject({ lang: z.literal(1), vcn: z.enum(['xiaoxiao', 'yunjian']).optional(), inputText }),
  z.strictObject({
    lang: z.literal(NAMES.map((name) => DIALECTS[name].lang)),
    vcn: z.literal('').optional(),
    inputText,
  }),
]);

function varietyOf(lang: number): Variety {
  return NAMES.find((name) => DIALECTS[name].lang === lang) ?? 'chinese';
}

/** No content type is documented for the audio; this one says as little as possible. */
export function createSpeechEndpoint(speak: Engines['speak'], xSecret: string): Endpoint {
  return createTextEndpoint({
    kind: 'speech',
    path: '/api/cognitive/tts/stream',
    xSecret,
    schema,
    async work({ inputText, lang, vcn }) {
      const audio = await begun(speak(inputText, varietyOf(lang), vcn || 'xiaoxiao'));
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: audio };
    },
  });
}
