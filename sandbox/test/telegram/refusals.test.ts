/** Calls that the real server refuses, and its words. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Group } from '../../telegram/group.ts';
import type { Message } from '../../telegram/objects.ts';
import { type BotClient, keyboard, startBotClient } from './bot-client.ts';

/** The person whose private chat with the bot has this id. */
const TASHI = 42;

let bot: BotClient;
let group: Group;
let forum: Group;
let closedTopic: number;
let deletedTopic: number;
/** A text of the person, a text of the bot with a button, and a photo of the bot, all in the private chat. */
let asked: Message;
let own: Message;
let ownPhoto: Message;
/** A text of the person in the group, and another that replies to it. */
let inGroup: Message;
let answerInGroup: Message;
/** The id of a file of 21 MB. */
let hugeFile: string;

const RED_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

beforeAll(async () => {
  bot = await startBotClient();
  const { world } = bot.telegram;
  const tashi = world.addPerson({ firstName: 'Tashi', id: TASHI });
  group = world.addGroup({ title: 'Tea', members: [tashi], type: 'supergroup' });
  forum = world.addGroup({ title: 'Forum', members: [tashi], isForum: true });
  closedTopic = forum.createTopic('Closed');
  forum.closeTopic(closedTopic);
  deletedTopic = forum.createTopic('Deleted');
  forum.deleteTopic(deletedTopic);
  inGroup = tashi.send(group, { text: 'among us' });
  answerInGroup = tashi.send(group, { text: 'among us too', replyTo: inGroup });
  asked = tashi.send(tashi, { text: 'hello' });
  own = await bot.send({ chat_id: TASHI, text: 'own', reply_markup: button({ callback_data: 'a' }) });
  const { photo } = await tashi.sendPhoto(tashi, RED_PIXEL);
  ownPhoto = await bot.send({ chat_id: TASHI, photo: photo?.at(-1)?.file_id }, 'sendPhoto');
  const huge = { fileName: 'huge.pdf', mimeType: 'application/pdf', declaredSize: 21 * 1024 * 1024 };
  hugeFile = (await tashi.sendDocument(tashi, Buffer.from('%PDF'), huge)).document?.file_id ?? '';
  return () => bot.close();
});

/** An inline keyboard of one button with these fields beside its text. */
function button(fields: Record<string, unknown>): Record<string, unknown> {
  return keyboard([{ text: 'Press', ...fields }]);
}

/** What is tried, its parameters beside the usual ones, and what Telegram says. */
type Refusal = [what: string, parameters: object | (() => object), description: string];

/** The refusals of each method, with its usual parameters. */
function testRefusals(method: string, usual: object, refusals: Refusal[]): void {
  describe(method, () => {
    test.each(refusals)('%s is refused', async (_what, parameters, description) => {
      const given = typeof parameters === 'function' ? parameters() : parameters;
      expect(await bot.call(method, { ...usual, ...given })).toEqual({
        ok: false,
        error_code: 400,
        description: `Bad Request: ${description}`,
      });
    });
  });
}

testRefusals('sendMessage', { chat_id: TASHI, text: 'hi' }, [
  ['no chat', { chat_id: undefined }, 'chat_id is empty'],
  ['an unknown chat', { chat_id: 999 }, 'chat not found'],
  ['no text', { text: undefined }, 'message text is empty'],
  ['white space alone', { text: ' \n\t ' }, 'text must be non-empty'],
  ['tags around nothing', { text: '<b></b>', parse_mode: 'HTML' }, 'text must be non-empty'],
  ['4097 characters', { text: 'ཀ'.repeat(4097) }, 'message is too long'],
  ['2049 characters outside the BMP', { text: '𠀀'.repeat(2049) }, 'message is too long'],
  ['more than 32768 bytes', { text: 'ཀ'.repeat(10_923) }, 'text is too long'],
  ['an unknown parse mode', { parse_mode: 'BBCode' }, 'unsupported parse_mode'],
  [
    'reply parameters that are no JSON',
    { reply_parameters: '{' },
    "can't parse reply parameters JSON object",
  ],
  [
    'a reply to a message that is not there',
    { reply_parameters: { message_id: 9999 } },
    'message to be replied not found',
  ],
  [
    'an old-style reply to a message that is not there',
    { reply_to_message_id: 9999 },
    'message to be replied not found',
  ],
  [
    'a quote that is not in the message',
    () => ({ reply_parameters: { message_id: asked.message_id, quote: 'bye' } }),
    'QUOTE_TEXT_INVALID',
  ],
  ['an unknown topic', () => ({ chat_id: forum.id, message_thread_id: 9999 }), 'message thread not found'],
  [
    'a deleted topic',
    () => ({ chat_id: forum.id, message_thread_id: deletedTopic }),
    'message thread not found',
  ],
  ['a closed topic', () => ({ chat_id: forum.id, message_thread_id: closedTopic }), 'TOPIC_CLOSED'],
  [
    'a reply’s thread where there are no topics',
    () => ({ chat_id: group.id, message_thread_id: answerInGroup.message_thread_id }),
    'message thread is not a forum topic thread',
  ],
]);

