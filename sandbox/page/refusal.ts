/** An action that the page asked for and that cannot be done; its words are for the person at the page. */

export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The HTTP status; fastify answers with it. */
  readonly statusCode: number;

  constructor(statusCode: number, words: string, cause?: unknown) {
    super(words, { cause });
    this.statusCode = statusCode;
  }
}
