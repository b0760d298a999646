/** Keyboards that the real server refuses, and its words. */
import { button, keyboard, TASHI, testRefusals } from './refusal-scene.ts';

testRefusals([
  [
    '65 bytes of callback data',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_markup: button({ callback_data: 'x'.repeat(65) }) }),
    'BUTTON_DATA_INVALID',
  ],
  [
    '22 Tibetan letters of callback data',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_markup: button({ callback_data: 'ཀ'.repeat(22) }) }),
    'BUTTON_DATA_INVALID',
  ],
  [
    'empty callback data',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_markup: button({ callback_data: '' }) }),
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
  [
    'a button without an action',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_markup: button({}) }),
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
  [
    'a button without text',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_markup: keyboard([{ callback_data: 'a' }]) }),
    'can\'t parse inline keyboard button: Can\'t find field "text"',
  ],
  [
    '257 characters to copy',
    'sendMessage',
    () => ({
      chat_id: TASHI,
      text: 'hi',
      reply_markup: button({ copy_text: { text: 'ཀ'.repeat(257) } }),
    }),
    'BUTTON_COPY_TEXT_INVALID',
  ],
  [
    'a button of no known style',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_markup: button({ callback_data: 'a', style: 'purple' }) }),
    "can't parse inline keyboard button: invalid button style specified",
  ],
  [
    'an inline query for no kind of chat',
    'sendMessage',
    () => ({
      chat_id: TASHI,
      text: 'hi',
      reply_markup: button({ switch_inline_query_chosen_chat: { query: 'tea' } }),
    }),
    "can't parse inline keyboard button: at least one chat type must be allowed",
  ],
  [
    'nothing to copy',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_markup: button({ copy_text: { text: '' } }) }),
    'BUTTON_COPY_TEXT_INVALID',
  ],
  [
    '101 buttons',
    'sendMessage',
    () => ({
      chat_id: TASHI,
      text: 'hi',
      reply_markup: keyboard(...Array.from({ length: 101 }, () => [{ text: 'A', callback_data: 'a' }])),
    }),
    'reply markup is too long',
  ],
  [
    'a keyboard that is no JSON',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_markup: '{' }),
    "can't parse reply keyboard markup JSON object",
  ],
  [
    'a row that is none',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_markup: { inline_keyboard: [{ text: 'A' }] } }),
    'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
  ],
]);
