/** The failure kinds everything above the service speaks in: each says what a person (or an operator) can do about it. */

/**
 * - `auth`: the service refuses our credentials; only the operator can mend it
 * - `quota`: the service's paid quota is used up; only the operator can mend it
 * - `too-long`: the text exceeds what the service takes
 * - `bad-request`: the service refuses a parameter, or the input breaks a documented limit
 * - `unavailable`: the service could not be reached, or is failing; nothing was gained, trying later helps
 * - `malformed`: the service answered something that cannot be understood
 * - `in-doubt`: a call timed out after it was sent; it may have been charged, so only a person may repeat it
 * - `cancelled`: the person, or a stop of the process, ended it
 * - `image-unreadable`: empty, truncated, or no image that we can read
 * - `image-too-large`: more pixels than can be decoded safely (a decompression bomb)
 * - `document-encrypted`: a PDF that needs a password
 * - `document-unreadable`: a document that is damaged, or none that we can read
 * - `text-file-too-large`: a text file above 1 MB
 * - `document-too-large`: a PDF takes more memory or time than one may
 * - `file-too-large`: Telegram hands bots no file above 20 MB; a server of one's own does, up to what fits into memory
 * - `file-gone`: Telegram no longer has the file
 * - `file-unfetched`: Telegram has the file, and did not hand it over in several tries
 * - `file-unserved`: the Bot API server of one's own hands no files out as it is set up; only the operator can mend it
 * - `audio`: speech came, but no voice note could be made of it
 * - `limit-person`, `limit-group`, `limit-bot`: too few paid calls are left today, mostly none; it starts again at 00:00 UTC
 * - `costly`: it takes so many paid calls that its person is asked first
 * - `paused`: the admins have paused the bot (/pause)
 * - `database`: it cannot be read or written, so nothing may be paid for, and nothing is remembered
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

/** Whether the same request may succeed later as it is, so that its sender is offered to have it tried again. */
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
  // Until tomorrow, or for something shorter.
  'limit-person': false,
  'limit-group': false,
  'limit-bot': false,
  // Its own buttons have it done.
  costly: false,
  // Until the admins say so.
  paused: false,
  // The request stays in the queue, and is tried again by itself.
  database: false,
};

export interface FailureDetails {
  /** The service's own code (`error_code`, `msgId`), exactly as it came. */
  readonly code?: string;
  /** The service's id for troubleshooting (`traceId`, `log_id`), exactly as it came. */
  readonly traceId?: string | undefined;
  /** Of a limit: the paid calls that are left today, and those allowed in a day. */
  readonly calls?: { readonly left: number; readonly limit: number };
  /** Of what is costly: how many paid calls it takes, and what they cost, in fen; `isAtLeast`: more may follow, by what is found. */
  readonly price?: { readonly calls: number; readonly cost: number; readonly isAtLeast: boolean };
  /** What lies below; logged with its text removed where it may hold a person's words or a secret. */
  readonly cause?: unknown;
}

/**
 * A failure that is expected to happen and is told apart by `kind`, never by its text.
 * The message is for the log: it holds no text of a person, no token, no secret, no URL.
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

/** True for a `Failure`, of the given kind where one is named. */
export function isFailure(error: unknown, kind?: FailureKind): error is Failure {
  return error instanceof Failure && (kind === undefined || error.kind === kind);
}

/** True for a `Failure` of a kind that may pass. */
export function mayPass(error: unknown): error is Failure {
  return isFailure(error) && MAY_PASS[error.kind];
}

/** `EADDRINUSE`, `SQLITE_BUSY`, `UND_ERR_SOCKET`; undefined for an error that has none, and for what is no error. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** No file descriptor left (for the process, for the machine), no process, no memory. */
const OF_A_MOMENT: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/**
 * Whether the error, or what it was caused by, is a machine that has run out of something for now, as opposed to one that lacks it: the
 * same may succeed a moment later.
 */
export function isShortage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OF_A_MOMENT.has(codeOf(error)) || isShortage(error.cause);
}
