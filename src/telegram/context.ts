/** The context that a handler gets: Telegraf's, with the request, the person's session and words, and the bot's dependencies. */
import { Context } from 'telegraf';
import type { Chat, Message } from 'telegraf/types';
import type { Interpreter } from '../interpreter/interpreter.ts';
import type { Payer } from '../interpreter/request.ts';
import { type InterfaceLanguage, interfaceLanguage } from '../language/interface-language.ts';
import type { Log } from '../log.ts';
import { throwIfCancelled } from '../patience.ts';
import type { Attempt } from '../queue/attempt.ts';
import type { Queue } from '../queue/queue.ts';
import type { Outcome } from '../queue/request-table.ts';
import type { Requests } from '../queue/requests.ts';
import type { Access } from '../store/access/access.ts';
import type { Groups } from '../store/kept/groups.ts';
import type { Results } from '../store/kept/results.ts';
import type { PersonSession, PersonSessions } from '../store/kept/sessions.ts';
import type { Ledger } from '../store/money/ledger.ts';
import type { Pauses } from '../store/money/pauses.ts';
import type { Alerts } from './alerts.ts';
import type { BotApi } from './api/api.ts';
import type { Arguments, Words } from './locale.ts';
import { Outbox } from './outbox/outbox.ts';
import { callbackSenderId, isShown } from './request/callback.ts';
import type { ParserDeps } from './request/command.ts';
import { senderId } from './request/identity.ts';
import type { ParsedMessage } from './request/parsed-message.ts';
import { digestOf, type Intent, intentOf, namesBot } from './request/request.ts';
import type { UsableUpdate } from './request/update.ts';

/** The dependencies of handlers and middleware, shared by all updates. */
export interface HandlerDeps extends ParserDeps<BotContext> {
  readonly api: BotApi;
  readonly version: string;
  readonly interpreter: Interpreter;
  readonly words: Words;
  readonly log: Log;
  /** The clock of limits, in ms since the epoch. */
  now(): number;
  readonly queue: Pick<Queue, 'mustStillOwn' | 'absolve'>;
  readonly access: Access;
  readonly ledger: Ledger;
  readonly groups: Groups;
  readonly requests: Requests;
  readonly results: Pick<Results, 'keepWhole' | 'keepVoiceText' | 'findWhole' | 'noteTyping' | 'isNewest'>;
  readonly pauses: Pauses;
  readonly adminIds: readonly number[];
  readonly sessions: PersonSessions;
  readonly resultsTtlDays: number;
  readonly alerts: Alerts;
  /** Erases everything kept about a person, and results of their running calls as soon as these end. */
  forget(person: string): Promise<void>;
}

/** The abort reason of work whose message was edited before it was answered. */
export const SUPERSEDED = 'superseded';

/** A request before its person's session is loaded. An album is one request. */
export class ReceivedContext extends Context {
  readonly bot: HandlerDeps;
  /** Every answer goes out through it, so that a request handled again after a crash is not answered twice. */
  readonly outbox: Outbox;

  /** Aborts when the process shuts down; a later attempt does the work. */
  readonly stopping: AbortSignal;
  /** Aborts when the person cancels the work; with `SUPERSEDED` when they edit its message. */
  readonly cancelled = new AbortController();
  /** Aborts with either; no paid call starts after that. */
  readonly signal: AbortSignal;

  readonly isPrivate: boolean;
  /** The id of the person, or chat, whose settings and limits apply. */
  readonly person: string;
  readonly asker: Payer;

  /** All messages of its album, in album order, or its own message alone. */
  readonly album: readonly ParsedMessage<BotContext>[];
  readonly intent: Intent<BotContext>;
  /** Said in a group, but not to the bot: translated if the bot listens there; failures are not reported. */
  readonly isOverheard: boolean;
  /** `none`: no edit of an answered message; `idle`: it asks for nothing new; `changed`: it asks for something else. */
  readonly edit: 'none' | 'idle' | 'changed' = 'none';
  readonly work: Attempt;

