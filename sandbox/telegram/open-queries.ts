/** Callback and inline queries that wait for the bot's answer; late answers are refused. */
import { randomInt } from 'node:crypto';
import { badRequest } from './api-error.ts';

interface OpenQuery<Answer> {
  answered: (answer: Answer) => void;
  askedAt: number;
}

/** How long Telegram accepts an answer. */
const LIFETIME_MS = 15_000;

export class OpenQueries<Answer> {
  readonly #open = new Map<string, OpenQuery<Answer>>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** A new query's id; `answered` is called with the first answer in time. */
  ask(answered: (answer: Answer) => void): string {
    const id = `${randomInt(1, 2 ** 47)}${String(randomInt(0, 100_000)).padStart(5, '0')}`;
    this.#open.set(id, { answered, askedAt: this.#now().getTime() });
    return id;
  }

  /** Takes the bot's answer, the first alone; throws ApiError for an unknown id and for one too old. */
  answer(id: string, answer: Answer): void {
    const query = this.#open.get(id);
    if (query === undefined || this.#now().getTime() - query.askedAt > LIFETIME_MS)
      throw badRequest('query is too old and response timeout expired or query ID is invalid');
    query.answered(answer);
    query.answered = () => undefined;
  }
}
