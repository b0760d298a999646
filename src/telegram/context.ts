/** What a handler is given: Telegraf's context of one request, with the person's session and words, and the bot's abilities. */
import { Context } from 'telegraf';
import type { Chat } from 'telegraf/types';
import type { Consent, Payer } from '../interpreter/request.ts';
import { type InterfaceLanguage, interfaceLanguage } from '../language/interface-language.ts';
import type { Work } from '../queue/queue.ts';
import type { PersonSession } from '../store/kept/sessions.ts';
import { type Answering, createAnswering } from './answer/answering.ts';
import type { HandlerDeps } from './deps.ts';
import type { Arguments } from './locale.ts';
import type { Asked } from './request/asked.ts';
import { callbackSenderId } from './request/callback.ts';
import { type ForOne, forOneAlone } from './request/ephemeral.ts';
import { senderId } from './request/identity.ts';
import type { Edit, Request } from './request/request.ts';

/** Why work is not wanted any more whose message reads otherwise now. */
export const SUPERSEDED = 'superseded';

/** One request on its way through the middleware, before its person's session is read; an album is one, too. */
export class ReceivedContext extends Context {
  readonly bot: HandlerDeps;
  /** How every answer goes out, so that a request handled again after a crash is not answered again. */
  readonly answering: Answering;

  /** Aborts when the process stops for good; the work is then done later. */
  readonly stopping: AbortSignal;
  /** Aborted when the person does not want the work any more: they cancelled it, or with `SUPERSEDED`. */
  readonly cancelled = new AbortController();
  /** Aborts with either: no paid call is made any more. */
  readonly signal: AbortSignal;

  // See Request.
  readonly updates: Request['updates'];
  readonly album: Request['album'];
  readonly asked: Asked<BotContext>;
  readonly isOverheard: boolean;
  /** An earlier attempt at the same work may have left something behind. */
  readonly mayHaveBegun: boolean;
  /** Has something done as soon as the update is out of the queue. */
  readonly onceGone: Work['onceGone'];
  /** An earlier attempt at the same work has sent an answer. */
  readonly isPartlyAnswered: boolean;

  // What becomes of it on its way.
  /** Paid calls that the person has agreed to, when they were asked for this request (answer/cost-question.ts). */
  readonly consent: Consent;
  edit: Edit;
  /** The person's settings and last text, to be read and changed; undefined until they were read (person-session.ts). */
  session: PersonSession | undefined;
  /** How its answers are shown to its sender alone; undefined where the chat sees them. */
  forOne: ForOne | undefined;
  /** The message under which its answers go, since their topic was closed or deleted (posting.ts). */
  insteadOfTopic: number | undefined;
  /** Progress messages that are being removed: the work ends after them (activity.ts). */
  readonly removals: Promise<unknown>[] = [];

  constructor(
    { updates, update, album, asked, edit, isOverheard, former, agreedCalls }: Request<BotContext>,
    { signal, answers, mayHaveBegun, onceGone }: Work,
    bot: HandlerDeps,
  ) {
    super(update, bot.api, bot.me);
    this.updates = updates;
    this.album = album;
    this.asked = asked;
    this.consent = { calls: agreedCalls };
    this.edit = edit;
    this.isOverheard = isOverheard;
    this.mayHaveBegun = mayHaveBegun;
    this.onceGone = onceGone;
    this.bot = bot;
    this.stopping = signal;
    this.signal = AbortSignal.any([signal, this.cancelled.signal]);
    this.isPartlyAnswered = answers.confirmed.length > 0;
    this.forOne = forOneAlone(this.from, this.message, this.callbackQuery);
    this.answering = createAnswering(answers, former, bot.log);
  }

  /** Every update that the bot takes has one (usable-update.ts); Telegraf's types know of others. */
  override get chat(): Chat {
    const chat = super.chat;
    if (chat === undefined) throw new Error(`an update of kind ${this.updateType} has no chat`);
    return chat;
  }

  /** The language in which the bot speaks to this person; also known when their session could not be read. */
  get language(): InterfaceLanguage {
    return this.session?.interfaceLanguage ?? interfaceLanguage(this.from?.language_code);
  }

  /** A sentence of `locales/` in the person's language. */
  words(id: string, args?: Arguments): string {
    return this.bot.words(this.language, id, args);
  }

  /** Whose settings and bill this update concerns (spec §2, Groups). */
  get person(): string {
    const { from, chat, asked } = this;
    return asked.kind === 'callback'
      ? callbackSenderId({ from, chat }, asked.matched)
      : senderId({ from, chat });
  }

  /** Who asks, and where. */
  get asker(): Payer {
    return {
      person: this.person,
      group: this.isPrivate ? undefined : String(this.chat.id),
      consent: this.consent,
    };
  }

  /** Its message was edited before it was answered: it is not answered as it was (middleware/running-work.ts). */
  get isSuperseded(): boolean {
    return this.cancelled.signal.reason === SUPERSEDED;
  }

  /** Nothing of the session is to be kept. */
  dropSession(): void {
    this.session = undefined;
  }

  get isPrivate(): boolean {
    return this.chat.type === 'private';
  }
}

/** The request as a handler is given it: it is meant for the bot, and its person's session is there. */
export type BotContext = ReceivedContext & { session: PersonSession };
