/** Texts that the real server refuses, and its words. */
import { TASHI, testRefusals } from './refusal-scene.ts';

testRefusals([
  ['no chat', 'sendMessage', () => ({ text: 'hi' }), 'chat_id is empty'],
  ['an unknown chat', 'sendMessage', () => ({ chat_id: 999, text: 'hi' }), 'chat not found'],
  ['no text', 'sendMessage', () => ({ chat_id: TASHI }), 'message text is empty'],
  ['white space alone', 'sendMessage', () => ({ chat_id: TASHI, text: ' \n\t ' }), 'text must be non-empty'],
  [
    'tags around nothing',
    'sendMessage',
    () => ({ chat_id: TASHI, text: '<b></b>', parse_mode: 'HTML' }),
    'text must be non-empty',
  ],
  [
    '4097 characters',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'ཀ'.repeat(4097) }),
    'message is too long',
  ],
  [
    '2049 characters outside the BMP',
    'sendMessage',
    () => ({ chat_id: TASHI, text: '𠀀'.repeat(2049) }),
    'message is too long',
  ],
  [
    'more than 32768 bytes',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'ཀ'.repeat(10_923) }),
    'text is too long',
  ],
  [
    'an unknown parse mode',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', parse_mode: 'BBCode' }),
    'unsupported parse_mode',
  ],
  [
    'a reply to a message that is not there',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_parameters: { message_id: 9999 } }),
    'message to be replied not found',
  ],
  [
    'an old-style reply to a message that is not there',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_to_message_id: 9999 }),
    'message to be replied not found',
  ],
  [
    'a quote that is not in the message',
    'sendMessage',
    (scene) => ({
      chat_id: TASHI,
      text: 'hi',
      reply_parameters: { message_id: scene.asked.message_id, quote: 'bye' },
    }),
    'QUOTE_TEXT_INVALID',
  ],
  [
    'reply parameters that are no JSON',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', reply_parameters: '{' }),
    "can't parse reply parameters JSON object",
  ],
  [
    'an unknown chat action',
    'sendChatAction',
    () => ({ chat_id: TASHI, action: 'dancing' }),
    'wrong parameter action in request',
  ],
  [
    'an unknown topic',
    'sendMessage',
    (scene) => ({ chat_id: scene.forum.id, text: 'hi', message_thread_id: 9999 }),
    'message thread not found',
  ],
  [
    'a deleted topic',
    'sendMessage',
    (scene) => ({ chat_id: scene.forum.id, text: 'hi', message_thread_id: scene.deletedTopic }),
    'message thread not found',
  ],
  [
    'a deleted topic, by a chat action',
    'sendChatAction',
    (scene) => ({ chat_id: scene.forum.id, action: 'typing', message_thread_id: scene.deletedTopic }),
    'message thread not found',
  ],
  [
    'a closed topic',
    'sendMessage',
    (scene) => ({ chat_id: scene.forum.id, text: 'hi', message_thread_id: scene.closedTopic }),
    'TOPIC_CLOSED',
  ],
  [
    'a reply’s thread where there are no topics',
    'sendMessage',
    (scene) => ({
      chat_id: scene.group.id,
      text: 'hi',
      message_thread_id: scene.answerInGroup.message_thread_id,
    }),
    'message thread is not a forum topic thread',
  ],
  [
    'an entity beyond the text',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', entities: [{ type: 'bold', offset: 0, length: 3 }] }),
    'entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 3',
  ],
  [
    'an entity after the text',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', entities: [{ type: 'bold', offset: 5, length: 1 }] }),
    'entity begins after the end of the text at UTF-16 offset 5',
  ],
  [
    'an entity that splits a symbol',
    'sendMessage',
    () => ({ chat_id: TASHI, text: '😀', entities: [{ type: 'bold', offset: 1, length: 1 }] }),
    'entity begins in a middle of a UTF-16 symbol at byte offset 4',
  ],
  [
    'an entity before the text',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', entities: [{ type: 'bold', offset: -1, length: 1 }] }),
    'receive an entity with incorrect offset -1',
  ],
  [
    'an entity of unknown type',
    'sendMessage',
    () => ({ chat_id: TASHI, text: 'hi', entities: [{ type: 'blink', offset: 0, length: 1 }] }),
    "can't parse MessageEntity: Unsupported type specified",
  ],
]);
