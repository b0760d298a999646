/** Parses what an update asks for. This is done once; handlers and middleware use the result. */
import type { CallbackQuery, ChatMemberUpdated, Message, Update } from 'telegraf/types';
import { type MatchedCallback, matchCallback } from './callback.ts';
import type { Command, Known } from './command.ts';
import { captionCommandIn, isFor, textCommandIn } from './command.ts';
import { ephemeralId } from './ephemeral.ts';
import { documentIn, hasFileToRead, pictureFileIn } from './sent-file.ts';
import { isForwarded, mentions, textIn } from './text-in.ts';

export type Asked<Ctx = never> =
  /** A text, or a caption of something other than a picture, that begins with a command. `command`: undefined if it is unknown or another bot's. */
  | {
      readonly kind: 'command';
      readonly command: Command<Ctx> | undefined;
      readonly payload: string;
      /** It names this bot, whether or not the command exists. */
      readonly isByName: boolean;
    }
  /** A picture, a document or an album whose caption is a command about it. In an album the first such caption counts. */
  | { readonly kind: 'caption-command'; readonly command: Command<Ctx>; readonly payload: string }
  /** A photo, an image sent as a file, or an album of them. */
  | { readonly kind: 'pictures' }
  /** A PDF or a text file, or several sent together. */
  | { readonly kind: 'document' }
  /** A text, or a caption of something other than a picture, that is no command. */
  | { readonly kind: 'text' }
  /** A button; `matched` is undefined for one that this release does not make. */
  | {
      readonly kind: 'callback';
      readonly query: CallbackQuery;
      readonly matched: MatchedCallback<Ctx> | undefined;
    }
  /** A group has become a supergroup. Telegram sends this to both chats. */
  | { readonly kind: 'upgrade'; readonly from: number; readonly to: number }
  /** The bot was added to a group, or removed from one. */
  | { readonly kind: 'membership'; readonly change: ChatMemberUpdated }
  /** A sticker, a video, a poll. */
  | { readonly kind: 'other' };

/** What an update asks for. `album`: all messages of its album, or its message alone. */
export function askedBy<Ctx>(update: Update, album: readonly Message[], known: Known<Ctx>): Asked<Ctx> {
  if ('callback_query' in update) return askedByCallback(update.callback_query, known);
  if ('my_chat_member' in update) return { kind: 'membership', change: update.my_chat_member };
  return 'message' in update ? askedByMessage(update.message, album, known) : { kind: 'other' };
}

/** What a callback query asks for. */
export function askedByCallback<Ctx>(
  query: CallbackQuery,
  { callbacks }: Pick<Known<Ctx>, 'callbacks'>,
): Extract<Asked<Ctx>, { kind: 'callback' }> {
  const matched = 'data' in query ? matchCallback(query.data, callbacks) : undefined;
  return { kind: 'callback', query, matched };
}

/** What a message asks for. */
export function askedByMessage<Ctx>(
  message: Message,
  album: readonly Message[],
  known: Known<Ctx>,
): Asked<Ctx> {
  const { me, commands } = known;
  const chat = message.chat.id;
  if ('migrate_to_chat_id' in message) return { kind: 'upgrade', from: chat, to: message.migrate_to_chat_id };
  if ('migrate_from_chat_id' in message) {
    return { kind: 'upgrade', from: message.migrate_from_chat_id, to: chat };
  }
  const typed = textCommandIn(message, me);
  if (typed !== undefined) {
    const command = isFor(typed, me) ? commands.find(({ name }) => name === typed.name) : undefined;
    const isByName = typed.addressee !== undefined && isFor(typed, me);
    return { kind: 'command', command, payload: typed.payload, isByName };
  }
  if (album.some((part) => pictureFileIn(part) !== undefined)) {
    return captionCommand(album, known) ?? { kind: 'pictures' };
  }
  if (album.some((part) => documentIn(part) !== undefined)) {
    return captionCommand(album, known) ?? { kind: 'document' };
  }
  if ('text' in message) return { kind: 'text' };
  return askedByCaption(message, album, known);
}

