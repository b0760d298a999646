/** The dependencies of recognition, translation and speech. */
import type { Log } from '../log.ts';
import type { PageReader } from '../media/document/page-reader.ts';
import type { PdfReader } from '../media/document/pdf.ts';
import type { ImageFitter } from '../media/picture/image.ts';
import type { Semaphore } from '../media/semaphore.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Access } from '../store/access/access.ts';
import type { Results } from '../store/kept/results.ts';
import type { Claims } from '../store/money/claims.ts';
import type { Ledger } from '../store/money/ledger.ts';
import type { Pauses } from '../store/money/pauses.ts';
import type { Provider } from './provider.ts';
import type { Asked } from './request.ts';

/** The dependencies that come from outside. */
export interface InterpreterOptions {
  readonly provider: Provider;
  readonly ledger: Ledger;
  /** Checked before each call; undefined: everybody is served. */
  readonly access?: Pick<Access, 'mustBeServed'> | undefined;
  readonly results: Results;
  readonly claims: Claims;
  readonly pauses: Pauses;
  readonly voiceEncoder: VoiceEncoder;
  readonly log: Log;
  /** Called for every result that was used again instead of paid for. */
  readonly onReuse?: ((kind: CallKind) => void) | undefined;
  /** Called for each pause that begins. */
  readonly onAlert: (alert: ServiceAlert) => void;
}

/** A problem that only the operator can mend: the provider's quota is used up, or it refuses our credentials. */
export type ServiceAlert =
  | { readonly reason: 'quota'; readonly kind: CallKind }
  | { readonly reason: 'auth'; readonly credentials: string };

/** All dependencies, shared by all requests of a process. */
export interface Deps extends InterpreterOptions {
  readonly images: ImageFitter;
  readonly pdfs: PdfReader;
  readonly readPages: PageReader;
  readonly payOnce: PayOnce;
  /** Aborts when the process ends: only that stops the encoding of sound that is paid for. */
  readonly closed: AbortSignal;
  /** In bytes of pictures, held from their download to the end of their recognition. */
  readonly pictureMemory: Semaphore;
  /** In bytes of documents, held from their download until their last page is read. */
  readonly documentMemory: Semaphore;
}

/** Gives the result of a purchase, bought or kept; see pay-once.ts. */
export type PayOnce = <T>(purchase: Purchase<T>, asked: Asked) => Promise<T>;

export interface Purchase<T> {
  readonly kind: CallKind;
  /** The idempotency key: the same for the same thing, however it was asked for (request.ts). */
  readonly key: string;
  /**
   * True: checks the limits before any work, since the work before the call is long or more calls follow. They are checked again when the
   * call is entered.
   */
  readonly checksFirst?: boolean;
  /** Gives the kept result, if any. */
  recall(): Promise<T | undefined>;
  /** Makes the paid calls. `signal` stops it before the next call; one that was sent ends, and so does what is made of it. */
  buy(signal: AbortSignal): Promise<T>;
  /** Keeps the result, so that `recall` gives it. */
  keep(value: T): Promise<void>;
}
