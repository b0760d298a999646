/** Speech on the wire: the request (service-interface §4.4); the answer is a stream, read in speech-body.ts. */
import type { Variety } from '../language/variety.ts';
import type { Voice } from '../language/voice.ts';
import { type RequestBody, textBody } from './request-body.ts';

export interface SpeechRequest {
  readonly text: string;
  readonly variety: Variety;
  /** For Chinese alone, xiaoxiao by default; the Tibetan varieties have one voice each. */
  readonly voice?: Voice | undefined;
}

const VARIETY_CODE: Readonly<Record<Variety, number>> = { utsang: 0, chinese: 1, khampa: 4, amdo: 5 };

/** The JSON body of a speech call. */
export function speechBody({ text, variety, voice = 'xiaoxiao' }: SpeechRequest): RequestBody {
  const vcn = variety === 'chinese' ? voice : '';
  return textBody(JSON.stringify({ lang: VARIETY_CODE[variety], vcn, inputText: text }));
}