  // What middleware and handlers change.
  /** How the request ends, apart from its answers. */
  ending: Pick<Outcome, 'state' | 'consent' | 'isStopped'> = { state: 'done' };
  /** How many paid calls remain once part of the work is shown; a button under the failure offers them. */
  rest: number | undefined;
  /** The person's settings and last text, which handlers may change; undefined until they are read, and to delete them at the end. */
  session: PersonSession | undefined;

  /** `update`: of an album, the first. */
  constructor(
    update: UsableUpdate,
    album: readonly ParsedMessage<BotContext>[],
    work: Attempt,
    bot: HandlerDeps,
  ) {
    super(update, bot.api, bot.me);
    this.album = album;
    this.work = work;
    this.bot = bot;
    const { from, chat } = this;
    this.isPrivate = chat.type === 'private';
    const intent = intentOf(update, album, bot);
    const isInGroup = 'message' in update && !this.isPrivate && intent.kind !== 'upgrade';
    this.isOverheard = isInGroup && !album.some((one) => namesBot(one, bot.me));
    // Only the caption of a file counts if nobody asked about the file.
    this.intent = this.isOverheard && intent.kind === 'files' ? { kind: 'text' } : intent;
    const { digest, consent } = work.request;
    // Telegram also reports link previews and reactions as edits.
    if (digest != null) this.edit = digest === digestOf(album, this.isOverheard) ? 'idle' : 'changed';
    this.person = intent.kind === 'callback' ? callbackSenderId(intent) : senderId({ from, chat });
    this.asker = {
      person: this.person,
      group: this.isPrivate ? undefined : String(chat.id),
      consent: { calls: consent },
      ...carriedOutBy(bot, work),
    };
    this.stopping = work.signal;
    this.signal = AbortSignal.any([work.signal, this.cancelled.signal]);
    this.outbox = new Outbox(this);
  }

  /** Every usable update has a chat (request/update.ts), though Telegraf's types allow others. */
  override get chat(): Chat {
    const chat = super.chat;
    if (chat === undefined) throw new Error(`an update of kind ${this.updateType} has no chat`);
    return chat;
  }

  /** The message of the pressed button; undefined if none was pressed, or if Telegram no longer delivers it. */
  get pressed(): Message | undefined {
    const { intent } = this;
    return intent.kind === 'callback' && isShown(intent.query.message) ? intent.query.message : undefined;
  }

  /** The language in which the bot speaks to this person; Telegram's, if their session could not be read. */
  get language(): InterfaceLanguage {
    return this.session?.interfaceLanguage ?? interfaceLanguage(this.from?.language_code);
  }

  /** A sentence of `locales/` in the person's language. */
  words(id: string, args?: Arguments): string {
    return this.bot.words(this.language, id, { chat: this.chat.type, ...args });
  }

  /** Whether the answer is personal: what was asked in private is never answered in public. */
  get isPersonal(): boolean {
    const { intent } = this;
    const asks =
      intent.kind === 'command' ? intent.command : intent.kind === 'callback' && intent.matched?.callback;
    // A request in the chat's own name is not personal.
    return typeof asks === 'object' && asks.isPersonal === true && this.person !== String(this.chat.id);
  }

  /** Whether its message was edited before it was answered: this version gets no answer (middleware/running-work.ts). */
  get isSuperseded(): boolean {
    return this.cancelled.signal.reason === SUPERSEDED;
  }
}

/** What the purchases of a request ask of its attempt, and tell it. */
export function carriedOutBy(
  { queue }: Pick<HandlerDeps, 'queue'>,
  work: Attempt,
): Pick<Payer, 'mustStillAsk' | 'gotFurther'> {
  const mustStillAsk = async (): Promise<void> => {
    try {
      await queue.mustStillOwn(work);
    } catch (error) {
      throwIfCancelled(work.signal);
      throw error;
    }
  };
  return { mustStillAsk, gotFurther: () => queue.absolve(work) };
}

/** The request as a handler gets it: meant for the bot, with its person's session. */
export type BotContext = ReceivedContext & { session: PersonSession };
