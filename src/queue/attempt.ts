/** One attempt at a request: what its handler gets, and how long it may take. */
import type { Outcome, RequestRow, SentMessage } from './request-table.ts';
import type { Requests, Taken } from './requests.ts';

/** Attempts a request. If it throws, the queue decides between a retry and a dead letter. */
export type QueueHandler = (attempt: Attempt) => Promise<Outcome>;

/** In ms; a longer attempt counts as hung: the longest speech takes 15 minutes, spoken in real time, and may follow a translation. */
const MAX_WORK_MS = 30 * 60 * 1000;

export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

interface AttemptOptions {
  readonly requests: Requests;
  /** The longest attempt, in ms; `MAX_WORK_MS` by default. */
  readonly limitMs?: number | undefined;
  /** Called when the request's rows could not be read after a change. */
  readonly onFailure: (error: unknown) => void;
}

export class Attempt implements Taken {
  /** Of an album, its first part; `rows` and `bodies` have all parts. */
  readonly request: RequestRow;
  readonly rows: readonly RequestRow[];
  readonly bodies: readonly unknown[];
  readonly #options: AttemptOptions;
  readonly #aborter = new AbortController();
  /** Aborts when the process stops, or when another process has taken the request; it is attempted again. */
  readonly signal = this.#aborter.signal;
  #listener: ((rows: readonly RequestRow[]) => void) | undefined;
  /** The request was changed after it was taken, and no listener is set yet. */
  #isChanged = false;

  constructor({ request, rows }: Taken, options: AttemptOptions) {
    this.request = request;
    this.rows = rows;
    this.bodies = rows.map(({ body }) => body);
    this.#options = options;
  }

  abort(reason: Error): void {
    this.#aborter.abort(reason);
  }

  /** Records durably what was sent for the request. Throws `database`. */
  readonly note = (sent: readonly SentMessage[]): Promise<void> =>
    this.#options.requests.note(this.request, sent);

  /** Calls `listener` with the request's rows when it is cancelled or edited while it runs. */
  onChange(listener: (rows: readonly RequestRow[]) => void): void {
    this.#listener = listener;
    if (this.#isChanged) this.change();
  }

  change(): void {
    const { requests, onFailure } = this.#options;
    this.#isChanged = this.#listener === undefined;
    if (this.#listener === undefined) return;
    const ids = this.rows.map(({ id }) => id);
    requests.read(ids).then(this.#listener).catch(onFailure);
  }

  /** Runs the handler. Throws its error, or `TookTooLong` on time-out; a handler that ignores the signal keeps running. */
  async run(handler: QueueHandler): Promise<Outcome> {
    const { limitMs = MAX_WORK_MS } = this.#options;
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const error = new TookTooLong(`work was given up after ${limitMs} ms`);
      limit.reject(error);
      this.abort(error);
    }, limitMs);
    try {
      return await Promise.race([handler(this), limit.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
