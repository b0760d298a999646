/** Speaks a text of any length as one voice note, made once and kept. */
import { Failure } from '../errors.ts';
import type { Speaker } from '../language/speaker.ts';
import { splitForService } from '../language/split.ts';
import type { VoiceNote } from '../media/voice/voice-note.ts';
import type { KeptVoiceNote } from '../store/kept/results.ts';
import { dropPieces, speakPieces } from './long-speech.ts';
import type { Asked } from './request.ts';
import { speechKey } from './result-key.ts';
import { type Piece, synthesise } from './synthesis.ts';
import type { Tools } from './tools.ts';

export interface SpokenText extends KeptVoiceNote {
  /** Notes under which id Telegram has it now, so that it need not be uploaded again. */
  uploaded(fileId: string): Promise<void>;
}

/** One voice note of the whole text. Throws the failure of any piece: there is no voice note of half a text. */
export async function speak(tools: Tools, text: string, speaker: Speaker, asked: Asked): Promise<SpokenText> {
  const { results, payOnce } = tools;
  const pieces = splitForService(text.trim())
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, key: speechKey(piece, speaker) }));
  const isLong = pieces.length > 1;
  const key = speechKey(text, speaker);
  const note = await payOnce<KeptVoiceNote>(
    {
      kind: 'speech',
      key,
      recall: () => results.voiceNote(key),
      buy: async (signal) => {
        const make = isLong ? speakPieces : speakWhole;
        return { ...(await make(tools, pieces, speaker, { ...asked, signal })), fileId: undefined };
      },
      keep: async (made) => {
        await results.keepVoiceNote(key, asked.asker.person, made);
        if (isLong) dropPieces(tools, pieces);
      },
    },
    asked,
  );
  return { ...note, uploaded: (fileId) => results.keepFileId(key, fileId) };
}

async function speakWhole(
  tools: Tools,
  [piece]: readonly Piece[],
  speaker: Speaker,
  { asker, signal, onProgress }: Asked,
): Promise<VoiceNote> {
  if (piece === undefined) throw new Failure('audio', 'there is nothing to say');
  onProgress?.(0, 1);
  const note = await synthesise(tools, piece, speaker, { asker, signal });
  onProgress?.(1, 1);
  return note;
}
