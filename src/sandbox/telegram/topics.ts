/** The topics of a forum: each is named by the message that created it. */

export interface Topic {
  /** The id of the message that opened it; goes into `message_thread_id`. */
  readonly id: number;
  readonly name: string;
  /** Only administrators may write in it. */
  readonly isClosed: boolean;
}

export class Topics {
  readonly #topics = new Map<number, Topic>();

  /** A new topic, whose root message has this id. */
  create(id: number, name: string): void {
    this.#topics.set(id, { id, name, isClosed: false });
  }

  /** Closes a topic, or opens it again; one that is not there stays away. */
  setClosed(id: number, isClosed: boolean): void {
    const topic = this.#topics.get(id);
    if (topic) this.#topics.set(id, { ...topic, isClosed });
  }

  remove(id: number): void {
    this.#topics.delete(id);
  }

  has(id: number): boolean {
    return this.#topics.has(id);
  }

  isClosed(id: number): boolean {
    return this.#topics.get(id)?.isClosed ?? false;
  }

  /** In the order in which they were created. */
  all(): Topic[] {
    return [...this.#topics.values()];
  }
}
