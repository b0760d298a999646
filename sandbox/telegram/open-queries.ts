/** Callback, inline and guest queries that wait for the bot's answer; late answers are refused. */
import { randomInt } from 'node:crypto';
import { badRequest } from './api-error.ts';

/** How long Telegram accepts an answer. */
const LIFETIME_MS = 15_000;

export class OpenQueries<Query> {
  readonly #open = new Map<string, { asked: Query; askedAt: number }>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** A new query's id. */
  ask(asked: Query): string {
    const id = `${randomInt(1, 2 ** 47)}${String(randomInt(0, 100_000)).padStart(5, '0')}`;
    this.#open.set(id, { asked, askedAt: this.#now().getTime() });
    return id;
  }

  /** What was asked; throws ApiError for an unknown id and for one too old. */
  find(id: string): Query {
    const query = this.#open.get(id);
    if (query === undefined || this.#now().getTime() - query.askedAt > LIFETIME_MS)
      throw badRequest('query is too old and response timeout expired or query ID is invalid');
    return query.asked;
  }

  /** Takes no further answer. */
  close(id: string): void {
    this.#open.delete(id);
  }
}
