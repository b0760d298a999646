/** What recognition, translation and speech work with. */
import type { PdfReader } from '../media/document/pdf.ts';
import type { ImageFitter } from '../media/picture/image.ts';
import type { Semaphore } from '../media/semaphore.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { Results } from '../store/kept/results.ts';
import type { PayOnce, PayOnceOptions } from './pay-once.ts';
import type { Provider } from './provider.ts';

/** What the abilities and the rules around them are made of. */
export interface InterpreterOptions extends PayOnceOptions {
  readonly provider: Provider;
  readonly voiceEncoder: VoiceEncoder;
  readonly results: Results;
}

/** Shared by all requests of a process. */
export interface Deps extends InterpreterOptions {
  readonly images: ImageFitter;
  readonly pdfs: PdfReader;
  readonly payOnce: PayOnce;
  /** Its units are bytes of pictures, from their download to the end of their recognition. */
  readonly pictureMemory: Semaphore;
  /** Its units are bytes of documents, from their download until their last page was read. */
  readonly documentMemory: Semaphore;
}
