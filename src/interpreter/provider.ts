/** The port to a provider: what the interpreter needs to recognise, translate and speak. */
import type { Box } from '../language/reading/page.ts';
import type { Language } from '../language/script.ts';
import type { Speaker } from '../language/variety.ts';
import type { FittedImage } from '../media/picture/image.ts';
import type { PictureLimits } from '../media/picture/image-redraw.ts';
import type { CallKind } from '../paid-calls.ts';
import type { CircuitReport } from '../service/calls/circuit.ts';
import type { Meter } from '../service/calls/paid-call.ts';

export { SAMPLE_BYTES, SAMPLE_RATE } from '../media/voice/speech-intake.ts';

export interface ProviderCall {
  /** Aborting it ends the call with `cancelled` before its next try; a try that was sent continues, since it is paid for. */
  readonly signal?: AbortSignal | undefined;
  /** Enters each try before it is sent, and its outcome. */
  readonly meter: Meter;
}

export interface RecognitionRequest {
  readonly input: { readonly image: FittedImage };
  readonly language: Language;
}

export interface TranslationRequest {
  readonly text: string;
  readonly from: Language;
  readonly to: Language;
}

export type SpeechRequest = Speaker & { readonly text: string };

export interface Recognised {
  /** From top to bottom; a line without words is empty. `location`: its place on the page, if known. */
  readonly lines: readonly { readonly text: string; readonly location?: Box | undefined }[];
  /** The lines (by index) of each paragraph, if known. */
  readonly paragraphs?: readonly (readonly number[])[] | undefined;
}

/**
 * All methods throw `auth`, `quota`, `unavailable`, `malformed`, `in-doubt` (it may have been charged: only a person may repeat it) and
 * `cancelled`, and errors of the meter's `begin`. Input outside the provider's limits throws `bad-request` or `too-long` before anything is
 * sent or metered.
 */
export interface Provider {
  recognise(request: RecognitionRequest, call: ProviderCall): Promise<Recognised>;
  /** Takes a text of up to `maxTextLength`. */
  translate(request: TranslationRequest, call: ProviderCall): Promise<{ readonly text: string }>;
  /**
   * Speaks a text of up to `maxTextLength` as PCM (`SAMPLE_RATE`, signed 16-bit little-endian, one channel) in chunks of any length, to be
   * read once, to the end unless the caller leaves the loop. Resolves with the first chunk. If the speech breaks off, reading throws
   * (`isBrokenOff`).
   */
  speak(request: SpeechRequest, call: ProviderCall): Promise<AsyncIterable<Buffer>>;
  /** The present price of a call of each kind, in fen (a hundredth of a yuan). Each try that the meter enters costs it. */
  readonly prices: Readonly<Record<CallKind, number>>;
  /** The longest text of one call of translation or speech, in code points. */
  readonly maxTextLength: number;
  readonly pictureLimits: PictureLimits;
  /**
   * The credentials of each kind, by name: kinds that share them are refused together. `locales/` tells the operator what to do, as
   * `alert-auth-…` for each name.
   */
  readonly credentials: Readonly<Record<CallKind, string>>;
  /** Identifies the configured credentials: changing them, as after a refusal, ends the pauses of the old ones. */
  readonly fingerprint: string;
  /** `down` while calls fail at once, because the provider has failed repeatedly. */
  state(): CircuitReport;
  /** Ends all calls with `cancelled`, closes the connections, and waits until all successful calls are settled. */
  close(): Promise<void>;
}
