/** One person: who they are, and everything that they can do in Telegram. */
import type { Core } from './core.ts';
import type { CallbackAnswer } from './events.ts';
import type { Group } from './group.ts';
import type { InlineAnswer } from './inline-answer.ts';
import { tellOfStatus } from './membership.ts';
import type { Chat, Message, User } from './objects.ts';
import type { OtherKind } from './other-content.ts';
import { sendEphemeral } from './person-ephemeral.ts';
import { askInline, type InlineOptions, sendInlineResult } from './person-inline.ts';
import {
  type AlbumPart,
  type ChatRef,
  type DocumentToSend,
  PersonMessages,
  type PhotoToSend,
  type Placement,
  type TextToSend,
  type VideoToSend,
} from './person-messages.ts';
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

export class Person {
  readonly user: User;
  readonly #core: Core;
  readonly #room: PrivateRoom;
  readonly #messages: PersonMessages;

  /** The person and the private chat with the bot; `id` is that of both. */
  constructor(
    core: Core,
    id: number,
    { firstName, lastName, username, languageCode, forbidsVoice }: NewPerson,
  ) {
    this.user = {
      id,
      is_bot: false,
      first_name: firstName,
      ...(lastName !== undefined && { last_name: lastName }),
      ...(username !== undefined && { username }),
      ...(languageCode !== undefined && { language_code: languageCode }),
    };
    this.#core = core;
    this.#room = new PrivateRoom(this.user, core.me, forbidsVoice ?? false);
    this.#messages = new PersonMessages(core, this.user);
    core.rooms.set(id, this.#room);
  }

  get id(): number {
    return this.user.id;
  }

  /** The private chat with the bot. */
  get chat(): Chat {
    return this.#room.chat;
  }

  /** Sends a text; throws RangeError for one that a client would not send (empty, longer than 4096). */
  send(chat: ChatRef, message: TextToSend): Message {
    return this.#messages.text(chat, message);
  }

  /**
   * Sends an ephemeral command; throws RangeError if the bot has not registered it as ephemeral for this person in this group.
   */
  sendEphemeral(chat: ChatRef, text: string): Message {
    return sendEphemeral(this.#core, this.user, chat, text);
  }

  /** Sends a text of any length, as a client does: in several messages if needed. */
  sendLong(chat: ChatRef, message: TextToSend): Message[] {
    return this.#messages.texts(chat, message);
  }

  /** Sends a picture as a photo: Telegram re-encodes it. */
  sendPhoto(chat: ChatRef, bytes: Buffer, options: PhotoToSend = {}): Promise<Message> {
    return this.#messages.photo(chat, bytes, options);
  }

  /** Sends a file, kept byte for byte. */
  async sendDocument(chat: ChatRef, bytes: Buffer, options: DocumentToSend): Promise<Message> {
    return this.#messages.document(chat, bytes, options);
  }

  sendVideo(chat: ChatRef, bytes: Buffer, options: VideoToSend): Message {
    return this.#messages.video(chat, bytes, options);
  }

  /** Sends photos and videos, or files, as one album: one update each, with the same `media_group_id`. */
  sendAlbum(chat: ChatRef, parts: readonly AlbumPart[]): Promise<Message[]> {
    return this.#messages.album(chat, parts);
  }

  /** Sends something that is neither text nor a picture, without a file of one's own. */
  sendOther(chat: ChatRef, kind: OtherKind, options: Placement & { caption?: string } = {}): Message {
    return this.#messages.other(chat, kind, options);
  }

  /** Forwards a message, of any chat, into another; throws RangeError for what cannot be forwarded. */
  forward(message: Message, chat: ChatRef, place: Placement = {}): Message {
    return this.#messages.forward(message, chat, place);
  }

  /** As `forward`, with the whole album where the message is a part of one. */
  forwardWhole(message: Message, chat: ChatRef, place: Placement = {}): Message[] {
    return this.#messages.forwardWhole(message, chat, place);
  }

  editText(message: Message, text: string): Message {
    return this.#messages.editText(message, text);
  }

  editCaption(message: Message, caption: string): Message {
    return this.#messages.editCaption(message, caption);
  }

  deleteMessage(message: Message): void {
    this.#messages.delete(message);
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

  /** Sends one result of an inline answer into a chat; the bot is told what was chosen. */
  chooseInlineResult(
    chat: ChatRef,
    answer: InlineAnswer,
    resultId: string,
    query = '',
    place: Placement = {},
  ): Message {
    return sendInlineResult({ core: this.#core, user: this.user, chat, answer, resultId, query, place });
  }

  /** Sets this person's reactions to a message, an emoji each; the bot is told if it asked, in a group as an admin. */
  react(message: Message, emoji: string[]): void {
    this.#messages.react(message, emoji);
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

  joins(group: Group): void {
    group.add(this);
  }

  leaves(group: Group): void {
    group.remove(this);
  }

  #setBlocked(blocked: boolean): void {
    if (this.#room.blocked === blocked) return;
    this.#room.blocked = blocked;
    const [before, after] = blocked ? (['member', 'kicked'] as const) : (['kicked', 'member'] as const);
    tellOfStatus(this.#core, this.chat, { user: this.#core.me, before, after, by: this.user });
    this.#core.events.emit('chat', this.chat);
  }
}
