/** The port: what the interpreter needs of a provider, which recognises, translates and speaks for money. */
import type { Box } from '../language/page-layout.ts';
import type { Language } from '../language/script.ts';
import type { Speaker } from '../language/variety.ts';
import type { FittedImage } from '../media/picture/image.ts';
import type { PictureLimits } from '../media/picture/image-redraw.ts';
import type { CallKind } from '../paid-calls.ts';
import type { CircuitState } from '../service/calls/circuit.ts';
import type { Meter } from '../service/calls/paid-call.ts';

export { CHANNELS, SAMPLE_BYTES, SAMPLE_RATE } from '../media/voice/speech-intake.ts';

/** What goes with every call. */
export interface ProviderCall {
  /** Its abort ends the call with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Writes each try down before it is sent, and what became of it. */
  readonly meter: Meter;
}

/** A page as it was read. */
export interface Recognised {
  /** From the top; a line without words is empty. Where it stands, as far as that is told. */
  readonly lines: readonly { readonly text: string; readonly location?: Box | undefined }[];
  /** Which lines (by their index) make a paragraph, where that is told. */
  readonly paragraphs?: readonly (readonly number[])[] | undefined;
}

/**
 * Besides what a method names, all throw `auth`, `quota`, `unavailable`, `malformed`, `in-doubt` (it may have been charged: only a
 * person may repeat it) and `cancelled`, and whatever the meter's `begin` throws. Input outside of the provider's limits throws
 * `bad-request` or `too-long` before anything is sent or metered.
 */
export interface Provider {
  /** The lines of text in an image. */
  recognise(
    request: { readonly input: { readonly image: FittedImage }; readonly language: Language },
    call: ProviderCall,
  ): Promise<Recognised>;
  /** A text of up to `longestText` in the other language. */
  translate(
    request: { readonly text: string; readonly from: Language; readonly to: Language },
    call: ProviderCall,
  ): Promise<{ readonly text: string }>;
  /**
   * A text of up to `longestText` as PCM (`SAMPLE_RATE`, signed 16-bit little-endian, one channel) in whole samples, to be
   * read once, as soon as the first is there. Where the speech breaks off, reading throws (`isBrokenOff`); the caller reads it
   * out, leaves its loop, or aborts the call's signal.
   */
  speak(request: Speaker & { readonly text: string }, call: ProviderCall): Promise<AsyncIterable<Buffer>>;
  /** What one call of this kind costs now, in fen: a hundredth of a yuan. Each try that the meter is told of costs it. */
  price(kind: CallKind): number;
  /** What one call of translation or speech takes, in code points. */
  readonly longestText: number;
  /** What one call of recognition takes. */
  readonly pictureLimits: PictureLimits;
  /**
   * The name of the credentials that calls of a kind are made with: where they are refused for one, they are for all that share them.
   * For each name `locales/` says in `alert-auth-…` what the operator is to mend.
   */
  credentialsOf(kind: CallKind): string;
  /** Of all configured credentials. With others, as after a refusal was mended, no pause of the old ones holds. */
  readonly fingerprint: string;
  /** `open` while people are told at once that the provider is down. */
  state(): CircuitState;
  /** Ends every call with `cancelled`, hangs up, and waits until all that succeeded is settled. */
  close(): Promise<void>;
}
