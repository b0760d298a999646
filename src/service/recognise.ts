/** Recognition: an image or document in, its lines of text out (service-interface §4.2). */
import { orAbort } from './abort.ts';
import { withToken } from './access/access.ts';
import { admit, type CallOptions, type Door, readerFor } from './door.ts';
import { formBody } from './transport/request-body.ts';
import { readResult } from './wire/answer.ts';
import { publicId } from './wire/private-words.ts';
import { type Recognition, recognitionAnswer } from './wire/recognition-answer.ts';
import { checkRecognition } from './wire/recognition-limits.ts';
import { type RecognitionRequest, recognitionFields } from './wire/recognition-request.ts';

/** See `Service.recognise`. */
export async function recognise(
  door: Door,
  request: RecognitionRequest,
  options: CallOptions,
): Promise<Recognition> {
  checkRecognition(request);
  return admit(door, door.circuits.auth, options, async (admitted) => {
    const { signal } = admitted;
    const body = await orAbort(formBody(recognitionFields(request)), signal);
    return withToken(door.tokens, signal, (token) => {
      const url = new URL(`${door.config.authUrl}/api/v1/ocr/general`);
      url.searchParams.set('access_token', token);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const reader = readerFor(door, token);
      return door.calls.make({
        ...admitted,
        kind: 'recognition',
        characters: 0,
        async send() {
          const answer = await door.transport.post({ url, headers, body, signal });
          return readResult(answer, recognitionAnswer, reader);
        },
        traceIdOf: ({ logId }) => publicId(logId, reader.privates),
      });
    });
  });
}
