/**
 * Telegram's JSON objects as the local Telegram keeps and serves them: those of the present Bot API, as `@grammyjs/types` has them.
 * Where Telegram has one of many kinds (a button, an entity), one type has the fields of all: a bot's own are read from outside.
 */
import type * as Telegram from '@grammyjs/types';
import type { User } from '@grammyjs/types';

export type {
  Audio,
  BotCommand,
  File,
  InlineQueryResultsButton,
  MessageOrigin,
  PhotoSize,
  User,
  UserFromGetMe as BotUser,
} from '@grammyjs/types';

/** Every field that any of the kinds has; those that all have are there. */
type AnyOf<Kinds> = Pick<Kinds, keyof Kinds> & {
  [Field in KeyOfAny<Kinds>]?: Kinds extends unknown
    ? Field extends keyof Kinds
      ? Kinds[Field]
      : never
    : never;
};
type KeyOfAny<Kinds> = Kinds extends unknown ? keyof Kinds : never;

export type Chat = Telegram.Chat;
/** Members are never restricted here. */
export type ChatMember = Exclude<Telegram.ChatMember, Telegram.ChatMemberRestricted>;
export type MemberStatus = ChatMember['status'];
export type MessageEntity = AnyOf<Telegram.MessageEntity>;
export type InlineKeyboardButton = AnyOf<Telegram.InlineKeyboardButton>;
export type ReactionType = Omit<AnyOf<Telegram.ReactionType>, 'emoji'> & { emoji?: string };
export type BotCommandScope = AnyOf<Telegram.BotCommandScope>;

export interface InlineKeyboardMarkup {
  inline_keyboard: InlineKeyboardButton[][];
}

export interface TextQuote extends Omit<Telegram.TextQuote, 'entities'> {
  entities?: MessageEntity[];
}

type Read = 'from' | 'entities' | 'caption_entities' | 'reply_markup' | 'reply_to_message' | 'quote';
export interface Message extends Omit<Telegram.Message, Read> {
  /** Only a channel's own posts have none. */
  from?: User;
  entities?: MessageEntity[];
  caption_entities?: MessageEntity[];
  reply_markup?: InlineKeyboardMarkup;
  reply_to_message?: Message;
  quote?: TextQuote;
}

export interface CallbackQuery extends Omit<Telegram.CallbackQuery, 'message'> {
  message?: Message;
}

type OfferedKind = AnyOf<Telegram.InlineQueryResultArticle | Telegram.InlineQueryResultCachedVoice>;
/** One text, or one voice note that Telegram has, its words as Telegram understood them. */
export interface InlineResult
  extends Omit<OfferedKind, 'input_message_content' | 'reply_markup' | 'caption_entities' | 'parse_mode'> {
  input_message_content?: { message_text: string; entities?: MessageEntity[] };
  caption_entities?: MessageEntity[];
  reply_markup?: InlineKeyboardMarkup;
}

/** What the bot answers to an inline query: the results that a person may send. */
export interface InlineAnswer {
  results: InlineResult[];
  /** Seconds. */
  cacheTime: number;
  isPersonal: boolean;
  button?: Telegram.InlineQueryResultsButton;
}

/** What an update can hold here, by its kind. */
export interface UpdateContents {
  message: Message;
  edited_message: Message;
  channel_post: Message;
  edited_channel_post: Message;
  guest_message: Message;
  callback_query: CallbackQuery;
  inline_query: Telegram.InlineQuery;
  chosen_inline_result: Telegram.ChosenInlineResult;
  my_chat_member: Telegram.ChatMemberUpdated;
  chat_member: Telegram.ChatMemberUpdated;
  message_reaction: Omit<Telegram.MessageReactionUpdated, 'old_reaction' | 'new_reaction'> & {
    old_reaction: ReactionType[];
    new_reaction: ReactionType[];
  };
}

/** The kinds of update that the present Bot API has, which the compiler holds ours to. */
export type UpdateKind = keyof UpdateContents & keyof Telegram.Update;

/** An update: its number, and one field named after its kind. */
export type Update = { update_id: number } & Partial<UpdateContents>;

type AsKept<Result> = Result extends (infer One)[]
  ? AsKept<One>[]
  : Result extends Telegram.Update
    ? Update
    : Result extends Telegram.Message
      ? Message
      : Result extends true
        ? true
        : Result;

/** All kinds of update, those among them that never come from here. */
export type AnyUpdateKind = Exclude<keyof Telegram.Update, 'update_id'>;

/** The result of each method of the current Bot API. */
export type MethodResults = {
  [Name in keyof Telegram.ApiMethods<unknown>]: AsKept<ReturnType<Telegram.ApiMethods<unknown>[Name]>>;
};
