/** The real engines, each started by its first use: Tesseract reads, eSpeak NG speaks, a phrasebook translates. */
import type { HeldEngines } from './engines.ts';
import { createRecognitionEngine } from './recognition-engine.ts';
import { createSpeechEngine } from './speech-engine.ts';
import { translateByPhrasebook } from './translation-engine.ts';

/** All work offline. `close` ends the threads that were started. */
export function createRealEngines(): HeldEngines {
  const recognition = createRecognitionEngine();
  const speech = createSpeechEngine();
  return {
    recognise: recognition.recognise,
    translate: async (text, from) => translateByPhrasebook(text, from),
    speak: speech.speak,
    async close() {
      await Promise.all([recognition.close(), speech.close()]);
    },
  };
}
