/** Speech on the wire: the request (service-interface §4.4); the answer is a stream, read in speech-body.ts. */
import type { Speaker } from '../../language/speaker.ts';
import type { Variety } from '../../language/variety.ts';
import { type RequestBody, textBody } from '../transport/request-body.ts';

/** A text, and who is to speak it. */
export type SpeechRequest = Speaker & { readonly text: string };

const VARIETY_CODE: Readonly<Record<Variety, number>> = { utsang: 0, chinese: 1, khampa: 4, amdo: 5 };

/** The JSON body of a speech call. */
export function speechBody(request: SpeechRequest): RequestBody {
  const { text, variety } = request;
  const vcn = request.variety === 'chinese' ? request.voice : '';
  return textBody(JSON.stringify({ lang: VARIETY_CODE[variety], vcn, inputText: text }));
}
