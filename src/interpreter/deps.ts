/** The dependencies of recognition, translation and speech. */
import type { PdfReader } from '../media/document/pdf.ts';
import type { ImageFitter } from '../media/picture/image.ts';
import type { Semaphore } from '../media/semaphore.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { Results } from '../store/kept/results.ts';
import type { PayOnce, PayOnceOptions } from './pay-once.ts';
import type { Provider } from './provider.ts';

/** The dependencies that come from outside. */
export interface InterpreterOptions extends PayOnceOptions {
  readonly provider: Provider;
  readonly voiceEncoder: VoiceEncoder;
  readonly results: Results;
}

/** All dependencies, shared by all requests of a process. */
export interface Deps extends InterpreterOptions {
  readonly images: ImageFitter;
  readonly pdfs: PdfReader;
  readonly payOnce: PayOnce;
  /** In bytes of pictures, held from their download to the end of their recognition. */
  readonly pictureMemory: Semaphore;
  /** In bytes of documents, held from their download until their last page is read. */
  readonly documentMemory: Semaphore;
}
