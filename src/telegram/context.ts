/** What a handler is given: Telegraf's context of one update, with the person's session and words, and the bot's abilities. */
import { Context } from 'telegraf';
import type { Chat, Message, Update } from 'telegraf/types';
import type { Failure } from '../errors.ts';
import { type InterfaceLanguage, interfaceLanguage } from '../language/interface-language.ts';
import type { Work } from '../queue/queue.ts';
import type { PersonSession } from '../store/kept/sessions.ts';
import type { Asker } from '../store/money/scopes.ts';
import { type Answering, createAnswering } from './answer/answering.ts';
import type { Collaborators } from './collaborators.ts';
import { type MessagePlace, repetitionOf } from './intake/parked-requests.ts';
import type { Arguments } from './locale.ts';
import { personId } from './message/identity.ts';

/** One update on its way through middleware and handlers; an album is one, too. */
export class BotContext extends Context {
  readonly bot: Collaborators;
  /** How every answer goes out, so that a request handled again after a crash is not answered again. */
  readonly answering: Answering;

  /** Aborts when the process stops for good; the work is then done later. */
  readonly stopping: AbortSignal;
  /** Aborted when the person does not want the work any more. */
  readonly cancelled = new AbortController();
  /** Aborts with either: no paid call is made any more. */
  readonly signal: AbortSignal;

  /** What is handled, as Telegram sent it: one update, or all parts of an album. */
  readonly updates: readonly [Update, ...Update[]];
  readonly isEdit: boolean;
  /** Its sender has it done once more, with a button. */
  readonly isRepeated: boolean;
  /** The message that said that it failed, in whose place its answer comes now. */
  readonly takesPlaceOf: MessagePlace | undefined;
  /** An earlier attempt at the same work may have left something behind. */
  readonly mayHaveBegun: boolean;
  /** Has something done as soon as the update is out of the queue. */
  readonly onceGone: Work['onceGone'];
  /** An earlier attempt at the same work has sent an answer. */
  readonly isPartlyAnswered: boolean;

  // Found out by the middleware before the handlers (bot.ts), each by the file named.
  /** The person's (person-session.ts): undefined until it was read, and once nothing of it is to be kept. */
  keptSession: PersonSession | undefined;
  /**
   * The messages of the album that this update began or belongs to, in album order; just its own message outside albums. An edit
   * brings only one of them: the others come from what was kept (edits.ts).
   */
  album: readonly Message[];
  /** An edit of what the person has asked other things since (edits.ts). */
  isAfterthought = false;
  /** An edit of what was answered, that asks the bot for nothing any more (addressed.ts). */
  isWithdrawn = false;
  /** Said in a group, to nobody in particular: translated where the bot listens, and nobody is told of a failure (addressed.ts). */
  isOverheard = false;
  /** Its message was edited before it was answered: it is not answered as it was (superseding.ts). */
  isSuperseded = false;
  /** The whole text of a message of the bot's that this update may be about, or why it could not be had (whole-texts.ts). */
  wholeText: { readonly messageId: number; readonly text: string | Failure } | undefined;
  /** The message under which its answers go, since their topic was closed or deleted (closed-topic.ts). */
  insteadOfTopic: number | undefined;
  /** Progress messages that are being removed: the work ends after them (progress-removal.ts). */
  readonly removals: Promise<unknown>[] = [];

  constructor(
    updates: readonly [Update, ...Update[]],
    { signal, answers, mayHaveBegun, onceGone }: Work,
    bot: Collaborators,
  ) {
    super(asMessage(updates[0]), bot.api, bot.me);
    this.updates = updates;
    this.mayHaveBegun = mayHaveBegun;
    this.onceGone = onceGone;
    this.isEdit = 'edited_message' in updates[0];
    ({ isRepeated: this.isRepeated, takesPlaceOf: this.takesPlaceOf } = repetitionOf(updates[0]));
    this.bot = bot;
    this.stopping = signal;
    this.signal = AbortSignal.any([signal, this.cancelled.signal]);
    this.isPartlyAnswered = answers.confirmed.length > 0;
    this.answering = createAnswering(answers, bot.log);
    this.album = updates
      .map(asMessage)
      .flatMap((update) => ('message' in update ? [update.message] : []))
      .sort((one, other) => one.message_id - other.message_id);
  }

  /** Every update that the bot takes has one (usable-update.ts); Telegraf's types know of others. */
  override get chat(): Chat {
    const chat = super.chat;
    if (chat === undefined) throw new Error(`an update of kind ${this.updateType} has no chat`);
    return chat;
  }

  /** The language in which the bot speaks to this person; also known when their session could not be read. */
  get language(): InterfaceLanguage {
    return this.keptSession?.interfaceLanguage ?? interfaceLanguage(this.from?.language_code);
  }

  /** The update as Telegram sent it, of an album the first; an edited message is handled like any other, as `message`. */
  get received(): Update {
    return this.updates[0];
  }

  /** A sentence of `locales/` in the person's language. */
  words(id: string, args?: Arguments): string {
    return this.bot.words(this.language, id, args);
  }

  /** The person's settings and last text, to be read and changed by handlers. */
  get session(): PersonSession {
    if (this.keptSession === undefined)
      throw new Error('the session is not there: it was not read, or is erased');
    return this.keptSession;
  }

  /** Whose settings and bill this update concerns (spec §2, Groups). */
  get person(): string {
    const { from, chat, callbackQuery: press } = this;
    const data = press !== undefined && 'data' in press ? press.data : undefined;
    return personId({ from, chat, data });
  }

  /** Who asks, and where, for whoever does the work. */
  get asker(): Asker {
    return {
      person: this.person,
      group: this.isPrivate ? undefined : String(this.chat.id),
    };
  }

  get isPrivate(): boolean {
    return this.chat.type === 'private';
  }
}

function asMessage(update: Update): Update {
  if (!('edited_message' in update)) return update;
  return { update_id: update.update_id, message: { ...update.edited_message, edit_date: undefined } };
}

/** The context of a pressed button: `match` is what its data matched. */
export type PressContext = BotContext & { readonly match: RegExpExecArray };

/** The context of a message that is a command, or a photo with one for its caption: `payload` is what follows the command. */
export type CommandContext = BotContext & { readonly payload: string };
