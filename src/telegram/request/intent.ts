/** Parses the intent of an update, once, for handlers and middleware. */
import type { CallbackQuery, ChatMemberUpdated, Message, Update, UserFromGetMe } from 'telegraf/types';
import { type MatchedCallback, matchCallback } from './callback.ts';
import type { ParsedCommand, Vocabulary } from './command.ts';
import { ephemeralId } from './ephemeral.ts';
import { hasFile, type ParsedMessage } from './parsed-message.ts';

export type Intent<Ctx = never> =
  /** A command. In an album the first one counts. */
  | (ParsedCommand<Ctx> & {
      readonly kind: 'command';
      /** It is about the pictures or documents under which it stands. */
      readonly isAboutFile: boolean;
    })
  /** Pictures (photos, images sent as files) or documents, one or an album. */
  | { readonly kind: 'files' }
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
  { callbacks }: Vocabulary<Ctx>,
): Intent<Ctx> {
  if ('callback_query' in update) {
    const query = update.callback_query;
    return {
      kind: 'callback',
      query,
      matched: 'data' in query ? matchCallback(query.data, callbacks) : undefined,
    };
  }
  if ('my_chat_member' in update) return { kind: 'membership', change: update.my_chat_member };
  if (!('message' in update)) return { kind: 'other' };
  const { message } = update;
  const { id } = message.chat;
  if ('migrate_to_chat_id' in message) return { kind: 'upgrade', from: id, to: message.migrate_to_chat_id };
  if ('migrate_from_chat_id' in message)
    return { kind: 'upgrade', from: message.migrate_from_chat_id, to: id };
  return messageIntent(message, album);
}

function messageIntent<Ctx>(message: Message, album: readonly ParsedMessage<Ctx>[]): Intent<Ctx> {
  const commands = album.flatMap(({ command }) => command ?? []);
  const isAboutFile = album.some(hasFile);
  const typed = commands.find(({ isInCaption }) => !isInCaption);
  if (typed !== undefined) return { kind: 'command', ...typed, isAboutFile: false };
  const captioned = commands.find(({ command }) => command !== undefined);
  const about = captioned?.command?.about;
  if (isAboutFile) {
    const isCommand = captioned !== undefined && about?.includes('picture');
    return isCommand ? { kind: 'command', ...captioned, isAboutFile } : { kind: 'files' };
  }
  if (captioned === undefined || about === undefined)
    return { kind: album.some(({ text }) => text !== '') ? 'text' : 'other' };
  // A file of any other kind is not read: its caption can only ask about itself, or about the message replied to.
  const isAboutText = captioned.text !== '' || repliedMessage(message) !== undefined;
  return isAboutText ? { kind: 'command', ...captioned, isAboutFile } : { kind: 'other' };
}

/** Whether the request stops the person's work. Uses the parsed command, not the text: `/cancel` in a code block is no command. */
export function stopsWork(intent: Intent): boolean {
  if (intent.kind === 'command') return intent.command?.stopsWork === true;
  return intent.kind === 'callback' && intent.matched?.callback.stopsWork === true;
}

/** The fields of service messages that Telegram writes into a person's chat with the bot (Bot API, Message). */
const SERVICE_FIELDS = [
  'pinned_message',
  'forum_topic_created',
  'forum_topic_edited',
  'forum_topic_closed',
  'forum_topic_reopened',
  'checklist_tasks_done',
  'checklist_tasks_added',
  'message_auto_delete_timer_changed',
  'chat_background_set',
  'write_access_allowed',
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
  const isAboutIt = command?.command?.about?.includes(hasFile(part) ? 'picture' : 'text');
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
