/** Translation between Tibetan and Chinese (service-interface §4.3). */
import { z } from 'zod';
import type { ProviderCall } from '../interpreter/provider.ts';
import type { Language } from '../language/script.ts';
import { isVisible } from '../language/script.ts';
import { code, id, publicId, readResult, SUCCESS } from './answer.ts';
import { runPermitted } from './calls/call-signals.ts';
import { ServiceFailure } from './calls/failure.ts';
import { checkText, postJson, readerFor, type ServiceDeps } from './deps.ts';
import { type RequestBody, textBody } from './http/request-body.ts';

const PATH = '/api/cognitive/translation';

/** See `Service.translate`. */
export async function translate(
  deps: ServiceDeps,
  request: TranslationRequest,
  options: ProviderCall,
): Promise<Translation> {
  const characters = checkTranslation(request);
  const reader = readerFor(deps, request.text);
  return runPermitted(deps.signals, deps.circuits.base, options, (permitted) =>
    deps.calls.make({
      ...permitted,
      kind: 'translation',
      characters,
      async send() {
        const answer = await postJson(deps, PATH, translationBody(request), permitted.untilClosed);
        return readResult(answer, translationAnswer, reader);
      },
      traceIdOf: ({ traceId }) => publicId(traceId, reader.confidential),
    }),
  );
}

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
 * Gives the text's length in code points. Throws `bad-request` or `too-long` for input that the service would refuse, and for equal
 * languages, whose result is undocumented.
 */
function checkTranslation({ text, from, to }: TranslationRequest): number {
  if (from === to) throw new ServiceFailure('bad-request', 'not sent: both languages are the same');
  return checkText(text);
}

/** The JSON body of a translation call. */
function translationBody({ text, from, to }: TranslationRequest): RequestBody {
  return textBody(
    JSON.stringify({ sourceLang: LANGUAGE_CODE[from], destLang: LANGUAGE_CODE[to], inputText: text }),
  );
}

/** A successful envelope. A translation without a visible character counts as a failure: the person would see nothing. */
const translationAnswer = z
  .object({
    msgId: code.pipe(z.literal(SUCCESS)),
    data: z.string().refine(isVisible),
    traceId: id,
  })
  .transform(({ data, traceId }): Translation => ({ text: data, traceId }));
