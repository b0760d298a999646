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

/** The parameters in the form that the record shows: files described, not held. */
export function payloadOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Upload ? value.toJSON() : value]),
  );
}
