/** The page asked for something that cannot be done; the message is for the person at the page. */

export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The HTTP status; fastify answers with it. */
  readonly statusCode: number;

  constructor(statusCode: number, words: string, cause?: unknown) {
    super(words, { cause });
    this.statusCode = statusCode;
  }
}
