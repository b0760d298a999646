/** Speaks a text of any length as one voice note, made once and kept. */
import { splitForService } from '../language/split.ts';
import type { Variety } from '../language/variety.ts';
import type { Voice } from '../language/voice.ts';
import type { KeptVoiceNote } from '../store/results.ts';
import type { Asked, Tools } from './interpreter.ts';
import { speechKey } from './result-key.ts';
import { synthesise } from './synthesis.ts';

export interface SpokenText extends KeptVoiceNote {
  /** Notes under which id Telegram has it now, so that it need not be uploaded again. */
  uploaded(fileId: string): Promise<void>;
}

/** One voice note of the whole text. Throws the failure of any piece: there is no voice note of half a text. */
export async function speak(
  tools: Tools,
  text: string,
  variety: Variety,
  voice: Voice,
  asked: Asked,
): Promise<SpokenText> {
  const { ledger, results, payOnce } = tools;
  const { asker, onProgress } = asked;
  const pieces = splitForService(text.trim())
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const key = speechKey(text, variety, voice);
  const note = await payOnce<KeptVoiceNote>(
    {
      kind: 'speech',
      key,
      calls: pieces.length,
      recall: () => results.voiceNote(key),
      buy: async (signal) => {
        const meter = { begin: ledger.begin.bind(undefined, asker) };
        const speaker = { variety, ...(variety === 'chinese' ? { voice } : {}) };
        const made = await synthesise(tools, pieces, speaker, { signal, meter, onProgress });
        return { ...made, fileId: undefined };
      },
      keep: (made) => results.keepVoiceNote(key, asker.person, made),
    },
    asked,
  );
  return { ...note, uploaded: (fileId) => results.keepFileId(key, fileId) };
}
