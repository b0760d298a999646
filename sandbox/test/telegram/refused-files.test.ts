/** Calls about files that the real server refuses, and its words. */
import { TASHI, testRefusals } from './refusal-scene.ts';

testRefusals([
  [
    'an unknown file id',
    'sendVoice',
    () => ({ chat_id: TASHI, voice: 'AwACAgUAAxkBAAI' }),
    'wrong file identifier/HTTP URL specified',
  ],
  ['no file', 'sendVoice', () => ({ chat_id: TASHI }), 'there is no voice in the request'],
  [
    'an attachment that is not attached',
    'sendDocument',
    () => ({ chat_id: TASHI, document: 'attach://nothing' }),
    'there is no document in the request',
  ],
  [
    'a photo as a document',
    'sendDocument',
    (scene) => ({ chat_id: TASHI, document: scene.ownPhoto.photo?.at(-1)?.file_id }),
    "can't use file of type Photo as Document",
  ],
  ['an unknown file to download', 'getFile', () => ({ file_id: 'AwACAgUAAxkBAAI' }), 'invalid file_id'],
  ['a file above 20 MB to download', 'getFile', (scene) => ({ file_id: scene.hugeFile }), 'file is too big'],
  [
    'an empty album',
    'sendMediaGroup',
    () => ({ chat_id: TASHI, media: [] }),
    'there are no messages to send',
  ],
  [
    'an album of 11',
    'sendMediaGroup',
    () => ({
      chat_id: TASHI,
      media: Array.from({ length: 11 }, () => ({ type: 'photo', media: 'x' })),
    }),
    'too many messages to send as an album',
  ],
  [
    'an album of a photo and a document',
    'sendMediaGroup',
    (scene) => ({
      chat_id: TASHI,
      media: [
        { type: 'photo', media: scene.ownPhoto.photo?.at(-1)?.file_id },
        { type: 'document', media: scene.hugeFile },
      ],
    }),
    "document can't be mixed with other media types",
  ],
  [
    'an album of songs and a video',
    'sendMediaGroup',
    () => ({ chat_id: TASHI, media: ['audio', 'audio', 'video'].map((type) => ({ type, media: 'x' })) }),
    "audio can't be mixed with other media types",
  ],
]);
