/** The record of every Bot API call, from its arrival on. */
import type { Fields } from './request-body.ts';
import { Upload } from './upload.ts';

export interface ApiCall {
  method: string;
  /** The parameters as understood; files as `{fileId, size, fileName}`. */
  payload: Record<string, unknown>;
  /** Arrival, milliseconds of the local Telegram's clock. */
  at: number;
  /** False until it is answered. */
  answered: boolean;
  /** False until it is answered, and when it is refused. */
  ok: boolean;
  errorCode?: number;
  description?: string;
}

/**
 * The parameters that were given, in the form that the record shows: as `understood` where they were, files described
 * instead of held.
 */
export function payloadOf(given: Fields, understood: Fields = given): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(given).map((name) => {
      const value = understood[name];
      return [name, value instanceof Upload ? value.summary() : value];
    }),
  );
}
