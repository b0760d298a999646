/** The parameters of the methods served here. The compiler checks them against the present Bot API. */
import type { ApiMethods } from '@grammyjs/types';
import { badRequest } from './api-error.ts';
import type { Fields } from './request-body.ts';
import { Upload } from './upload.ts';

/** Parameters of all methods that send. */
const SENT =
  'business_connection_id chat_id message_thread_id direct_messages_topic_id ephemeral_message_parameters parse_mode disable_notification protect_content allow_paid_broadcast suggested_post_parameters message_effect_id reply_parameters reply_markup reply_to_message_id';
/** Parameters of all methods that edit a message. */
const EDITED = 'business_connection_id chat_id message_id inline_message_id reply_markup';
/** Parameters of all methods that change an ephemeral message. */
const OF_EPHEMERAL = 'chat_id receiver_user_id ephemeral_message_id';

/** Words between spaces; each must be a parameter of its method, and none may be missing (`Faults`). */
const PARAMETERS = {
  sendMediaGroup: [
    'business_connection_id chat_id message_thread_id direct_messages_topic_id media disable_notification protect_content allow_paid_broadcast message_effect_id reply_parameters reply_to_message_id',
  ],
  answerCallbackQuery: ['callback_query_id text show_alert url cache_time'],
  getChat: ['chat_id'],
  getChatMember: ['chat_id user_id'],
  getChatAdministrators: ['chat_id return_bots'],
  leaveChat: ['chat_id'],
  setMyCommands: ['commands scope language_code'],
  getMyCommands: ['scope language_code'],
  forwardMessage: [
    'chat_id message_thread_id direct_messages_topic_id from_chat_id video_start_timestamp message_effect_id suggested_post_parameters disable_notification protect_content message_id',
  ],
  deleteMessage: ['chat_id message_id'],
  editMessageText: [EDITED, 'text parse_mode entities link_preview_options rich_message'],
  editMessageCaption: [EDITED, 'caption parse_mode caption_entities show_caption_above_media'],
  editMessageReplyMarkup: [EDITED],
  getFile: ['file_id'],
  answerInlineQuery: ['inline_query_id results cache_time is_personal next_offset button'],
  sendPhoto: [SENT, 'photo caption caption_entities show_caption_above_media has_spoiler'],
  sendDocument: [SENT, 'document thumbnail caption caption_entities disable_content_type_detection'],
  sendVoice: [SENT, 'voice caption caption_entities duration'],
  sendAudio: [SENT, 'audio caption caption_entities duration performer title thumbnail'],
  sendVideo: [
    SENT,
    'video duration width height thumbnail cover start_timestamp caption caption_entities show_caption_above_media has_spoiler supports_streaming',
  ],
  getMe: [],
  setMyDescription: ['description language_code'],
  setMyShortDescription: ['short_description language_code'],
  getMyDescription: ['language_code'],
  getMyShortDescription: ['language_code'],
  getUserProfilePhotos: ['user_id offset limit'],
  setMessageReaction: ['chat_id message_id reaction is_big'],
  sendMessage: [SENT, 'text entities link_preview_options'],
  sendChatAction: ['business_connection_id chat_id message_thread_id action'],
  getUpdates: ['offset limit timeout allowed_updates'],
  setWebhook: [
    'url certificate ip_address max_connections allowed_updates drop_pending_updates secret_token',
  ],
  deleteWebhook: ['drop_pending_updates'],
  getWebhookInfo: [],
  editEphemeralMessageText: [
    OF_EPHEMERAL,
    'text parse_mode entities link_preview_options rich_message reply_markup',
  ],
  deleteEphemeralMessage: [OF_EPHEMERAL],
  answerGuestQuery: ['guest_query_id result'],
} as const;

/**
 * Parameters that the Bot API still accepts although its types do not have them: an option of replies before Bot API 7.0, and the method
 * itself in a form (Telegraf writes calls so that they could also answer a webhook's request).
 */
const OLDER: ReadonlySet<string> = new Set(['allow_sending_without_reply', 'method']);

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
type KeysOf<Kinds> = Kinds extends unknown ? keyof Kinds : never;
type Api = ApiMethods<unknown>;
type Known<Name extends keyof Api> = KeysOf<NonNullable<Parameters<Api[Name]>[0]>>;
type Faulty<Name extends keyof typeof PARAMETERS> = Name extends keyof Api
  ?
      | Exclude<Words<(typeof PARAMETERS)[Name][number]>, Known<Name>>
      | Exclude<Known<Name>, Words<(typeof PARAMETERS)[Name][number]>>
  : Name;
/** Methods and parameters that are not in the Bot API, or are missing above: the compiler names them. */
type Faults = { [Name in keyof typeof PARAMETERS]: Faulty<Name> }[keyof typeof PARAMETERS];
const isTheBotApi: [Faults] extends [never] ? true : Faults = true;

const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(isTheBotApi && PARAMETERS).map(([name, words]) => [
    name.toLowerCase(),
    new Set(words.flatMap((some) => some.split(' '))),
  ]),
);

/** The parameters of a method, which Telegram takes in any case; undefined for one that is not served here. */
export function parametersOf(method: string): ReadonlySet<string> | undefined {
  return KNOWN.get(method.toLowerCase());
}

/**
 * Throws ApiError for a parameter that the method does not have. Telegram ignores it, and the bot's author does not see the mistake; here
 * they do. A form may hold files of any name (`attach://`).
 */
export function checkParameters(method: string, fields: Fields): void {
  const known = parametersOf(method);
  const unknown = Object.entries(fields).find(
    ([name, value]) => !known?.has(name) && !OLDER.has(name) && !(value instanceof Upload),
  );
  if (unknown !== undefined) throw badRequest(`the method ${method} has no parameter "${unknown[0]}"`);
}
