/** A text with its entities (Bot API, MessageEntity), in their order. */

/** A range of the text. `offset` and `length` count UTF-16 units, as JavaScript strings do. */
export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  /** Whom a `text_mention` names (Bot API, User). */
  readonly user?: unknown;
}

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly Entity[];
}

export const NO_TEXT: FormattedText = { text: '', entities: [] };

export function plain(text: string): FormattedText {
  return { text, entities: [] };
}

/** Joins texts; empty ones are left out. */
export function joined(parts: readonly FormattedText[], separator: string): FormattedText {
  let text = '';
  const entities: Entity[] = [];
  for (const part of parts) {
    if (part.text === '') continue;
    if (text !== '') text += separator;
    for (const entity of part.entities) entities.push({ ...entity, offset: text.length + entity.offset });
    text += part.text;
  }
  return { text, entities };
}

/** Whether JSON is an object. */
export function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
