/** What a person does with messages: post, edit, delete, react, as a Telegram client does it. */
import { type Core, type Draft, topicOf } from './core.ts';
import { fileObject } from './files.ts';
import { forwardOrigin } from './forward-origin.ts';
import { isServiceMessage } from './group-privacy.ts';
import { isAdminStatus, isAnonymous, isPresent } from './membership.ts';
import { contentOf } from './message-content.ts';
import type { Message, MessageEntity, ReactionType, TextQuote, User } from './objects.ts';
import { type OtherKind, otherContent } from './other-content.ts';
import { inMessages, typedCaption, typedText } from './person-text.ts';
import { photoContent } from './photo-sizes.ts';
import { anonymousAdmin, replyFields, textQuote } from './reply-fields.ts';
import { type Composed, wordedContent } from './worded-content.ts';

/** A chat: its id, or anything that has it (a chat, a person, a group). */
export type ChatRef = number | { readonly id: number };

export interface Placement {
  replyTo?: Message;
  /** The forum topic's id. */
  threadId?: number;
  /** The part of the message replied to that is quoted. */
  quote?: string;
  /** Where that part begins, in UTF-16 code units; the first place that has these words unless given. */
  quotePosition?: number;
  /** It was not the person who chose that part: Telegram quotes also by itself. */
  isQuotedByTelegram?: boolean;
}

export interface TextToSend extends Placement {
  text: string;
  entities?: MessageEntity[];
}

export interface PhotoToSend extends Placement {
  caption?: string;
}

export interface VideoToSend extends Placement {
  fileName: string;
  mimeType: string;
  /** Pixels and seconds, as the client states them. */
  width: number;
  height: number;
  duration: number;
  caption?: string;
}

/** Photos and videos may stand in one album; files stand among files. */
export type AlbumPart = (PhotoToSend | VideoToSend | DocumentToSend) & { bytes: Buffer };

export interface DocumentToSend extends Placement {
  fileName: string;
  mimeType: string;
  caption?: string;
  /** Bytes that Telegram says the file has, to act out a large file. */
  declaredSize?: number;
}

/** The id in a reference to a chat. */
export function chatId(chat: ChatRef): number {
  return typeof chat === 'number' ? chat : chat.id;
}

/** Posts what a person writes into a chat. */
export class PersonMessages {
  readonly user: User;
  readonly #core: Core;

  constructor(core: Core, user: User) {
    this.#core = core;
    this.user = user;
  }

  /** Sends a text; throws RangeError for one that a client would not send (empty, longer than 4096 UTF-16 code units). */
  send(chat: ChatRef, { text, entities, ...place }: TextToSend): Message {
    return this.#post(chat, place, typedText(text, entities));
  }

  /** Sends a text of any length, as a client does: in several messages where one does not hold it, the first in reply. */
  sendLong(chat: ChatRef, { text, threadId, ...reply }: TextToSend): Message[] {
    const thread = threadId !== undefined && { threadId };
    return inMessages(text).map((part, index) =>
      this.send(chat, { text: part, ...thread, ...(index === 0 && reply) }),
    );
  }

  /** Sends a picture as a photo: Telegram re-encodes it. */
  sendPhoto(chat: ChatRef, bytes: Buffer, photo: PhotoToSend = {}): Promise<Message> {
    return this.#sendMedia(chat, { ...photo, bytes });
  }

  /** Sends a file, kept byte for byte. */
  sendDocument(chat: ChatRef, bytes: Buffer, document: DocumentToSend): Promise<Message> {
    return this.#sendMedia(chat, { ...document, bytes });
  }

