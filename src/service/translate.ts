/** Translation between Tibetan and Chinese (service-interface §4.3). */
import { admit, type CallOptions, type Door, postJson, readerFor } from './door.ts';
import { readResult } from './wire/answer.ts';
import { publicId } from './wire/private-words.ts';
import {
  checkTranslation,
  type Translation,
  type TranslationRequest,
  translationAnswer,
  translationBody,
} from './wire/translation-wire.ts';

const PATH = '/api/cognitive/translation';

/** See `Service.translate`. */
export async function translate(
  door: Door,
  request: TranslationRequest,
  options: CallOptions,
): Promise<Translation> {
  const characters = checkTranslation(request);
  const reader = readerFor(door, request.text);
  return admit(door, door.circuits.base, options, (admitted) =>
    door.calls.make({
      ...admitted,
      kind: 'translation',
      characters,
      async send() {
        const answer = await postJson(door, PATH, translationBody(request), admitted.signal);
        return readResult(answer, translationAnswer, reader);
      },
      traceIdOf: ({ traceId }) => publicId(traceId, reader.privates),
    }),
  );
}