const bold = (offset: number, length: number) => ({ entities: [{ type: 'bold', offset, length }] });

testRefusals('sendMessage', { chat_id: TASHI, text: '😀' }, [
  ['an entity before the text', bold(-1, 1), 'receive an entity with incorrect offset -1'],
  [
    'an entity that splits a symbol',
    bold(1, 1),
    'entity begins in a middle of a UTF-16 symbol at byte offset 4',
  ],
  ['an entity after the text', bold(5, 1), 'entity begins after the end of the text at UTF-16 offset 5'],
  [
    'an entity beyond the text',
    bold(0, 3),
    'entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 3',
  ],
  [
    'an entity of unknown type',
    { entities: [{ type: 'blink', offset: 0, length: 1 }] },
    "can't parse MessageEntity: Unsupported type specified",
  ],
]);

const NO_ACTION = "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";
const NO_ROWS = 'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays';
const NO_WORDS = 'can\'t parse inline keyboard button: Can\'t find field "text"';
const NO_STYLE = "can't parse inline keyboard button: invalid button style specified";
const NO_CHATS = "can't parse inline keyboard button: at least one chat type must be allowed";

describe('a keyboard of', () => {
  const keyboards: Array<[what: string, reply_markup: unknown, description: string]> = [
    ['65 bytes of callback data', button({ callback_data: 'x'.repeat(65) }), 'BUTTON_DATA_INVALID'],
    ['22 Tibetan letters of callback data', button({ callback_data: 'ཀ'.repeat(22) }), 'BUTTON_DATA_INVALID'],
    ['empty callback data', button({ callback_data: '' }), NO_ACTION],
    ['a button without an action', button({}), NO_ACTION],
    ['a button without text', keyboard([{ callback_data: 'a' }]), NO_WORDS],
    ['257 characters to copy', button({ copy_text: { text: 'ཀ'.repeat(257) } }), 'BUTTON_COPY_TEXT_INVALID'],
    ['nothing to copy', button({ copy_text: { text: '' } }), 'BUTTON_COPY_TEXT_INVALID'],
    ['a button of no known style', button({ callback_data: 'a', style: 'purple' }), NO_STYLE],
    ['a query for no kind of chat', button({ switch_inline_query_chosen_chat: { query: 'tea' } }), NO_CHATS],
    [
      '101 buttons',
      keyboard(...Array(101).fill([{ text: 'A', callback_data: 'a' }])),
      'reply markup is too long',
    ],
    ['no JSON', '{', "can't parse reply keyboard markup JSON object"],
    ['a row that is none', { inline_keyboard: [{ text: 'A' }] }, NO_ROWS],
  ];
  const refusals = keyboards.map(([what, reply_markup, words]): Refusal => [what, { reply_markup }, words]);
  testRefusals('sendMessage', { chat_id: TASHI, text: 'hi' }, refusals);
});

testRefusals('sendChatAction', { chat_id: TASHI, action: 'typing' }, [
  ['an unknown action', { action: 'dancing' }, 'wrong parameter action in request'],
  [
    'a deleted topic',
    () => ({ chat_id: forum.id, message_thread_id: deletedTopic }),
    'message thread not found',
  ],
]);

testRefusals('editMessageText', { chat_id: TASHI, text: 'new' }, [
  ['a message that is not there', { message_id: 9999 }, 'message to edit not found'],
  ['no message', {}, 'message identifier is not specified'],
  ['a person’s message', () => ({ message_id: asked.message_id }), "message can't be edited"],
  [
    'the same text and keyboard',
    () => ({ message_id: own.message_id, text: ' own ', reply_markup: button({ callback_data: 'a' }) }),
    'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
  ],
  ['a photo', () => ({ message_id: ownPhoto.message_id }), 'there is no text in the message to edit'],
]);

testRefusals('editMessageCaption', { chat_id: TASHI, caption: 'new' }, [
  ['a text', () => ({ message_id: own.message_id }), 'there is no caption in the message to edit'],
  [
    'a caption of 1025 characters',
    () => ({ message_id: ownPhoto.message_id, caption: 'ཀ'.repeat(1025) }),
    'message caption is too long',
  ],
]);

testRefusals('editMessageReplyMarkup', { chat_id: TASHI }, [
  [
    'an own message that is closed to edits',
    () => {
      bot.telegram.world.closeToEdits(ownPhoto);
      return { message_id: ownPhoto.message_id };
    },
    "message can't be edited",
  ],
]);

testRefusals('deleteMessage', { chat_id: TASHI }, [
  ['a message that is not there', { message_id: 9999 }, 'message to delete not found'],
  [
    'a person’s message in a group',
    () => ({ chat_id: group.id, message_id: inGroup.message_id }),
    "message can't be deleted",
  ],
]);

