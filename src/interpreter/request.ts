/** What goes with a request to the interpreter: who asks, pictures, and the idempotency keys of results. */
import { hash } from 'node:crypto';
import { normaliseForKey } from '../language/normalise.ts';
import type { Language } from '../language/script.ts';
import type { Speaker } from '../language/variety.ts';
import type { Region } from '../media/picture/image-redraw.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Asker } from '../store/money/spending.ts';

/** Called with the number of paid calls done, before the first and after each. */
export type OnProgress = (done: number, total: number) => void;

/** Called with the finished beginning of a translation after each of its pieces but the last. */
type OnGrowth = (beginning: string) => void;

/** The paid calls that a person has agreed to, less those made since; negative if nobody was asked. */
interface Consent {
  calls: number;
}

export interface Payer extends Asker {
  /** Undefined if the person cannot be asked: then the limits alone apply. */
  readonly consent?: Consent | undefined;
  /** Set with the first paid call that is made in its name. */
  hasPaid?: boolean;
  /** Throws `cancelled` if another process carries out the request by now, and `database`. Undefined: no other process would. */
  readonly mustStillAsk?: () => Promise<void>;
  /** Called for each result that was bought for it and is kept. */
  readonly gotFurther?: () => void;
}

export interface RequestOptions {
  readonly asker: Payer;
  readonly signal: AbortSignal;
  /** Counts paid calls; kept results do not count, kept pieces of an interrupted speech count as done. */
  readonly onProgress?: OnProgress;
  readonly onGrowth?: OnGrowth | undefined;
  /** Paid calls that follow this work and without which it would be useless: it begins only if the limits allow them, too. */
  readonly callsAfter?: readonly CallKind[];
}

export interface Picture {
  /** Telegram's `file_unique_id`: the same for the same file from any sender. */
  readonly id: string;
  /** Its size in bytes, if known. */
  readonly bytes: number | undefined;
  load(signal: AbortSignal): Promise<Buffer>;
  /** It is a page of a document, and drawn when it is loaded. */
  readonly isPage?: boolean;
  /** All of it by default. */
  readonly region?: Region;
  /** The page of a TIFF, from 0; the first by default. */
  readonly page?: number;
  /** Telegram or the bot has encoded it as a JPEG: it is handed on as it is if it fits. Any other is drawn anew. */
  readonly isEncodedAnew?: boolean;
  /** A long one is not recognised, but fails with its slices (`LongImage`). */
  readonly mayBeSliced?: boolean;
}

export function recognitionKey(fileUniqueId: string, language: Language): string {
  return `recognition:${language}:${hashOf(fileUniqueId)}`;
}

export function layoutKey(text: string): string {
  return `layout:${hashOf(text)}`;
}

/** Ignores how the text was typed (`normaliseForKey`). */
export function translationKey(text: string, to: Language): string {
  return `translation:${to}:${hashOf(normaliseForKey(text))}`;
}

export function speechKey(text: string, speaker: Speaker): string {
  const name = speaker.variety === 'chinese' ? `chinese-${speaker.voice}` : speaker.variety;
  return `speech:${name}:${hashOf(normaliseForKey(text))}`;
}

/** The key of a note that is joined from others: with these keys, in this order. */
export function joinedKey(keys: readonly string[]): string {
  const [only = '', ...more] = keys;
  return more.length === 0 ? only : `joined:${hashOf(keys.join(' '))}`;
}

export function slowKey(keyOfSpeech: string): string {
  return `slow:${keyOfSpeech}`;
}

/** The key of the unencoded sound of a speech with this key. */
export function soundKey(keyOfSpeech: string): string {
  return `sound:${keyOfSpeech}`;
}

function hashOf(input: string): string {
  return hash('sha256', input, 'base64url');
}
