/** The topics of a forum: each is named by the message that created it. */
export class Topics {
  readonly #closed = new Map<number, boolean>();

  /** Opens the topic whose root message has this id; also reopens it. */
  open(threadId: number): void {
    this.#closed.set(threadId, false);
  }

  close(threadId: number): void {
    this.#closed.set(threadId, true);
  }

  remove(threadId: number): void {
    this.#closed.delete(threadId);
  }

  has(threadId: number): boolean {
    return this.#closed.has(threadId);
  }

  /** Whether only administrators may write in the topic. */
  isClosed(threadId: number): boolean {
    return this.#closed.get(threadId) ?? false;
  }
}
