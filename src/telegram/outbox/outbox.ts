/** The messages sent for one request: each once, in the chat and topic that asked, and none twice when the request is retried. */
import { hash } from 'node:crypto';
import { Failure } from '../../errors.ts';
import { markOf } from '../../language/normalise.ts';
import type { Attempt } from '../../queue/attempt.ts';
import type { Queue } from '../../queue/queue.ts';
import type { SentMessage } from '../../queue/request-table.ts';
import { type Requests, TakenOver } from '../../queue/requests.ts';
import { type BotApi, UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { type EditOutcome, isInDoubt, isRefusal, isTopicGone, outcomeOfEdit } from '../api/api-errors.ts';
import { type Destination, ephemeralReply, type Topic, topicOf } from './destination.ts';
import { Progress, type ProgressContext } from './progress.ts';

/** What the outbox uses of the request's context (context.ts), which holds it. */
interface OutboxContext extends ProgressContext {
  readonly bot: ProgressContext['bot'] & {
    readonly queue: Pick<Queue, 'mustStillOwn'>;
    readonly requests: Requests;
  };
  readonly work: Attempt;
  /** Its answer is personal: it is never posted in public if the request was private. */
  readonly isPersonal: boolean;
}

export interface OutgoingText {
  /** What it is among the answers to the message that it replies to, the same in every attempt: `translation`, `read:tibetan:2`. */
  readonly key: string;
  /**
   * What it says. A later attempt that has something else to say under this key corrects the message, and what it has nothing to say under is
   * deleted. Undefined for words that stand once they were said: what they confirm is done already when they are said again.
   */
  readonly said?: string | undefined;
  /** Fits one message. */
  readonly text: string;
  /** Its buttons, and its formatting, never from markup: people's texts could contain it. */
  readonly extra?: Pick<Extra, 'reply_markup' | 'entities'>;
  /** The message to reply to; by default the one that asked; false: none. */
  readonly replyTo?: number | false | undefined;
  /** It says why there is no answer yet, or asks a question first: a later attempt replaces it with the answer. */
  readonly interim?: 'text' | 'question' | undefined;
}

type Extra = NonNullable<Parameters<BotApi['editMessageText']>[4]>;

interface OutgoingMedia extends Pick<OutgoingText, 'key' | 'said' | 'replyTo'> {
  readonly upload: (destination: Destination) => Promise<{ readonly message_id: number }>;
}

/** A sent message with its id, of a kind that people see. */
type GivenAnswer = SentMessage & { readonly id: number };

/**
 * Every message of a request goes out through its outbox, which records them in the request's row. An answer is known by its key: an attempt
 * sends what no attempt before it has sent under that key.
 */
export class Outbox {
  readonly #ctx: OutboxContext;
  /** Shown until the answer comes. */
  readonly progress: Progress;
  /** The topic of the request, as parameters; none outside of topics. */
  readonly topic: Topic;
  /** The parameters that show answers to the sender alone; undefined if the whole chat sees them. */
  ephemeral: Destination | undefined;
  /** Messages yet to be replaced: the answers to the message before its edit, and interim messages of earlier attempts. */
  former: readonly GivenAnswer[] = [];
  /** The answers, those of earlier attempts and those in doubt included; what a later attempt replaces (`interim`) is old already. */
  #answers: readonly GivenAnswer[] = [];
  /** The keys of what this attempt has said, or found said. */
  readonly #given: string[] = [];
  /** Whether this attempt has sent a message: a later answer must not stand above it. */
  #hasSent = false;
  #noted: Promise<void> = Promise.resolve();

  constructor(ctx: OutboxContext) {
    this.#ctx = ctx;
    this.ephemeral = ephemeralReply(ctx);
    this.topic = topicOf(ctx.msg);
    const isOurs = () => ctx.bot.requests.isOwned(ctx.work.request.id);
    this.progress = new Progress(ctx, this.destination(), isOurs, () => this.#note());
    for (const { id, ...message } of ctx.work.request.sent) {
      if (typeof id !== 'number') continue;
      const one = { id, ...message };
      if (one.kind === 'progress') this.progress.message = { ...one, chat: one.chat ?? ctx.chat.id };
      else if (one.isOld) this.former = [...this.former, one];
      else this.#answers = [...this.#answers, one];
    }
  }

  /** How many answers this attempt has given so far, or found given. */
  get given(): number {
    return this.#given.length;
  }

  /** Whether any attempt has given an answer, or may have. */
  get isBegun(): boolean {
    return this.#answers.length > 0;
  }

  /** The messages that remain at the end of the request: its answers, or if there are none, the former ones. */
  get shown(): readonly SentMessage[] {
    const shown = this.#answers.filter(({ isInDoubt }) => !isInDoubt);
    return shown.length > 0 ? shown : this.former;
  }

  /** The destination of a reply to the request's message, or to `replyTo`. */
  destination(replyTo?: number | false): Destination {
    const target = replyTo ?? this.#ctx.msg?.message_id;
    if (target === undefined || target === false || target === UNKNOWN_MESSAGE_ID) return this.topic;
    return { reply_parameters: { message_id: target, allow_sending_without_reply: true }, ...this.topic };
  }

  /**
   * Sends an answer, or edits the former one into it, unless an earlier attempt did; returns its id. Throws the signal's reason if it has
   * aborted, and `undelivered` once it was in doubt twice.
   */
  async send(outgoing: OutgoingText | OutgoingMedia): Promise<number> {
    const { bot, chat, work } = this.#ctx;
    const interim = 'text' in outgoing ? outgoing.interim : undefined;
    const kind = interim ?? ('text' in outgoing ? 'text' : 'media');
    const key = this.#keyOf(outgoing, interim);
    const before = this.#before(key, kind, interim !== undefined);
    const said = hashOf(outgoing, chat.type === 'channel');
    if (before !== undefined && stands(before, outgoing.said === undefined ? undefined : said)) {
      this.#put({ ...before, key }, before);
      this.#given.push(key);
      return before.id;
    }
    // Wait for the record only before the next answer: the last one is recorded with the end of the work.
    await this.#noted;
    // Check here, since the API client may hold the call back for a while.
    await bot.queue.mustStillOwn(work);
    const replaced = 'text' in outgoing ? await this.#replace(outgoing, before) : undefined;
    if (replaced === undefined && before !== undefined && !before.isInDoubt) this.#retire(before);
    const id = replaced ?? (await this.#sendOnce(outgoing, { key, kind }, before));
    const isOld = interim === undefined ? undefined : true;
    this.#put({ id, kind, key, said, isOld }, before);
    this.#given.push(key);
    this.#noted = this.#note();
    return id;
  }

  /** The answer's key in the row: answers to several messages have the same, and a sentence can be said twice. */
  #keyOf({ key, replyTo }: OutgoingText | OutgoingMedia, interim: OutgoingText['interim']): string {
    const own = interim === undefined && typeof replyTo === 'number' ? `${key}@${replyTo}` : key;
    const whole = interim === undefined ? own : 'interim';
    let free = whole;
    for (let time = 2; this.#given.includes(free); time += 1) free = `${whole}#${time}`;
    return free;
  }

  /** What an earlier attempt has sent under this key. Of what 1.0.0 has sent without keys, it is the next of its kind. */
  #before(key: string, kind: SentMessage['kind'], isInterim: boolean): GivenAnswer | undefined {
    const isNext = (one: GivenAnswer) =>
      one.key === undefined && one.kind === kind && (!isInterim || one.isInDoubt);
    return this.#answers.find((one) => one.key === key) ?? this.#answers.find(isNext);
  }

  /** Adds an answer, in the place of what was there `before`. */
  #put(answer: GivenAnswer, before: GivenAnswer | undefined): void {
    const others = this.#answers.filter((one) => one !== before && one.key !== answer.key);
    this.#answers = [...others, answer];
  }

  /** Call when the work has come to its end: what only an earlier attempt has said of its results is no longer true. */
  dropUnsaid(): void {
    for (const one of this.#answers)
      if (one.said !== undefined && !this.#given.includes(one.key ?? '')) this.#retire(one);
  }

  /** The answer is replaced or deleted before the end. */
  #retire(answer: GivenAnswer): void {
    this.#answers = this.#answers.filter((one) => one !== answer);
    this.former = [...this.former, { ...answer, isOld: true }];
  }

  /** Runs an edit of a message. Ignores "not modified", "not found" and the like; throws the rest. */
  async edit(editing: () => Promise<unknown>): Promise<EditOutcome> {
    await this.progress.clear();
    return outcomeOfEdit(editing());
  }

  /** Records what was sent. Never rejects: at worst another attempt sends it again. */
  async #note(): Promise<void> {
    const { bot, work } = this.#ctx;
    const sent: SentMessage[] = [...this.former, ...this.#answers];
    const { message } = this.progress;
    if (message !== undefined) sent.push(message);
    await bot.requests.note(work.request.id, sent).catch((error: unknown) => {
      if (error instanceof TakenOver) work.abort(error);
      bot.log.warn({ error }, 'recording a sent message failed');
    });
  }

  /**
   * Edits what was sent `before` into this answer, else the first former one that nobody has deleted, and returns its id; undefined if none can
   * be edited.
   */
  async #replace(
    { text, extra }: OutgoingText,
    before: GivenAnswer | undefined,
  ): Promise<number | undefined> {
    const { bot, chat } = this.#ctx;
    const former = this.#hasSent ? [] : this.former;
    for (const one of before === undefined || before.isInDoubt ? former : [before]) {
      if (one.kind === 'media' || one.id === UNKNOWN_MESSAGE_ID) continue;
      const edit = () => bot.api.editMessageText(chat.id, one.id, undefined, text, extra);
      const outcome = await this.edit(edit);
      if (outcome === 'deleted') continue;
      if (outcome === 'refused') return undefined;
      this.former = this.former.filter((other) => other !== one);
      return one.id;
    }
    return undefined;
  }

  /**
   * Sends it and returns its id. If the response is lost, it may have arrived: it is sent once more, and if that is lost, too, only its person
   * has it sent again; words that a later attempt replaces count as sent.
   */
  async #sendOnce(
    outgoing: OutgoingText | OutgoingMedia,
    answer: Pick<GivenAnswer, 'key' | 'kind'>,
    before: GivenAnswer | undefined,
  ): Promise<number> {
    const { bot, work } = this.#ctx;
    const doubt = before?.isInDoubt;
    if (doubt === 'twice') throw undelivered();
    if (doubt) await bot.api.callApi('getMe', {}, { signal: work.signal });
    try {
      const { message_id } = await this.progress.answer(() => this.#deliver(outgoing));
      this.#hasSent = true;
      return message_id;
    } catch (error) {
      if (!isInDoubt(error)) throw error;
      if (doubt && 'text' in outgoing && outgoing.interim !== undefined) return UNKNOWN_MESSAGE_ID;
      this.#put({ id: UNKNOWN_MESSAGE_ID, ...answer, isInDoubt: doubt ? 'twice' : true }, before);
      await this.#note();
      throw doubt ? undelivered() : error;
    }
  }

  /**
   * Sends to the asker alone, if required, else where the request was made. If Telegram no longer accepts an ephemeral answer, a personal
   * text goes to the private chat, any other personal answer is not sent, and the rest goes to the group. If the topic is gone, the answer
   * goes to General, or to the private chat, where no reply can lead into a topic. Throws Telegram's refusal if General is closed, too.
   */
  async #deliver(outgoing: OutgoingText | OutgoingMedia): Promise<{ readonly message_id: number }> {
    const { bot, chat, from } = this.#ctx;
    const deliver = (destination: Destination, to = chat.id) =>
      'text' in outgoing
        ? bot.api.sendMessage(to, outgoing.text, { ...destination, ...outgoing.extra })
        : outgoing.upload(destination);
    if (this.ephemeral !== undefined && from !== undefined) {
      const { isPersonal } = this.#ctx;
      try {
        return await deliver({ ...this.topic, ...this.ephemeral });
      } catch (error) {
        if (!isRefusal(error) || (isPersonal && !('text' in outgoing))) throw error;
        bot.log.debug({ error }, 'Telegram refused an ephemeral answer');
        if (isPersonal) return deliver({}, from.id);
        this.ephemeral = undefined;
      }
    }
    const destination = this.destination(outgoing.replyTo);
    try {
      return await deliver(destination);
    } catch (error) {
      if (destination.message_thread_id === undefined || !isTopicGone(error)) throw error;
      return deliver({});
    }
  }
}

/** Whether what was sent needs no correction. Nothing is known of what 1.0.0 said, and a message without an id cannot be edited. */
function stands({ id, said: before, isInDoubt }: GivenAnswer, said: string | undefined): boolean {
  if (isInDoubt) return false;
  return id === UNKNOWN_MESSAGE_ID || before === undefined || said === undefined || before === said;
}

/** `SentMessage.said`. A file may be long, and nobody repeats it. */
function hashOf(outgoing: OutgoingText | OutgoingMedia, isInChannel: boolean): string | undefined {
  if (!('text' in outgoing)) return outgoing.said && hash('sha256', outgoing.said).slice(0, 16);
  return outgoing.said !== undefined || isInChannel ? markOf(outgoing.text) : undefined;
}

function undelivered(): Failure {
  return new Failure('undelivered', 'an answer was sent twice, and its receipt was lost each time');
}
