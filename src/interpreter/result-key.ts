/** Under which key a result is kept: what was asked for, with nothing of the text itself (spec §6: keyed by hash). */
import { createHash } from 'node:crypto';
import { normaliseForKey } from '../language/normalise.ts';
import type { Language } from '../language/script.ts';
import type { Speaker } from '../language/speaker.ts';

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
