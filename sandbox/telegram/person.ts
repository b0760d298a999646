/** One person: who they are, their private chat with the bot, and everything that they can do in Telegram. */
import { type ApiError, forbidden } from './api-error.ts';
import type { ChatRoom } from './chat-room.ts';
import type { Core } from './core.ts';
import type { CallbackAnswer } from './events.ts';
import { tellOfStatus } from './membership.ts';
import { MessageLog } from './message-log.ts';
import type { Chat, ChatMember, InlineAnswer, Message, User } from './objects.ts';
import { sendEphemeral } from './person-ephemeral.ts';
import { askInline, type InlineOptions, sendInlineResult } from './person-inline.ts';
import { type ChatRef, PersonMessages, type Placement } from './person-messages.ts';
import { pressButton } from './press-button.ts';

export interface NewPerson {
  firstName: string;
  lastName?: string;
  username?: string;
  /** IETF tag of the person's Telegram app. */
  languageCode?: string;
  /** Voice messages to this person are refused. */
  forbidsVoice?: boolean;
  id?: number;
}

export class Person extends PersonMessages implements ChatRoom {
  readonly chat: Chat;
  readonly log = new MessageLog();
  readonly forum = undefined;
  readonly members: ChatMember[];
  readonly isWithoutBot = false;
  readonly isEchoed = false;
  readonly discussion = undefined;
  readonly botIsAdmin = false;
  readonly botMayPost = true;
  readonly #core: Core;
  #forbidsVoice: boolean;
  #blocksBot = false;

  /** `id` is that of the person, and of the private chat with the bot. */
  constructor(core: Core, id: number, options: NewPerson) {
    const { firstName: first_name, lastName, username, languageCode, forbidsVoice = false } = options;
    const named = {
      id,
      first_name,
      ...(lastName !== undefined && { last_name: lastName }),
      ...(username !== undefined && { username }),
    };
    const language = languageCode !== undefined && { language_code: languageCode };
    const user: User = { ...named, is_bot: false, ...language };
    super(core, user);
    this.#core = core;
    this.#forbidsVoice = forbidsVoice;
    this.chat = { ...named, type: 'private' };
    this.members = [user, core.me].map((member) => ({ status: 'member', user: member }));
    core.rooms.set(id, this);
  }

  get id(): number {
    return this.user.id;
  }

  refusal(): ApiError | undefined {
    return this.#blocksBot ? forbidden('bot was blocked by the user') : undefined;
  }

  botSees(): boolean {
    return !this.#blocksBot;
  }

  /**
   * Sends an ephemeral command; throws RangeError if the bot has not registered it as ephemeral for this person in this group.
   */
  sendEphemeral(chat: ChatRef, text: string, threadId?: number): Message {
    return sendEphemeral(this.#core, this.user, chat, text, threadId);
  }

  /**
   * Presses the inline button with this callback data or text; resolves with the bot's answer, rejects after
   * `timeoutMs` (30 s).
   */
  press(message: Message, button: string, { timeoutMs = 30_000 } = {}): Promise<CallbackAnswer> {
    return pressButton(this.#core, this.user, message, button, timeoutMs);
  }

  /** Types `@bot query` somewhere; resolves with the bot's answer, rejects after `timeoutMs` (30 s). */
  inlineQuery(query: string, options: InlineOptions = {}): Promise<InlineAnswer> {
    return askInline(this.#core, this.user, query, options);
  }

  /** Sends one result of an inline answer into a chat; the bot gets the choice. */
  chooseInlineResult(
    chat: ChatRef,
    answer: InlineAnswer,
    resultId: string,
    query = '',
    place: Placement = {},
  ): Message {
    return sendInlineResult({ core: this.#core, user: this.user, chat, answer, resultId, query, place });
  }

  /** The privacy setting: the bot's voice messages to this person are refused. */
  get forbidsVoice(): boolean {
    return this.#forbidsVoice;
  }

  set forbidsVoice(forbids: boolean) {
    this.#forbidsVoice = forbids;
    this.#core.events.emit('chat', this.chat);
  }

  get blocksBot(): boolean {
    return this.#blocksBot;
  }

  /** The bot's sends to this person fail with 403 from now on, or no longer. */
  set blocksBot(blocks: boolean) {
    if (this.#blocksBot === blocks) return;
    this.#blocksBot = blocks;
    const [before, after] = blocks ? (['member', 'kicked'] as const) : (['kicked', 'member'] as const);
    tellOfStatus(this.#core, this.chat, { user: this.#core.me, before, after, by: this.user });
    this.#core.events.emit('chat', this.chat);
  }
}
