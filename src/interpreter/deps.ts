/** What reading, translating and speaking work with. */
import type { Log } from '../log.ts';
import type { PdfReader } from '../media/document/pdf.ts';
import type { ImageFitter } from '../media/picture/image.ts';
import type { Semaphore } from '../media/semaphore.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Access } from '../store/access/access.ts';
import type { Results } from '../store/kept/results.ts';
import type { Ledger } from '../store/money/ledger.ts';
import type { PayOnce } from './pay-once.ts';
import type { Provider } from './provider.ts';

/** Shared by all requests of a process. */
export interface Deps {
  readonly provider: Provider;
  readonly images: ImageFitter;
  readonly pdfs: PdfReader;
  readonly voiceEncoder: VoiceEncoder;
  readonly ledger: Ledger;
  readonly access?: Pick<Access, 'mustBeServed'> | undefined;
  readonly results: Results;
  readonly payOnce: PayOnce;
  /** Its units are bytes of pictures, from their download to the end of their recognition. */
  readonly pictureMemory: Semaphore;
  /** Its units are bytes of documents, from their download until their last page was read. */
  readonly documentMemory: Semaphore;
  readonly log: Log;
  /** Told of every result that was used again instead of paid for. */
  readonly onReuse?: ((kind: CallKind) => void) | undefined;
}
