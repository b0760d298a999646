/** The HTTP reply to the bot. */
import { ApiError } from './api-error.ts';

/** `silence` keeps the connection open for ever, `reset` breaks it. */
export type Reply = ApiAnswer | 'silence' | 'reset';

export interface ApiAnswer {
  status: number;
  /** Content type. */
  type: string;
  body: string | Buffer;
  /** Telegram's words for a refusal. */
  description?: string;
}

/** An answer of JSON. */
export function jsonReply(status: number, body: unknown): ApiAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

/** Telegram's error object. Anything but an ApiError is a defect of the local Telegram: 500, with what it was. */
export function errorReply(error: unknown): ApiAnswer {
  const { code, message, parameters } =
    error instanceof ApiError ? error : new ApiError(500, `Internal Server Error: ${String(error)}`);
  const body = { ok: false, error_code: code, description: message, ...(parameters && { parameters }) };
  return { ...jsonReply(code, body), description: message };
}