testRefusals('forwardMessage', { chat_id: TASHI, from_chat_id: TASHI }, [
  ['a message that is not there', { message_id: 9999 }, 'message to forward not found'],
]);

const TOO_OLD = 'query is too old and response timeout expired or query ID is invalid';
testRefusals('answerCallbackQuery', {}, [['an unknown query', { callback_query_id: '1' }, TOO_OLD]]);

const TEXT = { message_text: 'བོད་' };
const result = (more: object) => ({
  type: 'article',
  id: '1',
  title: 'T',
  input_message_content: TEXT,
  ...more,
});
const results = (...some: object[]) => ({ results: some.map(result) });

testRefusals('answerInlineQuery', { inline_query_id: '1' }, [
  ['an unknown query', results({}), TOO_OLD],
  ['51 results', results(...Array.from({ length: 51 }, (_, n) => ({ id: `${n}` }))), 'RESULTS_TOO_MUCH'],
  ['two results with one id', results({}, {}), 'RESULT_ID_DUPLICATE'],
  ['an id of 65 bytes', results({ id: 'x'.repeat(65) }), 'RESULT_ID_INVALID'],
  ['an empty id', results({ id: '' }), 'RESULT_ID_EMPTY'],
  ['an empty text', results({ input_message_content: { message_text: '' } }), 'message text is empty'],
  ['no title', results({ title: undefined }), 'can\'t parse inline query result: Can\'t find field "title"'],
  [
    'a voice note that Telegram does not have',
    { results: [{ type: 'voice', id: '2', title: 'V', voice_file_id: 'forgotten' }] },
    'wrong file identifier/HTTP URL specified',
  ],
  [
    'a kind that is not served here',
    results({ type: 'game' }),
    "can't parse inline query result: type is unsupported for the inline query result",
  ],
]);

testRefusals('setMessageReaction', { chat_id: TASHI }, [
  [
    'what is no emoji of Telegram',
    () => ({ message_id: asked.message_id, reaction: [{ type: 'emoji', emoji: 'A' }] }),
    'REACTION_INVALID',
  ],
]);

testRefusals('sendVoice', { chat_id: TASHI }, [
  ['an unknown file id', { voice: 'AwACAgUAAxkBAAI' }, 'wrong file identifier/HTTP URL specified'],
  ['no file', {}, 'there is no voice in the request'],
]);

testRefusals('sendDocument', { chat_id: TASHI }, [
  [
    'an attachment that is not attached',
    { document: 'attach://nothing' },
    'there is no document in the request',
  ],
  [
    'a photo',
    () => ({ document: ownPhoto.photo?.at(-1)?.file_id }),
    "can't use file of type Photo as Document",
  ],
]);

testRefusals('getFile', {}, [
  ['an unknown file', { file_id: 'AwACAgUAAxkBAAI' }, 'invalid file_id'],
  ['a file above 20 MB', () => ({ file_id: hugeFile }), 'file is too big'],
]);

const albumOf = (...types: string[]) => ({ media: types.map((type) => ({ type, media: 'x' })) });

testRefusals('sendMediaGroup', { chat_id: TASHI }, [
  ['nothing', albumOf(), 'there are no messages to send'],
  ['an album of 11', albumOf(...Array(11).fill('photo')), 'too many messages to send as an album'],
  ['a photo and a document', albumOf('photo', 'document'), "document can't be mixed with other media types"],
  ['songs and a video', albumOf('audio', 'video'), "audio can't be mixed with other media types"],
]);

const command = (name: string, description = 'x') => ({ commands: [{ command: name, description }] });

testRefusals('setMyCommands', { commands: [] }, [
  ['a command in Tibetan', command('བོད'), 'BOT_COMMAND_INVALID'],
  ['a command in capitals', command('Start'), 'BOT_COMMAND_INVALID'],
  ['a command of 33 letters', command('x'.repeat(33)), 'command length must not exceed 32'],
  ['no description', command('start', ''), 'command description must be non-empty'],
  [
    'a description of 257 characters',
    command('start', 'x'.repeat(257)),
    'command description length must not exceed 256',
  ],
  ['101 commands', { commands: Array(101).fill(command('x').commands[0]) }, 'BOT_COMMANDS_TOO_MUCH'],
  ['a language of three letters', { language_code: 'bod' }, 'invalid language code specified'],
  [
    'an unknown scope',
    { scope: { type: 'everyone' } },
    "can't parse BotCommandScope: Unsupported type specified",
  ],
]);

testRefusals('setWebhook', { url: 'https://bot.example/hook' }, [
  ['http', { url: 'http://bot.example' }, 'bad webhook: An HTTPS URL must be provided for webhook'],
  ['a secret with a space', { secret_token: 'a b' }, 'secret token contains unallowed characters'],
]);

testRefusals('leaveChat', { chat_id: TASHI }, [
  ['a private chat', {}, "chat member status can't be changed in private chats"],
]);
