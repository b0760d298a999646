/** Reply markup: what Telegram accepts as an inline keyboard, and what it refuses. */
import { z } from 'zod';
import { badRequest } from './api-error.ts';
import type { InlineKeyboardButton, InlineKeyboardMarkup } from './objects.ts';
import { json } from './parameters.ts';

/** A fault within one button, as the real server words it. */
function buttonFault(what: string): string {
  return `can't parse inline keyboard button: ${what}`;
}

const button = z.looseObject(
  {
    text: z.string({ error: buttonFault('Can\'t find field "text"') }),
    url: z.string({ error: buttonFault('Field "url" must be of type String') }).optional(),
    callback_data: z
      .union([z.string(), z.number().transform(String)], {
        error: buttonFault('Field "callback_data" must be of type String'),
      })
      .optional(),
    copy_text: z
      .looseObject(
        { text: z.string({ error: buttonFault('Can\'t find field "text"') }) },
        { error: buttonFault('Field "copy_text" must be of type Object') },
      )
      .optional(),
    switch_inline_query: z.string().optional(),
    switch_inline_query_current_chat: z.string().optional(),
    switch_inline_query_chosen_chat: z
      .looseObject(
        { query: z.string().default('') },
        { error: buttonFault('Field "switch_inline_query_chosen_chat" must be of type Object') },
      )
      .optional(),
    style: z
      .enum(['danger', 'success', 'primary'], { error: buttonFault('invalid button style specified') })
      .optional(),
  },
  { error: buttonFault('InlineKeyboardButton must be an Object') },
);

const row = z.array(button, {
  error: 'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
});

/** `reply_markup`: any of Telegram's four kinds; only an inline keyboard stays with the message. */
export const replyMarkupParameter = json(
  z.looseObject(
    { inline_keyboard: z.array(row, { error: 'field "inline_keyboard" must be of type Array' }).optional() },
    { error: 'object expected as reply markup' },
  ),
  "can't parse reply keyboard markup JSON object",
);

const BUTTONS_MAX = 100;
const CALLBACK_DATA_BYTES = 64;
const COPY_TEXT_MAX = 256;

/** The inline keyboard to hang under a message, if it is one and has buttons; throws ApiError for a wrong button. */
export function readReplyMarkup(
  markup: z.output<typeof replyMarkupParameter> | undefined,
): InlineKeyboardMarkup | undefined {
  const rows = (markup?.inline_keyboard ?? []).filter((buttons) => buttons.length > 0);
  const buttons = rows.flat();
  if (buttons.length > BUTTONS_MAX) throw badRequest('reply markup is too long');
  for (const one of buttons) checkButton(one);
  return buttons.length > 0 ? { inline_keyboard: rows } : undefined;
}

/** The fields of which a button has exactly one. */
const ACTIONS = [
  'url',
  'callback_data',
  'copy_text',
  'switch_inline_query',
  'switch_inline_query_current_chat',
  'switch_inline_query_chosen_chat',
  'web_app',
  'login_url',
  'callback_game',
  'pay',
  'disabled',
] as const satisfies ReadonlyArray<keyof InlineKeyboardButton>;

const CHATS = ['allow_user_chats', 'allow_bot_chats', 'allow_group_chats', 'allow_channel_chats'] as const;

function checkButton(button: InlineKeyboardButton): void {
  if (button.text.trim() === '') throw badRequest('inline keyboard button text must be non-empty');
  // An inline query alone may be empty: then the bot's name is what is typed.
  const says = (action: (typeof ACTIONS)[number]) =>
    button[action] !== undefined && (button[action] !== '' || action.startsWith('switch_inline_query'));
  if (!ACTIONS.some(says)) throw badRequest(buttonFault('Text buttons are unallowed in the inline keyboard'));
  const { callback_data, copy_text, url, switch_inline_query_chosen_chat: chosen } = button;
  if (chosen !== undefined && !CHATS.some((kind) => chosen[kind] === true))
    throw badRequest(buttonFault('at least one chat type must be allowed'));
  if (callback_data !== undefined) {
    const bytes = Buffer.byteLength(callback_data);
    if (bytes > CALLBACK_DATA_BYTES) throw badRequest('BUTTON_DATA_INVALID');
  }
  if (copy_text && (copy_text.text.length < 1 || copy_text.text.length > COPY_TEXT_MAX))
    throw badRequest('BUTTON_COPY_TEXT_INVALID');
  if (url !== undefined && !/^(https?|tg|ton):\/\/\S+$/i.test(url) && !/^[\w-]+(\.[\w-]+)+/.test(url))
    throw badRequest(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
}
