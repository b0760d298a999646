/** The messages sent for one request: each once, in the chat and topic that asked, and none twice when the request is retried. */
import { markOf } from '../../language/normalise.ts';
import type { Attempt, Queue } from '../../queue/queue.ts';
import type { SentMessage } from '../../queue/request-table.ts';
import type { Requests } from '../../queue/requests.ts';
import { type BotApi, UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { type EditOutcome, isInDoubt, isRefusal, isTopicGone, outcomeOfEdit } from '../api/api-errors.ts';
import { type Destination, ephemeralReply, type Topic, topicOf } from './destination.ts';
import { Progress, type ProgressContext } from './progress.ts';

/** What the outbox uses of the request's context (context.ts), which holds it. */
interface OutboxContext extends ProgressContext {
  readonly bot: ProgressContext['bot'] & {
    readonly queue: Pick<Queue, 'giveUpIfSlept'>;
    readonly requests: Requests;
  };
  readonly work: Pick<Attempt, 'request' | 'signal'>;
  /** Its answer is personal: it is never posted in public if the request was private. */
  readonly isPersonal: boolean;
}

export interface OutgoingText {
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

interface OutgoingMedia extends Pick<OutgoingText, 'replyTo'> {
  readonly upload: (destination: Destination) => Promise<{ readonly message_id: number }>;
}

/** A sent message with its id, of a kind that people see. */
type GivenAnswer = SentMessage & { readonly id: number };

/**
 * Every message of a request goes out through its outbox, which records them in the request's row. Handlers answer in the same order in
 * every attempt, so an answer is identified by its position in that order.
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
  /** The messages so far, answers of earlier attempts included; those that a later attempt replaces (`interim`) are old already. */
  readonly given: GivenAnswer[] = [];
  /** Answers of earlier attempts, or from before a question about the cost, that this attempt has yet to come to. */
  readonly ahead: GivenAnswer[] = [];
  /** A message that may have arrived: its response was lost. */
  #inDoubt: readonly SentMessage[] = [];
  /** Whether this attempt has sent a message: a later answer must not stand above it. */
  #hasSent = false;
  #noted: Promise<void> = Promise.resolve();

  constructor(ctx: OutboxContext) {
    this.#ctx = ctx;
    this.ephemeral = ephemeralReply(ctx);
    this.topic = topicOf(ctx.msg);
    this.progress = new Progress(ctx, this.destination(), () => this.#note());
    for (const { id, ...message } of ctx.work.request.sent) {
      if (typeof id !== 'number') continue;
      const one = { id, ...message };
      if (one.kind === 'progress') this.progress.message = { ...one, chat: one.chat ?? ctx.chat.id };
      else if (one.isInDoubt) this.#inDoubt = [one];
      else if (one.isOld) this.former = [...this.former, one];
      else this.ahead.push(one);
    }
  }

  /** The messages that remain at the end of the request: its answers, or if there are none, the former ones. */
  get shown(): readonly SentMessage[] {
    const shown = [...this.given, ...this.ahead];
    return shown.length > 0 ? shown : this.former;
  }

  /** The destination of a reply to the request's message, or to `replyTo`. */
  destination(replyTo?: number | false): Destination {
    const target = replyTo ?? this.#ctx.msg?.message_id;
    if (target === undefined || target === false || target === UNKNOWN_MESSAGE_ID) return this.topic;
    return { reply_parameters: { message_id: target, allow_sending_without_reply: true }, ...this.topic };
  }

  /** Sends an answer, or edits the former one into it, unless an earlier attempt did. Throws the signal's reason if it has aborted. */
  async send(outgoing: OutgoingText | OutgoingMedia): Promise<void> {
    const { bot, chat, work } = this.#ctx;
    const interim = 'text' in outgoing ? outgoing.interim : undefined;
    const sentBefore = interim === undefined ? this.ahead.shift() : undefined;
    if (sentBefore !== undefined) {
      this.given.push(sentBefore);
      return;
    }
    // Wait for the record only before the next answer: the last one is recorded with the end of the work.
    await this.#noted;
    // Check here, since the API client may hold the call back for a while.
    bot.queue.giveUpIfSlept?.();
    work.signal.throwIfAborted();
    const kind = interim ?? ('text' in outgoing ? 'text' : 'media');
    const mayReplace = 'text' in outgoing && this.former.length > 0 && !this.#hasSent;
    const replaced = mayReplace ? await this.#replace(outgoing) : undefined;
    const id = replaced ?? (await this.#sendOnce(outgoing, kind));
    this.#inDoubt = [];
    const said = 'text' in outgoing && chat.type === 'channel' ? markOf(outgoing.text) : undefined;
    this.given.push({ id, kind, said, isOld: interim === undefined ? undefined : true });
    this.#noted = this.#note();
  }

  /** Runs an edit of a message. Throws any failure but those that come of the message's state. */
  async edit(editing: () => Promise<unknown>): Promise<EditOutcome> {
    await this.progress.clear();
    return outcomeOfEdit(editing());
  }

  /** Records what was sent. Never rejects: at worst another attempt sends it again. */
  async #note(): Promise<void> {
    const { bot, work } = this.#ctx;
    const sent = [...this.former, ...this.given, ...this.ahead, ...this.#inDoubt];
    const { message } = this.progress;
    if (message !== undefined) sent.push(message);
    await bot.requests.note(work.request.id, sent).catch((error: unknown) => {
      bot.log.warn({ error }, 'recording a sent message failed');
    });
  }

  /** Edits the first former answer that nobody has deleted into this one, and returns its id; undefined if it cannot be edited. */
  async #replace({ text, extra }: OutgoingText): Promise<number | undefined> {
    const { bot, chat } = this.#ctx;
    for (const before of this.former) {
      if (before.kind === 'media' || before.id === UNKNOWN_MESSAGE_ID) continue;
      const edit = () => bot.api.editMessageText(chat.id, before.id, undefined, text, extra);
      const outcome = await this.edit(edit);
      if (outcome === 'deleted') continue;
      if (outcome === 'refused') return undefined;
      this.former = this.former.filter((one) => one !== before);
      return before.id;
    }
    return undefined;
  }

  /** Sends it and returns its id. If the response is lost, it may have arrived: it is sent once more, and then counts as sent anyway. */
  async #sendOnce(outgoing: OutgoingText | OutgoingMedia, kind: SentMessage['kind']): Promise<number> {
    const isSecondTry = this.#inDoubt.length > 0;
    const { bot, work } = this.#ctx;
    if (isSecondTry) await bot.api.callApi('getMe', {}, { signal: work.signal });
    try {
      await this.progress.clear();
      const { message_id } = await this.#deliver(outgoing);
      this.#hasSent = true;
      return message_id;
    } catch (error) {
      if (!isInDoubt(error)) throw error;
      if (isSecondTry) return UNKNOWN_MESSAGE_ID;
      this.#inDoubt = [{ id: UNKNOWN_MESSAGE_ID, kind, isInDoubt: true }];
      await this.#note();
      throw error;
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
