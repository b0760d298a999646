/** The topics of a forum: each is named by the message that created it. */

export interface Topic {
  /** The id of the message that opened it; goes into `message_thread_id`. */
  readonly id: number;
  readonly name: string;
  /** Only administrators may write in it. */
  readonly isClosed: boolean;
}

export class Topics {
  /** The topic General has no id: it is there from the beginning, and cannot be deleted. */
  isGeneralClosed = false;
  readonly #topics = new Map<number, Topic>();

  /** A new topic, whose root message has this id. */
  create(id: number, name: string): void {
    this.#topics.set(id, { id, name, isClosed: false });
  }

  /** Closes a topic, or opens it again; ignores one that does not exist. */
  setClosed(id: number | undefined, isClosed: boolean): void {
    if (id === undefined) {
      this.isGeneralClosed = isClosed;
      return;
    }
    const topic = this.#topics.get(id);
    if (topic) this.#topics.set(id, { ...topic, isClosed });
  }

  remove(id: number): void {
    this.#topics.delete(id);
  }

  has(id: number): boolean {
    return this.#topics.has(id);
  }

  /** Whether only administrators may write in it; without an id, in General. */
  isClosed(id: number | undefined): boolean {
    return id === undefined ? this.isGeneralClosed : (this.#topics.get(id)?.isClosed ?? false);
  }

  /** In the order in which they were created. */
  all(): Topic[] {
    return [...this.#topics.values()];
  }
}
