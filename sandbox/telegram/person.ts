/** One person: who they are, and everything that they can do in Telegram. */
import type { Core } from './core.ts';
import type { CallbackAnswer } from './events.ts';
import type { InlineAnswer } from './inline-answer.ts';
import { tellOfStatus } from './membership.ts';
import type { Chat, Message, User } from './objects.ts';
import { sendEphemeral } from './person-ephemeral.ts';
import { askInline, type InlineOptions, sendInlineResult } from './person-inline.ts';
import { type ChatRef, PersonMessages, type Placement } from './person-messages.ts';
import { pressButton } from './press-button.ts';
import { PrivateRoom } from './private-room.ts';

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

export class Person extends PersonMessages {
  readonly #core: Core;
  readonly #room: PrivateRoom;

  /** The person and the private chat with the bot; `id` is that of both. */
  constructor(
    core: Core,
    id: number,
    { firstName, lastName, username, languageCode, forbidsVoice }: NewPerson,
  ) {
    const user: User = {
      id,
      is_bot: false,
      first_name: firstName,
      ...(lastName !== undefined && { last_name: lastName }),
      ...(username !== undefined && { username }),
      ...(languageCode !== undefined && { language_code: languageCode }),
    };
    super(core, user);
    this.#core = core;
    this.#room = new PrivateRoom(user, core.me, forbidsVoice ?? false);
    core.rooms.set(id, this.#room);
  }

  get id(): number {
    return this.user.id;
  }

  /** The private chat with the bot. */
  get chat(): Chat {
    return this.#room.chat;
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

  /** Stops the bot's draft; throws RangeError if it cannot be stopped. */
  stopDraft(): void {
    const draft = this.#core.drafts.current(this.id);
    const { chat } = this;
    if (draft?.canStop !== true || chat.type !== 'private') throw new RangeError('there is no draft to stop');
    this.#core.drafts.end(this.id);
    this.#core.updates.push('stopped_message_generation', { chat, draft_id: draft.id }, this.id);
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

  get blocksBot(): boolean {
    return this.#room.blocked;
  }

  /** The privacy setting: the bot's voice messages to this person are refused. */
  get forbidsVoice(): boolean {
    return this.#room.forbidsVoice;
  }

  set forbidsVoice(forbids: boolean) {
    this.#room.forbidsVoice = forbids;
    this.#core.events.emit('chat', this.chat);
  }

  /** The bot's sends to this person fail with 403 from now on. */
  blockBot(): void {
    this.#setBlocked(true);
  }

  unblockBot(): void {
    this.#setBlocked(false);
  }

  #setBlocked(blocked: boolean): void {
    if (this.#room.blocked === blocked) return;
    this.#room.blocked = blocked;
    const [before, after] = blocked ? (['member', 'kicked'] as const) : (['kicked', 'member'] as const);
    tellOfStatus(this.#core, this.chat, { user: this.#core.me, before, after, by: this.user });
    this.#core.events.emit('chat', this.chat);
  }
}
