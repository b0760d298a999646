/** A Bot API call that Telegram refuses: code, description and parameters exactly as the real server words them. */

interface ResponseParameters {
  /** Seconds. */
  retry_after?: number;
  migrate_to_chat_id?: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly parameters: ResponseParameters | undefined;

  constructor(code: number, description: string, parameters?: ResponseParameters) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

/** 400; `what` as in Telegram's own list: "chat not found", "BUTTON_DATA_INVALID". */
export function badRequest(what: string, parameters?: ResponseParameters): ApiError {
  return new ApiError(400, `Bad Request: ${what}`, parameters);
}

/** 403: the bot may not write there. */
export function forbidden(what: string): ApiError {
  return new ApiError(403, `Forbidden: ${what}`);
}

/** 409: two want the bot's updates. */
export function conflict(what: string): ApiError {
  return new ApiError(409, `Conflict: ${what}`);
}

/** 429; `retryAfter` in seconds. */
export function tooManyRequests(retryAfter: number): ApiError {
  return new ApiError(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
}
