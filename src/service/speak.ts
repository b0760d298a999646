/** Speech: a text in, a stream of PCM out (service-interface §4.4). */
import { admit, type CallOptions, type Door, postJson, readerFor } from './door.ts';
import { type OpenSpeech, openSpeech, type Speech } from './speech/speech.ts';
import { soundOf } from './speech/speech-body.ts';
import { type SpeechRequest, speechBody } from './wire/speech-wire.ts';
import { checkText } from './wire/text-limits.ts';

const PATH = '/api/cognitive/tts/stream';

/** See `Service.speak`. Its place in line and its tie to the caller last until the stream is over. */
export async function speak(door: Door, request: SpeechRequest, options: CallOptions): Promise<Speech> {
  const characters = checkText(request.text);
  const heldUntil = ({ over }: OpenSpeech) => over;
  const { onEvent, now } = door;
  const call = await admit(
    door,
    door.circuits.base,
    options,
    (admitted) =>
      door.calls.make({
        ...admitted,
        kind: 'speech',
        characters,
        heldUntil,
        async send() {
          const answer = await postJson(door, PATH, speechBody(request), admitted.signal);
          const sound = soundOf(answer, readerFor(door, request.text));
          return openSpeech(sound, { signal: admitted.signal, onEvent, now });
        },
      }),
    heldUntil,
  );
  return call.speech;
}