/** Media that are not read can only ask about their caption, or about the message that they reply to. */
function askedByCaption<Ctx>(
  message: Message,
  album: readonly Message[],
  { me, commands }: Known<Ctx>,
): Asked<Ctx> {
  const [first] = album.flatMap((part) => captionCommandIn(part, me) ?? []);
  const command = commands.find(({ name, about }) => name === first?.name && about !== undefined);
  if (first === undefined || command === undefined) {
    return { kind: album.some((part) => textIn(part) !== '') ? 'text' : 'other' };
  }
  const { payload, addressee } = first;
  const isAboutIt = (command.textIn?.(payload) ?? payload) !== '' || repliedMessage(message) !== undefined;
  if (!isAboutIt) return { kind: 'other' };
  return { kind: 'command', command, payload, isByName: addressee !== undefined };
}

/** Whether the request stops the person's work. The parsed request tells, not the text: `/cancel` in a code block is no command. */
export function stopsWork(asked: Asked): boolean {
  if (asked.kind === 'command') return asked.command?.stopsWork === true;
  return asked.kind === 'callback' && asked.matched?.callback.stopsWork === true;
}

function captionCommand<Ctx>(album: readonly Message[], { me, commands }: Known<Ctx>) {
  const [first] = album.flatMap((part) => captionCommandIn(part, me) ?? []);
  const command = commands.find(({ name, about }) => name === first?.name && about?.includes('picture'));
  if (first === undefined || command === undefined) return undefined;
  return { kind: 'caption-command', command, payload: first.payload } as const;
}

/** The fields of service messages that Telegram writes into a private chat (Bot API, Message). */
const SERVICE_FIELDS = [
  'pinned_message',
  'forum_topic_created',
  'forum_topic_edited',
  'forum_topic_closed',
  'forum_topic_reopened',
  'checklist_tasks_done',
  'checklist_tasks_added',
  'gift',
  'unique_gift',
  'gift_upgrade_sent',
  'boost_added',
  'refunded_payment',
  'proximity_alert_triggered',
  'message_auto_delete_timer_changed',
  'chat_background_set',
  'write_access_allowed',
  'connected_website',
  'users_shared',
  'user_shared',
  'chat_shared',
  'successful_payment',
  'managed_bot_created',
] as const;

/** Whether it is a service message (a pinned message, a changed timer), which says nothing to the bot. */
export function isServiceMessage(message: Message): boolean {
  return SERVICE_FIELDS.some((field) => field in message);
}

/**
 * Whether a message in a group is said to the bot: an ephemeral message, a command (also another bot's), a reply to the bot, a mention, or
 * a caption that is a command about its picture or text; never what is forwarded. A channel's post is said to its readers, unless it is a command.
 */
export function namesBot(message: Message, { me, commands }: Known): boolean {
  if (ephemeralId(message) !== undefined) return true;
  if (isForwarded(message)) return false;
  const isPost = message.chat.type === 'channel';
  if (textCommandIn(message, me) !== undefined) return true;
  if (!isPost && repliedMessage(message)?.from?.id === me.id) return true;
  const caption = captionCommandIn(message, me);
  const content = hasFileToRead(message) ? 'picture' : 'text';
  const isAboutIt = commands.some(({ name, about }) => name === caption?.name && about?.includes(content));
  return isAboutIt || (!isPost && mentions(message, me));
}

/**
 * The message that this one replies to. In a forum topic, a message that replies to nothing comes as a reply to the message that created
 * the topic (Bot API); that does not count.
 */
export function repliedMessage(message: Message | undefined): Message | undefined {
  const replied =
    message !== undefined && 'reply_to_message' in message ? message.reply_to_message : undefined;
  return replied === undefined || 'forum_topic_created' in replied ? undefined : replied;
}
