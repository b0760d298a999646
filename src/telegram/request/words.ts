/** Words with what Telegram marks in them, in the order in which they stand in a message. */

/** A marked part. `offset` and `length` count UTF-16 units, as JavaScript strings do. */
export interface Marked {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  /** Whom a `text_mention` names (Bot API, User). */
  readonly user?: unknown;
}

export interface Words {
  readonly text: string;
  readonly entities: readonly Marked[];
}

export const NO_WORDS: Words = { text: '', entities: [] };

export function plain(text: string): Words {
  return { text, entities: [] };
}

/** Joins words; empty ones are left out. */
export function joined(parts: readonly Words[], separator: string): Words {
  let text = '';
  const entities: Marked[] = [];
  for (const part of parts) {
    if (part.text === '') continue;
    if (text !== '') text += separator;
    for (const entity of part.entities) entities.push({ ...entity, offset: text.length + entity.offset });
    text += part.text;
  }
  return { text, entities };
}

/** Whether JSON is an object. */
export function isMember(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
