/** The answers to one request. None is sent twice when the request is handled again; an edited request edits its earlier answers. */
import type { SentMessage } from '../../queue/request-row.ts';
import type { Work } from '../../queue/work.ts';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { isInDoubt } from '../api/api-errors.ts';

/** `deleted`: somebody has deleted the message; `refused`: it exists, but Telegram no longer lets the bot edit it. */
export type EditOutcome = 'edited' | 'deleted' | 'refused';

interface Answer {
  readonly kind: 'text' | 'media' | 'question';
  send(): Promise<{ message_id: number }>;
  /** Turns an earlier text message into this one. */
  edit?(messageId: number): Promise<EditOutcome>;
  /** It only says why there is no answer yet: a later attempt puts the answer in its place. */
  readonly isForNow?: boolean | undefined;
}

/** An answer with Telegram's id: of the kinds that are sent to be seen. */
type GivenAnswer = SentMessage & { readonly id: number };

interface OutboxOptions {
  readonly work: Pick<Work, 'request' | 'note'>;
  /** Called before each answer is handed to the API, which may still let it wait; throws once the work is left to another process. */
  readonly throwIfLeft: () => void;
  /** Throws while Telegram is out of reach. */
  readonly reachTelegram: () => Promise<unknown>;
  /** Called when an answer could not be noted: another attempt might send it again. */
  readonly onUnnoted: (error: unknown) => void;
}

/**
 * The messages sent for a request, as its row keeps them. Handlers answer in the same order in every attempt, so an answer is known by its
 * place in that order.
 */
export class Outbox {
  #sent: readonly SentMessage[];
  readonly #options: OutboxOptions;
  /** How many answers were posted in this attempt, with those that an earlier one has sent. */
  #posted = 0;
  /** Whether this attempt has sent a message: a later answer must not stand above it. */
  #hasSent = false;
  /** The ids of what was posted for now. */
  readonly #forNow = new Set<number>();
  #noted: Promise<void> = Promise.resolve();

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#sent = options.work.request.sent;
  }

  /** What there is to see at the end of the request: its answers, or if there are none, the former ones. */
  get shown(): readonly SentMessage[] {
    const shown = this.#sent.filter((one) => isNewAnswer(one) || this.#isForNow(one));
    return (shown.length > 0 ? shown : this.former).map(({ isOld: _, ...message }) => message);
  }

  /** Whether anything was posted, an answer or why there is none. */
  get isAnswered(): boolean {
    return this.#posted > 0 || this.#forNow.size > 0;
  }

  /** Former answers that were not replaced, and can be deleted. */
  get leftOver(): readonly GivenAnswer[] {
    return this.former.filter((one) => !this.#isForNow(one));
  }

  /** Messages of an earlier attempt that show that the request is under way. */
  get progress(): readonly SentMessage[] {
    return this.#sent.filter(({ kind }) => kind === 'progress');
  }

  /** All answers posted so far, also in earlier attempts. */
  get given(): readonly GivenAnswer[] {
    return this.#answers.slice(0, this.#posted);
  }

  /** An earlier attempt, or the request before its question about the cost, has sent an answer. */
  get isPartlyAnswered(): boolean {
    return this.#answers.length > this.#posted;
  }

  /** The former answers that are left for this request to replace. */
  get former(): readonly GivenAnswer[] {
    return this.#sent.filter(isOldAnswer);
  }

  get #answers(): readonly GivenAnswer[] {
    return this.#sent.filter(isNewAnswer);
  }

  /** Sends an answer, or edits the former one in its place. Does nothing if an earlier attempt at the request has sent it. */
  async post(answer: Answer): Promise<void> {
    if (this.#posted < this.#answers.length && answer.isForNow !== true) {
      this.#posted += 1;
      return;
    }
    // Waits only before the next answer: the last one is stored together with the end of the work.
    await this.#noted;
    const { id, replaced } = await this.#editOrSend(answer);
    const posted: SentMessage = { id, kind: answer.kind, ...(answer.isForNow === true && { isOld: true }) };
    const others = this.#sent.filter(({ isInDoubt }) => isInDoubt !== true);
    this.#sent =
      replaced === undefined ? [...others, posted] : others.map((one) => (one === replaced ? posted : one));
    if (answer.isForNow === true) this.#forNow.add(id);
    else this.#posted += 1;
    this.#note();
  }

  /** Keeps the former answers that still exist; those of which `outcome` says that nothing can be edited are only deleted. */
  keepFormer(outcome: (answer: GivenAnswer) => EditOutcome | undefined): void {
    this.#sent = this.#sent.flatMap((one): SentMessage[] => {
      if (!isOldAnswer(one)) return [one];
      const now = outcome(one);
      if (now === 'deleted') return [];
      return [now === 'refused' && one.kind === 'text' ? { ...one, kind: 'media' } : one];
    });
  }

  /** Notes a message that is no answer: it shows that the request is under way. */
  async add(message: SentMessage): Promise<void> {
    this.#sent = [...this.#sent, message];
    await this.#options.work.note(this.#sent);
  }

  /** Forgets a message that was removed; the row hears of it with the next note. */
  drop(id: SentMessage['id']): void {
    this.#sent = this.#sent.filter((one) => one.id !== id);
  }

  #isForNow({ id }: SentMessage): boolean {
    return typeof id === 'number' && this.#forNow.has(id);
  }

  #note(): void {
    this.#noted = this.#options.work.note(this.#sent).catch(this.#options.onUnnoted);
  }

  async #editOrSend({ kind, send, edit }: Answer) {
    this.#options.throwIfLeft();
    const before = this.former.find((one) => one.kind !== 'media' && one.id !== UNKNOWN_MESSAGE_ID);
    if (edit !== undefined && before !== undefined && !this.#hasSent) {
      // Does not send it anew if it was deleted: the person did not want it.
      if ((await edit(before.id)) !== 'refused') return { id: before.id, replaced: before };
    }
    const id = await this.#send(kind, send);
    this.#hasSent = true;
    return { id, replaced: undefined };
  }

  /**
   * After a lost receipt the message may be there already: it is sent once more, once Telegram answers again, and if that receipt is lost,
   * too, it counts as sent.
   */
  async #send(kind: Answer['kind'], send: Answer['send']): Promise<number> {
    const isSecondTry = this.#sent.some(({ isInDoubt }) => isInDoubt === true);
    if (isSecondTry) await this.#options.reachTelegram();
    try {
      return (await send()).message_id;
    } catch (error) {
      if (!isInDoubt(error)) throw error;
      if (isSecondTry) return UNKNOWN_MESSAGE_ID;
      await this.add({ id: UNKNOWN_MESSAGE_ID, kind, isInDoubt: true });
      throw error;
    }
  }
}

function isAnswer(message: SentMessage): message is GivenAnswer {
  const { id, kind, isInDoubt } = message;
  return typeof id === 'number' && kind !== 'progress' && kind !== 'placeholder' && isInDoubt !== true;
}

function isNewAnswer(message: SentMessage): message is GivenAnswer {
  return isAnswer(message) && message.isOld !== true;
}

function isOldAnswer(message: SentMessage): message is GivenAnswer {
  return isAnswer(message) && message.isOld === true;
}
