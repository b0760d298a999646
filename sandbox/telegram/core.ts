/** The state that the Bot API server and the people's side share: chats, messages, files, updates, open queries. */
import { randomInt } from 'node:crypto';
import { badRequest } from './api-error.ts';
import { BotProfile } from './bot-profile.ts';
import type { ChatRoom } from './chat-room.ts';
import { EphemeralMessages } from './ephemeral-messages.ts';
import { type CallbackAnswer, type ChatActionEvent, WorldEvents } from './events.ts';
import { Fading } from './fading.ts';
import { FileStore } from './files.ts';
import { channelForward } from './forward-origin.ts';
import { mentionsBot } from './group-privacy.ts';
import { withoutReply } from './message-log.ts';
import type { BotUser, InlineAnswer, Message, User } from './objects.ts';
import { OpenQueries } from './open-queries.ts';
import { UpdateQueue } from './updates.ts';

/** A message before it gets its number and date. */
export type Draft = Omit<Message, 'message_id' | 'date' | 'chat'>;

/** Milliseconds that a chat action is shown (Bot API, sendChatAction). */
const ACTION_MS = 5000;

/** The kinds of update for a channel's messages and edits. */
const POSTS = { message: 'channel_post', edited_message: 'edited_channel_post' } as const;

export class Core {
  readonly bot: BotUser;
  readonly now: () => Date;
  readonly events = new WorldEvents();
  readonly updates = new UpdateQueue(() => this.events.emit('change'));
  readonly files = new FileStore();
  readonly profile = new BotProfile();
  readonly chatActions = new Fading<ChatActionEvent>(ACTION_MS, (event, isShown) =>
    this.events.emit(isShown ? 'chatAction' : 'chatActionEnded', event),
  );
  readonly ephemerals = new EphemeralMessages(this.events, () => this.date());
  readonly rooms = new Map<number, ChatRoom>();
  /** What takes the bot's answer to a press; the first answer counts. */
  readonly callbackQueries: OpenQueries<(answer: CallbackAnswer) => void>;
  readonly inlineQueries: OpenQueries<(answer: InlineAnswer) => void>;
  /** Messages that mention the bot in chats that it is not in (Bot API 10.0), and where they stand. */
  readonly guestQueries: OpenQueries<{ readonly room: ChatRoom; readonly message: Message }>;
  /** Messages sent through inline mode that the bot may edit. */
  readonly inlineMessages = new Map<string, { chatId: number; messageId: number }>();
  /** Private chats and basic groups share the bot's own sequence; a supergroup has its own. */
  #messageId = 0;
  readonly #supergroupMessageIds = new Map<number, number>();

  constructor(bot: BotUser, now: () => Date) {
    this.bot = bot;
    this.now = now;
    this.callbackQueries = new OpenQueries(now);
    this.inlineQueries = new OpenQueries(now);
    this.guestQueries = new OpenQueries(now);
  }

  /** The bot as messages name it. */
  get me(): User {
    const { id, is_bot, first_name, username } = this.bot;
    return { id, is_bot, first_name, username };
  }

  /** A number that the messages of one album share. */
  newMediaGroupId(): string {
    return String(randomInt(2 ** 47));
  }

  /** Unix seconds. */
  date(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  /** Finds the chat with this id; throws ApiError if there is none, as for every @username: no group or channel here is public. */
  room(chatId: number | string): ChatRoom {
    const room = typeof chatId === 'number' ? this.rooms.get(chatId) : undefined;
    if (!room) throw badRequest('chat not found');
    return room;
  }

  /**
   * Posts a message of either side: gives it an id, stores it, and sends it to the watchers and (unless it is the bot's own) to the bot. A
   * channel's post also goes to its discussion group.
   */
  post(room: ChatRoom, draft: Draft | ((messageId: number) => Draft)): Message {
    const message_id = this.#nextMessageId(room);
    const { reply_to_message: replied, ...rest } = typeof draft === 'function' ? draft(message_id) : draft;
    const message: Message = {
      message_id,
      date: this.date(),
      chat: room.chat,
      ...rest,
      ...(replied && { reply_to_message: withoutReply(replied) }),
    };
    room.log.put(message);
    const own = message.from?.id === this.bot.id;
    if (own) this.chatActions.end(room.chat.id, topicOf(message));
    if ((!own || room.isEchoed) && room.botSees(message)) this.#tellBot(room, 'message', message);
    if (!own && room.isWithoutBot && mentionsBot(message, this.bot)) this.#summonBot(room, message);
    this.events.emit('message', message);
    if (room.discussion !== undefined) this.post(room.discussion, channelForward(message));
    return message;
  }

  /** Replaces a message by its edited form; sends the update to the bot unless the bot edited it. */
  edit(room: ChatRoom, message: Message, editor: User): Message {
    const edited = { ...message, edit_date: this.date() };
    room.log.put(edited);
    if ((editor.id !== this.bot.id || room.isEchoed) && room.botSees(edited))
      this.#tellBot(room, 'edited_message', edited);
    this.events.emit('edited', edited);
    return edited;
  }

  /** Removes a message for everyone; the bot is not told. */
  delete(room: ChatRoom, message: Message): void {
    if (room.log.remove(message.message_id)) this.events.emit('deleted', message);
  }

  /** Sends the bot a mention in a chat that it is not in, if it allows guest queries. */
  #summonBot(room: ChatRoom, message: Message): void {
    if (!this.bot.supports_guest_queries) return;
    const guest_query_id = this.guestQueries.ask({ room, message });
    this.updates.push('guest_message', { ...room.log.asShown(message), guest_query_id }, room.chat.id);
  }

  /** Queues an update that holds a message, in the form that an update shows. */
  #tellBot(room: ChatRoom, kind: 'message' | 'edited_message', message: Message): void {
    const isPost = room.chat.type === 'channel';
    this.updates.push(isPost ? POSTS[kind] : kind, room.log.asShown(message), room.chat.id);
  }

  #nextMessageId({ chat }: ChatRoom): number {
    if (chat.type !== 'supergroup') return ++this.#messageId;
    const next = (this.#supergroupMessageIds.get(chat.id) ?? 0) + 1;
    this.#supergroupMessageIds.set(chat.id, next);
    return next;
  }
}

/** Returns the forum topic of a message; General has no id. */
export function topicOf(
  message: Pick<Message, 'is_topic_message' | 'message_thread_id'>,
): number | undefined {
  return message.is_topic_message ? message.message_thread_id : undefined;
}
