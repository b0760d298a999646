/** The dependencies of recognition, translation and speech. */
import type { PageReader } from '../media/document/page-reader.ts';
import type { PdfReader } from '../media/document/pdf.ts';
import type { ImageFitter } from '../media/picture/image.ts';
import type { Semaphore } from '../media/semaphore.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { Results } from '../store/kept/results.ts';
import type { Account, AccountDeps } from './account.ts';
import type { Provider } from './provider.ts';

/** The dependencies that come from outside. */
export interface InterpreterOptions extends AccountDeps {
  readonly provider: Provider;
  readonly results: Results;
  readonly voiceEncoder: VoiceEncoder;
}

/** All dependencies, shared by all requests of a process. */
export interface Deps extends Pick<InterpreterOptions, 'provider' | 'results' | 'voiceEncoder' | 'log'> {
  readonly account: Account;
  readonly images: ImageFitter;
  readonly pdfs: PdfReader;
  readonly readPages: PageReader;
  /** Aborts when the process ends: only that stops the encoding of sound that is paid for. */
  readonly closed: AbortSignal;
  /** In bytes of pictures, held from their download to the end of their recognition. */
  readonly pictureMemory: Semaphore;
  /** In bytes of documents, held from their download until their last page is read. */
  readonly documentMemory: Semaphore;
}
