/** Parses the intent of an update, once, for handlers and middleware. */
import type { CallbackQuery, ChatMemberUpdated, Message, Update, UserFromGetMe } from 'telegraf/types';
import { type MatchedCallback, matchCallback } from './callback.ts';
import type { Command, ParserDeps } from './command.ts';
import { ephemeralId } from './ephemeral.ts';
import { hasFile, type ParsedMessage } from './parsed-message.ts';

export type Intent<Ctx = never> =
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
  /** Words that are no command: a text, a poll, a caption of something other than a picture. */
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
  /** A sticker, a video without a caption, a location. */
  | { readonly kind: 'other' };

/** The intent of an update. `album`: all messages of its album, or its message alone. */
export function intentOf<Ctx>(
  update: Update,
  album: readonly ParsedMessage<Ctx>[],
  deps: ParserDeps<Ctx>,
): Intent<Ctx> {
  if ('callback_query' in update) return callbackIntent(update.callback_query, deps);
  if ('my_chat_member' in update) return { kind: 'membership', change: update.my_chat_member };
  return 'message' in update ? messageIntent(update.message, album) : { kind: 'other' };
}

export function callbackIntent<Ctx>(
  query: CallbackQuery,
  { callbacks }: Pick<ParserDeps<Ctx>, 'callbacks'>,
): Extract<Intent<Ctx>, { kind: 'callback' }> {
  const matched = 'data' in query ? matchCallback(query.data, callbacks) : undefined;
  return { kind: 'callback', query, matched };
}

export function messageIntent<Ctx>(message: Message, album: readonly ParsedMessage<Ctx>[]): Intent<Ctx> {
  const chat = message.chat.id;
  if ('migrate_to_chat_id' in message) return { kind: 'upgrade', from: chat, to: message.migrate_to_chat_id };
  if ('migrate_from_chat_id' in message) {
    return { kind: 'upgrade', from: message.migrate_from_chat_id, to: chat };
  }
  const [typed] = album.flatMap(({ command }) => (command?.isInCaption === false ? command : []));
  if (typed !== undefined) {
    const { command, payload, isByName } = typed;
    return { kind: 'command', command, payload, isByName };
  }
  const [captioned] = album.flatMap((part) => captionCommandOf(part) ?? []);
  const { command, payload = '' } = captioned ?? {};
  if (album.some(hasFile)) {
    if (command?.about?.includes('picture')) return { kind: 'caption-command', command, payload };
    return { kind: album.some(({ picture }) => picture !== undefined) ? 'pictures' : 'document' };
  }
  // A file of any other kind is not read: its caption can only ask about itself, or about the message replied to.
  if (captioned === undefined || command?.about === undefined)
    return { kind: album.some(({ text }) => text !== '') ? 'text' : 'other' };
  const isAboutIt = captioned.text !== '' || repliedMessage(message) !== undefined;
  return isAboutIt ? { kind: 'command', command, payload, isByName: captioned.isByName } : { kind: 'other' };
}

/** The command that a caption begins with, unless it names another bot. */
export function captionCommandOf<Ctx>({ command }: ParsedMessage<Ctx>): ParsedMessage<Ctx>['command'] {
  return command?.isInCaption && !command.isForAnotherBot ? command : undefined;
}

/** Whether the request stops the person's work. Uses the parsed command, not the text: `/cancel` in a code block is no command. */
export function stopsWork(intent: Intent): boolean {
  if (intent.kind === 'command') return intent.command?.stopsWork === true;
  return intent.kind === 'callback' && intent.matched?.callback.stopsWork === true;
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

/** Whether it is a service message (a pinned message, a changed timer): nobody wrote it. */
export function isServiceMessage(message: Message): boolean {
  return SERVICE_FIELDS.some((field) => field in message);
}

/**
 * Whether a message in a group addresses the bot: an ephemeral message, a command (also another bot's), a reply to the bot, a mention, or a
 * caption that is a command about its picture or text. A forwarded message never does. A channel's post addresses its readers, unless it is
 * a command.
 */
export function namesBot(part: ParsedMessage, me: UserFromGetMe): boolean {
  const { message, command, mentionsBot } = part;
  if (ephemeralId(message) !== undefined) return true;
  if (part.isForwarded) return false;
  const isPost = message?.chat.type === 'channel';
  if (command?.isInCaption === false) return true;
  if (!isPost && repliedMessage(message)?.from?.id === me.id) return true;
  const isAboutIt = captionCommandOf(part)?.command?.about?.includes(hasFile(part) ? 'picture' : 'text');
  return isAboutIt === true || (!isPost && mentionsBot);
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
