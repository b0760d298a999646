/** What a request to the interpreter consists of, besides the text itself. */
import { createHash } from 'node:crypto';
import { normaliseForKey } from '../language/normalise.ts';
import type { Language } from '../language/script.ts';
import type { Speaker } from '../language/variety.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Asker } from '../store/money/scopes.ts';

/** Told how many of the paid calls that the work takes are done: before the first, and after each. */
export type OnProgress = (done: number, total: number) => void;

/** Told of a translation of several pieces how it begins, each time that its beginning has grown; not of its end. */
export type OnGrowth = (beginning: string) => void;

/** How many paid calls more a person has agreed to for one request; counted down as they are begun. */
export interface Consent {
  calls: number;
}

/** On whose account paid calls go. */
export interface Payer extends Asker {
  /** Unset where the person cannot be asked: then any number of calls is made, within the limits. */
  readonly consent?: Consent | undefined;
}

/** What goes with every request. */
export interface Asked {
  readonly asker: Payer;
  readonly signal: AbortSignal;
  /** What is kept needs no call and is not counted; of a speech that was cut off, the pieces that are kept count as done. */
  readonly onProgress?: OnProgress;
  readonly onGrowth?: OnGrowth | undefined;
  /**
   * Paid calls that follow this work, without which it would be in vain: it is not begun, and not paid for, where the limits do not
   * allow them, too.
   */
  readonly callsAfter?: readonly CallKind[];
}

/** A picture that can be had when it is needed. */
export interface Picture {
  /** Telegram's `file_unique_id`: the same for the same file from any sender. */
  readonly id: string;
  /** How large it is, as far as Telegram tells; in bytes. */
  readonly bytes: number | undefined;
  load(signal: AbortSignal): Promise<Uint8Array>;
}

/** The same file read in the same language, from any sender (`file_unique_id`). */
export function recognitionKey(fileUniqueId: string, language: Language): string {
  return `recognition:${language}:${hash(fileUniqueId)}`;
}

/** How a page with this text is set: its paragraphs, or where its lines stand. */
export function layoutKey(text: string): string {
  return `layout:${hash(text)}`;
}

/** The same text in the same direction, however it was typed. */
export function translationKey(text: string, to: Language): string {
  return `translation:${to}:${hash(normaliseForKey(text))}`;
}

/** The same text spoken alike, by one or by several in this order. */
export function speechKey(text: string, ...speakers: readonly Speaker[]): string {
  const names = speakers.map((speaker) =>
    speaker.variety === 'chinese' ? `chinese-${speaker.voice}` : speaker.variety,
  );
  return `speech:${names.join('+')}:${hash(normaliseForKey(text))}`;
}

/** The sound of a speech with this key, as it came from the service. */
export function soundKey(speech: string): string {
  return `sound:${speech}`;
}

function hash(input: string): string {
  return createHash('sha256').update(input).digest('base64url');
}
