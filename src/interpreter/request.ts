/** What a request to the interpreter consists of, besides the text itself. */
import { createHash } from 'node:crypto';
import { normaliseForKey } from '../language/normalise.ts';
import type { Language } from '../language/script.ts';
import type { Speaker } from '../language/variety.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Asker } from '../store/money/scopes.ts';

/** Told how many of the paid calls that the work takes are done: before the first, and after each. */
export type OnProgress = (done: number, total: number) => void;

/** What goes with every request. */
export interface Asked {
  readonly asker: Asker;
  readonly signal: AbortSignal;
  /** What is kept needs no call and is not counted; of a speech that was cut off, the pieces that are kept count as done. */
  readonly onProgress?: OnProgress;
  /**
   * Paid calls that follow this work, without which it would be in vain: it is not begun, and not paid for, where the limits do not
   * allow them, too.
   */
  readonly callsAfter?: readonly CallKind[];
}

/** A picture that can be had when it is needed. */
export interface Picture {
  /** Telegram's `file_unique_id`: the same for the same file, whoever sends it. */
  readonly id: string;
  /** How large it is, as far as Telegram tells; in bytes. */
  readonly bytes: number | undefined;
  load(signal: AbortSignal): Promise<Uint8Array>;
}

/** The same file read in the same language, whoever sends it (`file_unique_id`). */
export function recognitionKey(fileUniqueId: string, language: Language): string {
  return `recognition:${language}:${hash(fileUniqueId)}`;
}

/** The same text in the same direction, however it was typed. */
export function translationKey(text: string, to: Language): string {
  return `translation:${to}:${hash(normaliseForKey(text))}`;
}

/** The same text spoken alike. */
export function speechKey(text: string, speaker: Speaker): string {
  const name = speaker.variety === 'chinese' ? `chinese-${speaker.voice}` : speaker.variety;
  return `speech:${name}:${hash(normaliseForKey(text))}`;
}

/** The sound of a speech with this key, as it came from the service. */
export function soundKey(speech: string): string {
  return `sound:${speech}`;
}

function hash(input: string): string {
  return createHash('sha256').update(input).digest('base64url');
}