  /**
   * Sends photos and videos, or files, as one album: one update each, one right after the other, with the same `media_group_id`. One
   * alone is no album. Throws RangeError for nothing.
   */
  async sendAlbum(chat: ChatRef, parts: readonly AlbumPart[]): Promise<[Message, ...Message[]]> {
    const album = parts.length > 1 && { media_group_id: this.#core.newMediaGroupId() };
    const contents = await Promise.all(parts.map((part) => this.#media(part)));
    const [first, ...others] = parts.map((part, index) =>
      this.#post(chat, part, { ...contents[index], ...album }),
    );
    if (first === undefined) throw new RangeError('An album of nothing');
    return [first, ...others];
  }

  /** Sends a message of another kind, without a file of one's own; a caption is for the kinds that have one. */
  sendOther(
    chat: ChatRef,
    kind: OtherKind,
    { caption, ...place }: Placement & { caption?: string } = {},
  ): Message {
    const content = otherContent(kind, this.#core.files, this.user.first_name);
    return this.#post(chat, place, { ...content, ...typedCaption(caption) });
  }

  /** Sends a rich message, a poll or a checklist; throws RangeError for one that a client would not send. */
  compose(chat: ChatRef, composed: Composed, place: Placement = {}): Message {
    return this.#post(chat, place, wordedContent(composed));
  }

  /** Edits a rich message or a checklist. */
  recompose(message: Message, composed: Composed): Message {
    const now = { ...this.#own(message), ...wordedContent(composed) };
    return this.#core.edit(this.#core.room(message.chat.id), now, this.user);
  }

  /** Sends one of the bot's inline results; the bot sees it as a message of the person via itself. */
  viaBot(chat: ChatRef, place: Placement, content: Partial<Draft>): Message {
    return this.#post(chat, place, { ...content, via_bot: this.#core.me });
  }

  /**
   * Forwards a message, of any chat, into another, there as a part of `album` if given; throws RangeError for a service message, and for one
   * whose content is protected.
   */
  forward({ chat, message_id }: Message, to: ChatRef, place: Placement = {}, album?: string): Message {
    const original = this.#core.room(chat.id).log.get(message_id);
    if (!original || isServiceMessage(original) || original.has_protected_content)
      throw new RangeError('this message cannot be forwarded');
    const together = album !== undefined && { media_group_id: album };
    const forward_origin = forwardOrigin(this.#core.room(chat.id).log.asShown(original));
    return this.#post(to, place, { ...contentOf(original), ...together, forward_origin });
  }

  /** As `forward`, and as Telegram's apps do it: of an album all parts, which make an album there, too. */
  forwardWhole(message: Message, to: ChatRef, place: Placement = {}): Message[] {
    const { media_group_id } = message;
    if (media_group_id === undefined) return [this.forward(message, to, place)];
    const parts = this.#core.room(message.chat.id).log.all();
    const album = this.#core.newMediaGroupId();
    return parts
      .filter((part) => part.media_group_id === media_group_id)
      .map((part) => this.forward(part, to, place, album));
  }

  editText(message: Message, text: string): Message {
    const { entities: _, ...now } = this.#own(message);
    return this.#core.edit(this.#core.room(message.chat.id), { ...now, ...typedText(text) }, this.user);
  }

  editCaption(message: Message, text: string): Message {
    const { caption: _, caption_entities: __, ...now } = this.#own(message);
    return this.#core.edit(this.#core.room(message.chat.id), { ...now, ...typedCaption(text) }, this.user);
  }

  deleteMessage(message: Message): void {
    this.#core.delete(this.#core.room(message.chat.id), message);
  }

  /** Sets this person's reactions to a message, one emoji each; the bot gets an update if it asked for it and, in a group, is an admin. */
  react({ chat, message_id }: Message, emoji: string[]): void {
    const reaction = emoji.map((one): ReactionType => ({ type: 'emoji', emoji: one }));
    const room = this.#core.room(chat.id);
    const old_reaction = room.log.react(message_id, this.user.id, reaction);
    const who = { chat, message_id, user: this.user, date: this.#core.date() };
    if (chat.type === 'private' || room.botIsAdmin)
      this.#core.updates.push('message_reaction', { ...who, old_reaction, new_reaction: reaction }, chat.id);
    this.#core.events.emit('reaction', { chat, messageId: message_id, fromId: this.user.id, reaction });
  }

  async #sendMedia(chat: ChatRef, part: AlbumPart): Promise<Message> {
    return this.#post(chat, part, await this.#media(part));
  }

  async #media(part: AlbumPart): Promise<Partial<Message>> {
    return { ...(await this.#file(part)), ...typedCaption(part.caption) };
  }

  async #file(part: AlbumPart): Promise<Partial<Message>> {
    if ('duration' in part) return this.#video(part.bytes, part);
    return 'fileName' in part ? this.#document(part.bytes, part) : photoContent(this.#core.files, part.bytes);
  }

  #document(bytes: Buffer, { fileName, mimeType, declaredSize }: DocumentToSend): Partial<Message> {
    const size = declaredSize !== undefined && { declaredSize };
    const file = this.#core.files.add(bytes, { kind: 'document', fileName, mimeType, ...size });
    const document = { ...fileObject(file), file_name: fileName, mime_type: mimeType };
    return this.#core.files.describe([file.fileId], { document });
  }

  #video(bytes: Buffer, { fileName, mimeType, width, height, duration }: VideoToSend): Partial<Message> {
    const file = this.#core.files.add(bytes, { kind: 'video', fileName, mimeType });
    const seen = { width, height, duration: Math.round(duration) };
    const video = { ...fileObject(file), ...seen, file_name: fileName, mime_type: mimeType };
    return this.#core.files.describe([file.fileId], { video });
  }

  #post(
    chat: ChatRef,
    { replyTo, threadId, quote, quotePosition, isQuotedByTelegram = false }: Placement,
    content: Partial<Draft>,
  ): Message {
    const room = this.#core.room(chatId(chat));
    const member = room.members.find(({ user }) => user.id === this.user.id);
    if (!member || !isPresent(member.status)) throw new RangeError('only its members write in a chat');
    if (room.chat.type === 'channel' && !isAdminStatus(member.status))
      throw new RangeError('only admins post in a channel');
    const replied = replyTo && room.log.get(replyTo.message_id);
    if (replyTo && !replied) throw new RangeError('the message replied to is not in this chat');
    const quoted = quote !== undefined && replied ? quoteOf(replied, quote, quotePosition) : undefined;
    const chosen = quoted && !isQuotedByTelegram ? { ...quoted, is_manual: true as const } : quoted;
    const own = room.chat.is_direct_messages ? { topic_id: this.user.id, user: this.user } : undefined;
    const direct = replied?.direct_messages_topic ?? own;
    const place = replyFields(room, { replyTo: replied, threadId, quote: chosen, direct });
    if (room.forum?.isClosed(topicOf(place)) && !isAdminStatus(member.status))
      throw new RangeError('only admins write in a closed topic');
    const sender = isAnonymous(member) ? anonymousAdmin(room.chat) : { from: this.user };
    return this.#core.post(room, { ...sender, ...place, ...content });
  }

  /** The message, for its sender to change; any anonymous admin may change what was sent in the group's name. */
  #own({ chat, message_id }: Message): Message {
    const room = this.#core.room(chat.id);
    const now = room.log.get(message_id);
    const mayChange = () =>
      room.members.some((member) => member.user.id === this.user.id && isAnonymous(member));
    const isOwn = now?.from?.id === this.user.id || (now?.sender_chat?.id === chat.id && mayChange());
    if (!now || !isOwn) throw new RangeError('only the sender edits a message');
    return now;
  }
}

function quoteOf(replied: Message, text: string, position?: number): TextQuote {
  const quote = textQuote(replied, text, position);
  if (quote === undefined) throw new RangeError('the quote is not in the message replied to');
  return quote;
}
