/** What the abilities of this folder share; each is a function that takes it first. */
import type { Log } from '../log.ts';
import { PdfReader } from '../media/document/pdf.ts';
import { WordReader } from '../media/document/word.ts';
import { ImageFitter } from '../media/picture/image.ts';
import { Semaphore } from '../media/semaphore.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { Results } from '../store/kept/results.ts';
import { Account, type AccountDeps } from './account.ts';
import type { Provider } from './provider.ts';

/** Room for hundreds of photos, but only six files of the largest size. */
const PICTURE_MEMORY_BYTES = 128 * 1024 * 1024;

/** Room for three files of the largest size. */
const DOCUMENT_MEMORY_BYTES = 60 * 1024 * 1024;
/** Room for as many pages as calls of the service may be in flight. */
const PAGE_MEMORY_BYTES = 64 * 1024 * 1024;

interface InterpreterDeps extends AccountDeps {
  readonly voiceEncoder: VoiceEncoder;
}

/** Shared by all requests of a process. */
export class Interpreter {
  readonly account: Account;
  /** Only to be called within `account.payOnce`. */
  readonly provider: Provider;
  readonly results: Results;
  readonly voiceEncoder: VoiceEncoder;
  readonly log: Log;
  readonly images;
  readonly pdfs;
  readonly wordFiles = new WordReader();
  /** In bytes of pictures, from download to the end of recognition. */
  readonly pictureMemory = new Semaphore(PICTURE_MEMORY_BYTES);
  /** In bytes of pages of documents, from the wait to be drawn to the end of recognition: photos do not wait for what waits to be drawn. */
  readonly pageMemory = new Semaphore(PAGE_MEMORY_BYTES);
  /** In bytes of documents, from download until the last page, or the text, is read. */
  readonly documentMemory = new Semaphore(DOCUMENT_MEMORY_BYTES);
  readonly #closing = new AbortController();
  /** Aborts when the process ends: nothing else stops the encoding of sound that is paid for. */
  readonly closed = this.#closing.signal;

  constructor(deps: InterpreterDeps) {
    this.account = new Account(deps);
    this.provider = deps.provider;
    this.results = deps.results;
    this.voiceEncoder = deps.voiceEncoder;
    this.log = deps.log;
    this.images = new ImageFitter(deps.provider.pictureLimits);
    this.pdfs = new PdfReader(deps.provider.pictureLimits);
  }

  /** Ends all running calls, and the provider; resolves when everything is settled. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.provider.close();
    await this.account.settled();
  }
}
