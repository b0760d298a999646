/** Expected failures. Each has a kind, which says what a person or an operator can do about it. */

/**
 * What follows for the request:
 * - `may-pass`: the same request may succeed later, so its sender gets *Try again*
 * - `ends`: nothing more of it is done for now; what is finished stays, and the rest is for later
 * - `of-file`: the file cannot be read; others of the request can
 * - `final`: the request cannot succeed; its sender is told why
 */
export const FAILURES = {
  /** The service refuses our credentials; only the operator can fix it. */
  auth: 'may-pass',
  /** The service's quota is used up; only the operator can top it up. */
  quota: 'may-pass',
  /** The text exceeds the service's limit. */
  'too-long': 'final',
  /** Tibetan in private characters of an old national standard, and no table for them. */
  'private-letters': 'final',
  /** The service refuses a parameter, or the input breaks a documented limit. */
  'bad-request': 'final',
  /** The service is unreachable or failing; trying later helps. */
  unavailable: 'may-pass',
  /** The service's answer cannot be parsed. */
  malformed: 'may-pass',
  /** A call timed out after it was sent. It may have been charged, so only a person may repeat it. */
  'in-doubt': 'may-pass',
  /** An answer was sent to Telegram twice, and its receipt was lost each time. It may have arrived, so only a person may repeat it. */
  undelivered: 'may-pass',
  /** Cancelled by the person, or by the end of the process. */
  cancelled: 'ends',
  /** Empty, truncated, or not an image we can read. */
  'image-unreadable': 'of-file',
  /** More pixels than can be decoded safely (a decompression bomb). */
  'image-too-large': 'of-file',
  'document-encrypted': 'of-file',
  /** A page drawn blank: it is empty, or lacks the font of its letters. */
  'document-page-blank': 'of-file',
  /** A document that is damaged, or of a kind we cannot read. */
  'document-unreadable': 'of-file',
  /** A text file above 1 MB. */
  'text-file-too-large': 'of-file',
  /** A PDF that takes more memory or time than allowed. */
  'document-too-large': 'of-file',
  /** A PDF with more text than a book. */
  'document-too-long': 'of-file',
  /** More pages than are read at once, and none chosen. */
  'document-too-many-pages': 'of-file',
  'document-no-such-pages': 'of-file',
  /** Above 20 MB, which Telegram does not serve to bots; from a self-hosted Bot API server, more than fits into memory. */
  'file-too-large': 'of-file',
  /** Telegram no longer has the file. */
  'file-gone': 'of-file',
  /** Telegram did not serve the file in several tries. */
  'file-unfetched': 'may-pass',
  /** The self-hosted Bot API server serves no files; only the operator can fix it. */
  'file-unserved': 'may-pass',
  /** No voice note could be made of the speech. */
  audio: 'may-pass',
  /** Too few paid calls are left today, mostly none. Limits start again at 00:00 UTC; until then only a shorter request helps. */
  'limit-person': 'ends',
  'limit-group': 'ends',
  'limit-bot': 'ends',
  /** The request takes many paid calls, so its person is asked first. */
  costly: 'final',
  paused: 'ends',
  /** The database cannot be read or written, so nothing may be paid for; the queue retries the request. */
  database: 'final',
} as const satisfies Readonly<Record<string, 'may-pass' | 'ends' | 'of-file' | 'final'>>;

export type FailureKind = keyof typeof FAILURES;

export interface FailureDetails {
  /** The service's own code (`error_code`, `msgId`), exactly as it came. */
  readonly code?: string;
  /** The service's id for troubleshooting (`traceId`, `log_id`), exactly as it came. */
  readonly traceId?: string | undefined;
  /** For a limit: the paid calls left today, and those allowed per day. */
  readonly calls?: { readonly left: number; readonly limit: number };
  /** For a document: the pages that it has, and those that are read at once. */
  readonly pages?: { readonly count: number; readonly most: number };
  /** For `costly`: the number of paid calls and their cost, in fen; `isAtLeast`: more may follow, depending on the results. */
  readonly price?: { readonly calls: number; readonly cost: number; readonly isAtLeast: boolean };
  /** For `paused`: the admins' own words, if they gave any; never logged. */
  readonly said?: string | undefined;
  /** The underlying error; logged without its text if that may hold a person's words or a secret. */
  readonly cause?: unknown;
}

/** An expected failure; branch on `kind`, never on text. The message is for the log: it holds no person's text, token, secret or URL. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  readonly code: FailureDetails['code'];
  readonly traceId: FailureDetails['traceId'];
  readonly calls: FailureDetails['calls'];
  readonly pages: FailureDetails['pages'];
  readonly price: FailureDetails['price'];
  readonly said: FailureDetails['said'];
  /** When the same call may be tried again, in ms since the epoch; set by the code that suspends it. Undefined: at once. */
  nextTryAt: number | undefined;

  constructor(kind: FailureKind, message: string, { cause, ...details }: FailureDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    Object.assign(this, details);
  }
}

export function isFailure(error: unknown, kind?: FailureKind): error is Failure {
  return error instanceof Failure && (kind === undefined || error.kind === kind);
}

export function mayPass(error: unknown): error is Failure {
  return isFailure(error) && FAILURES[error.kind] === 'may-pass';
}

export function endsRequest(error: unknown): error is Failure {
  return isFailure(error) && FAILURES[error.kind] === 'ends';
}

export function isOfFile(error: unknown): error is Failure {
  return isFailure(error) && FAILURES[error.kind] === 'of-file';
}

/** Returns a code such as `EADDRINUSE`, `SQLITE_BUSY` or `UND_ERR_SOCKET`; undefined if there is none. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** Returns an error's code or name, which unlike its message hold no text, secret or address. */
export function errorName(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.name : typeof error);
}

/** The certificate is not trusted, has expired, or names another host. */
export function isCertificateError(code: string | undefined): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code ?? '');
}
