/** What a handler is given: Telegraf's context of one update, with the person's session and words, and the bot's abilities. */
import { Context } from 'telegraf';
import type { Message, Update, UserFromGetMe } from 'telegraf/types';
import type { Interpreter } from '../interpreter/interpreter.ts';
import type { OnAlert } from '../interpreter/service-pause.ts';
import { type InterfaceLanguage, interfaceLanguage } from '../language/interface-language.ts';
import type { Log } from '../log.ts';
import type { Work } from '../queue/queue.ts';
import type { Accounting } from '../store/accounting.ts';
import type { Asker } from '../store/ledger.ts';
import type { PersonSession } from '../store/sessions.ts';
import { type AnswerOnce, createAnswerOnce } from './answer-once.ts';
import type { BotApi } from './api.ts';
import { personId } from './identity.ts';
import type { Arguments, Words } from './locale.ts';

/** What all updates share. */
export interface Collaborators {
  readonly api: BotApi;
  readonly me: UserFromGetMe;
  readonly interpreter: Interpreter;
  readonly words: Words;
  readonly log: Log;
  readonly accounting: Accounting;
  readonly groups: {
    /** Paid calls per UTC day that a group's admins may set at most, Infinity without a limit. */
    readonly mostCalls: number;
    /** Sets a group's own limit; null takes it away. */
    setLimit(group: string, dailyCalls: number | null): Promise<void>;
  };
  readonly adminIds: readonly number[];
  readonly resultsTtlDays: number;
  /** Tells those who run the bot what only they can mend. */
  readonly alert: OnAlert;
  /** Erases everything kept about a person. */
  forget(person: string): Promise<void>;
  /** Requests that wait under a button to be repeated by their sender. */
  readonly parked: {
    park(person: string, update: unknown): Promise<string>;
    /** Puts the update back into the queue; false when it is gone or another person's. */
    repeat(id: string, person: string): Promise<boolean>;
  };
}

export class BotContext extends Context {
  /** Put there by the session middleware before any handler runs. */
  declare session: PersonSession;
  readonly bot: Collaborators;
  /** Aborts when the process stops for good. */
  readonly signal: AbortSignal;
  /** How every answer goes out, so that a request handled again after a crash is not answered again. */
  readonly answerOnce: AnswerOnce;
  /** The messages of the album that this update began, in album order; just its own message outside albums. */
  readonly album: readonly Message[];

  constructor(updates: readonly [Update, ...Update[]], { signal, answers }: Work, bot: Collaborators) {
    super(updates[0], bot.api, bot.me);
    this.bot = bot;
    this.signal = signal;
    this.answerOnce = createAnswerOnce(answers, bot.log);
    this.album = updates
      .flatMap((update) => ('message' in update ? [update.message] : []))
      .sort((one, other) => one.message_id - other.message_id);
  }

  /** The language in which the bot speaks to this person; also known when their session could not be read. */
  get language(): InterfaceLanguage {
    return this.session?.interfaceLanguage ?? interfaceLanguage(this.from?.language_code);
  }

  /** A sentence of `locales/` in the person's language. */
  words(id: string, args?: Arguments): string {
    return this.bot.words(this.language, id, args);
  }

  /** Leaves no session behind: the middleware deletes the row of a session that is undefined. */
  dropSession(): void {
    Reflect.set(this, 'session', undefined);
  }

  /** Whose settings and bill this update concerns (spec §2, Groups). */
  get person(): string {
    return personId(this) ?? 'nobody';
  }

  /** Who asks, and where, for whoever does the work. */
  get asker(): Asker {
    return {
      person: this.person,
      group: this.chat === undefined || this.isPrivate ? undefined : String(this.chat.id),
    };
  }

  get isPrivate(): boolean {
    return this.chat?.type === 'private';
  }
}

/** The context of a pressed button: `match` is what its data matched. */
export type PressContext = BotContext & { readonly match: RegExpExecArray };

type With<M extends Message> = BotContext & { readonly message: M & Update.NonChannel };

/** The context of a text message that is a command: `payload` is what follows the command. */
export type CommandContext = With<Message.TextMessage> & { readonly payload: string };
