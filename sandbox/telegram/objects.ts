/** Telegram's JSON objects as the local Telegram keeps and serves them: flat, every optional field optional. */

export interface User {
  id: number;
  is_bot: boolean;
  first_name: string;
  last_name?: string;
  username?: string;
  language_code?: string;
}

/** The bot as `getMe` tells it. */
export interface BotUser extends User {
  username: string;
  can_join_groups: boolean;
  can_read_all_group_messages: boolean;
  supports_inline_queries: boolean;
}

export interface Chat {
  id: number;
  type: 'private' | 'group' | 'supergroup' | 'channel';
  title?: string;
  username?: string;
  first_name?: string;
  last_name?: string;
  is_forum?: true;
}

export interface MessageEntity {
  type: string;
  /** UTF-16 code units, as everywhere in the Bot API. */
  offset: number;
  length: number;
  url?: string;
  user?: User;
  language?: string;
  custom_emoji_id?: string;
}

export interface FileObject {
  file_id: string;
  /** The same for the same content, whoever sends it. */
  file_unique_id: string;
  file_size: number;
}

export interface PhotoSize extends FileObject {
  width: number;
  height: number;
}

interface Voice extends FileObject {
  /** Seconds. */
  duration: number;
  mime_type?: string;
}

export interface Audio extends Voice {
  performer?: string;
  title?: string;
  file_name?: string;
}

interface Document extends FileObject {
  file_name?: string;
  mime_type?: string;
  thumbnail?: PhotoSize;
}

export interface InlineKeyboardButton {
  text: string;
  url?: string;
  callback_data?: string;
  copy_text?: { text: string };
  switch_inline_query?: string;
  switch_inline_query_current_chat?: string;
  [other: string]: unknown;
}

export interface InlineKeyboardMarkup {
  inline_keyboard: InlineKeyboardButton[][];
}

export interface TextQuote {
  text: string;
  /** UTF-16 code units from the start of the quoted message's text. */
  position: number;
  entities?: MessageEntity[];
  is_manual?: true;
}

export interface Message {
  message_id: number;
  /** Unix seconds. */
  date: number;
  chat: Chat;
  from?: User;
  sender_chat?: Chat;
  via_bot?: User;
  message_thread_id?: number;
  is_topic_message?: true;
  is_automatic_forward?: true;
  forward_origin?: Record<string, unknown>;
  reply_to_message?: Message;
  quote?: TextQuote;
  edit_date?: number;
  media_group_id?: string;
  has_protected_content?: true;
  text?: string;
  entities?: MessageEntity[];
  caption?: string;
  caption_entities?: MessageEntity[];
  photo?: PhotoSize[];
  document?: Document;
  voice?: Voice;
  audio?: Audio;
  video?: Document & { width: number; height: number; duration: number };
  animation?: Document & { width: number; height: number; duration: number };
  sticker?: FileObject & Record<string, unknown>;
  contact?: { phone_number: string; first_name: string };
  location?: { latitude: number; longitude: number };
  poll?: Record<string, unknown>;
  dice?: { emoji: string; value: number };
  reply_markup?: InlineKeyboardMarkup;
  new_chat_members?: User[];
  left_chat_member?: User;
  group_chat_created?: true;
  migrate_to_chat_id?: number;
  migrate_from_chat_id?: number;
  forum_topic_created?: { name: string; icon_color: number };
  forum_topic_closed?: Record<string, never>;
  forum_topic_reopened?: Record<string, never>;
}

export type MemberStatus = 'creator' | 'administrator' | 'member' | 'restricted' | 'left' | 'kicked';

export interface ChatMember {
  status: MemberStatus;
  user: User;
  [right: string]: unknown;
}

export interface CallbackQuery {
  id: string;
  from: User;
  message?: Message;
  inline_message_id?: string;
  chat_instance: string;
  data: string;
}

/** One `InlineQueryResult…` as the bot gave it. */
export interface InlineResult {
  type: string;
  id: string;
  title?: string;
  reply_markup?: InlineKeyboardMarkup;
  input_message_content?: { message_text: string; entities?: MessageEntity[] };
  [other: string]: unknown;
}

export interface BotCommand {
  command: string;
  description: string;
}

export interface BotCommandScope {
  type: string;
  chat_id?: number | string;
  user_id?: number;
}

export interface ReactionType {
  type: string;
  emoji?: string;
  custom_emoji_id?: string;
}

/** An update: its number, and one field named after its kind. */
export interface Update {
  update_id: number;
  [kind: string]: unknown;
}
