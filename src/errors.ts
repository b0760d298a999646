/** Failures that are expected. Each has a kind, which says what a person or an operator can do about it. */

/**
 * - `auth`: the service refuses our credentials; only the operator can mend it
 * - `quota`: the service's paid quota is used up; only the operator can mend it
 * - `too-long`: the text exceeds the service's limit
 * - `bad-request`: the service refuses a parameter, or the input breaks a documented limit
 * - `unavailable`: the service is out of reach or failing; nothing was gained, trying later helps
 * - `malformed`: the service's answer cannot be understood
 * - `in-doubt`: a call timed out after it was sent; it may have been charged, so only a person may repeat it
 * - `cancelled`: the person, or a stop of the process, ended it
 * - `image-unreadable`: empty, truncated, or no image that we can read
 * - `image-too-large`: more pixels than can be decoded safely (a decompression bomb)
 * - `document-encrypted`: a PDF that needs a password
 * - `document-unreadable`: a document that is damaged, or none that we can read
 * - `text-file-too-large`: a text file above 1 MB
 * - `document-too-large`: a PDF that takes more memory or time than allowed
 * - `file-too-large`: a file above 20 MB, which Telegram does not hand to bots; from a Bot API server of one's own, one that does not fit
 *   into memory
 * - `file-gone`: Telegram no longer has the file
 * - `file-unfetched`: Telegram has the file, but did not hand it over in several tries
 * - `file-unserved`: the Bot API server of one's own is set up to hand out no files; only the operator can mend it
 * - `audio`: speech came, but no voice note could be made of it
 * - `limit-person`, `limit-group`, `limit-bot`: too few paid calls are left today, mostly none; limits start again at 00:00 UTC
 * - `costly`: the request takes so many paid calls that the person is asked first
 * - `paused`: the admins have paused the bot (/pause)
 * - `database`: the database cannot be read or written, so nothing may be paid for, and nothing is remembered
 */
export type FailureKind =
  | 'auth'
  | 'quota'
  | 'too-long'
  | 'bad-request'
  | 'unavailable'
  | 'malformed'
  | 'in-doubt'
  | 'cancelled'
  | 'image-unreadable'
  | 'image-too-large'
  | 'document-encrypted'
  | 'document-unreadable'
  | 'text-file-too-large'
  | 'document-too-large'
  | 'file-too-large'
  | 'file-gone'
  | 'file-unfetched'
  | 'file-unserved'
  | 'audio'
  | 'limit-person'
  | 'limit-group'
  | 'limit-bot'
  | 'costly'
  | 'paused'
  | 'database';

/** Whether the same request may succeed later unchanged, so that its sender is offered a button to try again. */
const MAY_PASS: Record<FailureKind, boolean> = {
  auth: true,
  quota: true,
  'too-long': false,
  'bad-request': false,
  unavailable: true,
  malformed: true,
  'in-doubt': true,
  cancelled: false,
  'image-unreadable': false,
  'image-too-large': false,
  'document-encrypted': false,
  'document-unreadable': false,
  'text-file-too-large': false,
  'document-too-large': false,
  'file-too-large': false,
  'file-gone': false,
  'file-unfetched': true,
  'file-unserved': true,
  audio: true,
  // Only a shorter request helps today.
  'limit-person': false,
  'limit-group': false,
  'limit-bot': false,
  // It has buttons of its own.
  costly: false,
  // Only the admins end a pause.
  paused: false,
  // The request stays in the queue, which tries it again.
  database: false,
};

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

/** The code of an error (`EADDRINUSE`, `SQLITE_BUSY`, `UND_ERR_SOCKET`); undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** The process or the machine has no file descriptor left, no process, no memory. */
const OF_A_MOMENT: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Whether the error or one of its causes says that the machine has run out of something for now: the same may succeed a moment later. */
export function isShortage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OF_A_MOMENT.has(codeOf(error)) || isShortage(error.cause);
}
