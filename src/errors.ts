/** Failures that are expected. Each has a kind, which says what a person or an operator can do about it. */

/** The kinds of failures, and whether the same request may succeed later unchanged: then its sender gets a button to try again. */
const MAY_PASS = {
  /** The service refuses our credentials; only the operator can mend it. */
  auth: true,
  /** The service's paid quota is used up; only the operator can mend it. */
  quota: true,
  /** The text exceeds the service's limit. */
  'too-long': false,
  /** The service refuses a parameter, or the input breaks a documented limit. */
  'bad-request': false,
  /** The service is unreachable or failing; nothing was gained, trying later helps. */
  unavailable: true,
  /** The service's answer cannot be understood. */
  malformed: true,
  /** A call timed out after it was sent; it may have been charged, so only a person may repeat it. */
  'in-doubt': true,
  /** The person, or a stop of the process, ended it. */
  cancelled: false,
  /** Empty, truncated, or no image that we can read. */
  'image-unreadable': false,
  /** More pixels than can be decoded safely (a decompression bomb). */
  'image-too-large': false,
  /** A PDF that needs a password. */
  'document-encrypted': false,
  /** A page on which nothing is drawn: it is empty, or lacks the font of its letters. */
  'document-page-blank': false,
  /** A document that is damaged, or none that we can read. */
  'document-unreadable': false,
  /** A text file above 1 MB. */
  'text-file-too-large': false,
  /** A PDF that takes more memory or time than allowed. */
  'document-too-large': false,
  /** A PDF with more text than a book. */
  'document-too-long': false,
  /** Above 20 MB, which Telegram does not hand to bots; from a Bot API server of one's own, more than fits into memory. */
  'file-too-large': false,
  /** Telegram no longer has the file. */
  'file-gone': false,
  /** Telegram has the file, but did not hand it over in several tries. */
  'file-unfetched': true,
  /** The Bot API server of one's own is set up to hand out no files; only the operator can mend it. */
  'file-unserved': true,
  /** Speech came, but no voice note could be made of it. */
  audio: true,
  /** Too few paid calls are left today, mostly none; limits start again at 00:00 UTC, and until then only a shorter request helps. */
  'limit-person': false,
  'limit-group': false,
  'limit-bot': false,
  /** The request takes so many paid calls that the person is asked first, with buttons of their own. */
  costly: false,
  /** The admins have paused the bot (/pause), and only they end it. */
  paused: false,
  /** The database cannot be read or written, so nothing may be paid for; the request stays in the queue, which tries it again. */
  database: false,
} as const satisfies Readonly<Record<string, boolean>>;

export type FailureKind = keyof typeof MAY_PASS;

export interface FailureDetails {
  /** The service's own code (`error_code`, `msgId`), exactly as it came. */
  readonly code?: string;
  /** The service's id for troubleshooting (`traceId`, `log_id`), exactly as it came. */
  readonly traceId?: string | undefined;
  /** For a limit: the paid calls left today, and those allowed per day. */
  readonly calls?: { readonly left: number; readonly limit: number };
  /** For `costly`: the number of paid calls and their cost, in fen; `isAtLeast`: more may follow, depending on the results. */
  readonly price?: { readonly calls: number; readonly cost: number; readonly isAtLeast: boolean };
  /** The underlying error; logged without its text if that may hold a person's words or a secret. */
  readonly cause?: unknown;
}

/**
 * An expected failure, told apart by `kind`, never by its text. The message is for the log: it holds no person's text, no token, no secret,
 * no URL.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  readonly code: string | undefined;
  readonly traceId: string | undefined;
  readonly calls: FailureDetails['calls'];
  readonly price: FailureDetails['price'];
  /**
   * Until when the same call is suspended, in ms since the epoch: set by the code that suspends it. Undefined: it can be tried again at
   * once.
   */
  nextTryAt: number | undefined;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = details.code;
    this.traceId = details.traceId;
    this.calls = details.calls;
    this.price = details.price;
  }
}

/** True for a `Failure`, of this kind if one is given. */
export function isFailure(error: unknown, kind?: FailureKind): error is Failure {
  return error instanceof Failure && (kind === undefined || error.kind === kind);
}

/** True for a `Failure` of a kind that may pass. */
export function mayPass(error: unknown): error is Failure {
  return isFailure(error) && MAY_PASS[error.kind];
}

const ENDS_REQUEST: ReadonlySet<FailureKind> = new Set([
  'cancelled',
  'limit-person',
  'limit-group',
  'limit-bot',
  'paused',
]);

/** True for a failure after which nothing more of a request is done for now: what is finished of it stays, and the rest is for later. */
export function endsRequest(error: unknown): error is Failure {
  return isFailure(error) && ENDS_REQUEST.has(error.kind);
}

/** The code of an error (`EADDRINUSE`, `SQLITE_BUSY`, `UND_ERR_SOCKET`); undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** Whether this code of an error says that a TLS certificate is not trusted, has expired or names another host. */
export function isCertificateError(code: string | undefined): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code ?? '');
}
