/** Calls about messages and queries that the real server refuses, and its words. */
import { button, TASHI, testRefusals } from './refusal-scene.ts';

testRefusals([
  [
    'a message that is not there',
    'editMessageText',
    () => ({ chat_id: TASHI, message_id: 9999, text: 'new' }),
    'message to edit not found',
  ],
  [
    'no message',
    'editMessageText',
    () => ({ chat_id: TASHI, text: 'new' }),
    'message identifier is not specified',
  ],
  [
    'a person’s message',
    'editMessageText',
    (scene) => ({ chat_id: TASHI, message_id: scene.asked.message_id, text: 'new' }),
    "message can't be edited",
  ],
  [
    'the same text and keyboard',
    'editMessageText',
    (scene) => ({
      chat_id: TASHI,
      message_id: scene.own.message_id,
      text: ' own ',
      reply_markup: button({ callback_data: 'a' }),
    }),
    'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
  ],
  [
    'the text of a photo',
    'editMessageText',
    (scene) => ({ chat_id: TASHI, message_id: scene.ownPhoto.message_id, text: 'new' }),
    'there is no text in the message to edit',
  ],
  [
    'the caption of a text',
    'editMessageCaption',
    (scene) => ({ chat_id: TASHI, message_id: scene.own.message_id, caption: 'new' }),
    'there is no caption in the message to edit',
  ],
  [
    'a caption of 1025 characters',
    'editMessageCaption',
    (scene) => ({ chat_id: TASHI, message_id: scene.ownPhoto.message_id, caption: 'ཀ'.repeat(1025) }),
    'message caption is too long',
  ],
  [
    'deleting a message that is not there',
    'deleteMessage',
    () => ({ chat_id: TASHI, message_id: 9999 }),
    'message to delete not found',
  ],
  [
    'deleting a person’s message in a group',
    'deleteMessage',
    (scene) => ({ chat_id: scene.group.id, message_id: scene.inGroup.message_id }),
    "message can't be deleted",
  ],
  [
    'copying a message that is not there',
    'copyMessage',
    () => ({ chat_id: TASHI, from_chat_id: TASHI, message_id: 9999 }),
    'message to copy not found',
  ],
  [
    'an unknown callback query',
    'answerCallbackQuery',
    () => ({ callback_query_id: '1' }),
    'query is too old and response timeout expired or query ID is invalid',
  ],
  [
    'an unknown inline query',
    'answerInlineQuery',
    () => ({ inline_query_id: '1', results: [] }),
    'query is too old and response timeout expired or query ID is invalid',
  ],
  [
    'a reaction that is no emoji of Telegram',
    'setMessageReaction',
    (scene) => ({
      chat_id: TASHI,
      message_id: scene.asked.message_id,
      reaction: [{ type: 'emoji', emoji: 'A' }],
    }),
    'REACTION_INVALID',
  ],
  [
    'an own message that is closed to edits',
    'editMessageReplyMarkup',
    (scene) => {
      scene.bot.telegram.world.closeToEdits(scene.ownPhoto);
      return { chat_id: TASHI, message_id: scene.ownPhoto.message_id };
    },
    "message can't be edited",
  ],
]);
