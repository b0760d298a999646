/** What a failed call to Telegram means, by its words, and what is done about it, as tables. */
import { TelegramError } from 'telegraf';
import { expect, it } from 'vitest';
import {
  forbidsKind,
  forbidsVoice,
  isNotModified,
  isUnreachable,
  outcomeOfEdit,
  remedy,
  retryDelayMs,
} from '../../src/telegram/api/api-errors.ts';
import { NetworkError } from '../../src/telegram/api/transport.ts';

function refusal(error_code: number, description: string, parameters = {}): TelegramError {
  return new TelegramError({ error_code, description, parameters });
}
const badRequest = (description: string) => refusal(400, `Bad Request: ${description}`);

const UPGRADED = refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
  migrate_to_chat_id: -1005,
});
const FLOOD = refusal(429, 'Too Many Requests: retry after 4', { retry_after: 4 });
const LONG_FLOOD = refusal(429, 'Too Many Requests: retry after 121', { retry_after: 121 });
const BAD_GATEWAY = refusal(502, 'Bad Gateway');
const BAD_REQUEST = badRequest('chat not found');
const BLOCKED = refusal(403, 'Forbidden: bot was blocked by the user');
const SAME = badRequest('message is not modified: specified new message content is the same');
const NETWORK = new NetworkError('ECONNREFUSED', false);
const SILENCE = new NetworkError('TIMEOUT', true);
const OWN_MISTAKE = new TypeError('x is not a function');

const MEANINGS = {
  unreachable: isUnreachable,
  'no voice': forbidsVoice,
  'no files': forbidsKind,
  same: isNotModified,
};

it.each([
  [badRequest('not enough rights to send text messages to the chat'), ['unreachable']],
  [badRequest('not enough rights to send voice notes to the chat'), ['no voice', 'no files']],
  [badRequest('not enough rights to send documents to the chat'), ['no voice', 'no files']],
  [refusal(403, 'Forbidden: CHAT_SEND_PLAIN_FORBIDDEN'), ['unreachable']],
  [refusal(403, 'Forbidden: CHAT_SEND_VOICES_FORBIDDEN'), ['no voice', 'no files']],
  [refusal(403, 'Forbidden: CHAT_SEND_DOCS_FORBIDDEN'), ['no voice', 'no files']],
  [badRequest('VOICE_MESSAGES_FORBIDDEN'), ['no voice']],
  [badRequest('TOPIC_CLOSED'), ['unreachable']],
  [BLOCKED, ['unreachable']],
  [SAME, ['same']],
  [UPGRADED, []],
  [badRequest("message can't be edited"), []],
  [NETWORK, []],
])('%s means %j', (error, expected) => {
  const meanings = Object.entries(MEANINGS).filter(([, isMeant]) => isMeant(error));
  expect(meanings.map(([name]) => name)).toEqual(expected);
});

it.each([
  [SAME, 'edited'],
  [badRequest('message to edit not found'), 'deleted'],
  [badRequest('MESSAGE_ID_INVALID'), 'deleted'],
  [badRequest("message can't be edited"), 'refused'],
  [UPGRADED, 'refused'],
])('an edit that ends with %s is %s', async (error, outcome) => {
  expect(await outcomeOfEdit(Promise.reject(error))).toBe(outcome);
  await expect(outcomeOfEdit(Promise.reject(BLOCKED))).rejects.toBe(BLOCKED);
});

it.each([
  ['sendMessage', NETWORK, 1, 300],
  ['sendMessage', NETWORK, 2, 600],
  // It may have arrived: whether it is sent once more is the answer's to decide.
  ['sendMessage', SILENCE, 1, undefined],
  ['editMessageText', SILENCE, 1, 300],
  ['editMessageText', SILENCE, 2, undefined],
  ['sendMessage', BAD_GATEWAY, 3, 1200],
  ['sendMessage', BAD_GATEWAY, 4, 2400],
  ['sendMessage', BAD_GATEWAY, 5, undefined],
  ['sendVoice', FLOOD, 1, 4300],
  ['sendVoice', LONG_FLOOD, 1, undefined],
  ['sendMessage', BAD_REQUEST, 1, undefined],
  ['sendMessage', refusal(401, 'Unauthorized'), 1, undefined],
  ['sendMessage', BLOCKED, 1, undefined],
  ['sendMessage', OWN_MISTAKE, 1, undefined],
  ['sendChatAction', NETWORK, 1, undefined],
  ['sendChatAction', FLOOD, 1, undefined],
  ['getUpdates', BAD_GATEWAY, 1, undefined],
])('%s after %o at attempt %i is repeated after %s ms', (method, error, attempt, ms) => {
  expect(retryDelayMs(method, error, attempt, 0.5)).toBe(ms);
});

it('a wait is spread by a quarter, never below Telegram’s', () => {
  expect(retryDelayMs('sendMessage', NETWORK, 1, 0)).toBe(225);
  expect(retryDelayMs('sendMessage', NETWORK, 1, 1)).toBe(375);
  expect(retryDelayMs('sendMessage', FLOOD, 1, 0)).toBeGreaterThanOrEqual(4000);
});

const HERE = { chat_id: -5 };
const REPLY = { reply_parameters: { message_id: 3 } };
const BUTTONS = { reply_markup: { inline_keyboard: [] } };
type Remedied = [error: unknown, payload: object, expected: object | undefined];

it.each<Remedied>([
  [UPGRADED, { ...HERE, text: 'x' }, { chat_id: -1005, text: 'x' }],
  [UPGRADED, { chat_id: -1005 }, undefined],
  [UPGRADED, { file_id: 'x' }, undefined],
  // In the new chat a message's number is another one's.
  [UPGRADED, { ...HERE, message_id: 7 }, undefined],
  [UPGRADED, { ...HERE, ...REPLY }, { chat_id: -1005 }],
  // Elsewhere nobody would know what it answers.
  ...['message thread not found', 'TOPIC_CLOSED', 'TOPIC_DELETED'].map(
    (words): Remedied => [badRequest(words), { ...HERE, message_thread_id: 9, ...REPLY }, undefined],
  ),
  ...[
    'BUTTON_TYPE_INVALID',
    'Text buttons are unallowed in the inline keyboard',
    "can't parse reply keyboard markup JSON object",
  ].map((words): Remedied => [badRequest(words), { ...HERE, ...BUTTONS }, HERE]),
  [SAME, { ...HERE, ...BUTTONS }, undefined],
  ...[BAD_REQUEST, BAD_GATEWAY, FLOOD, NETWORK, 'a string', undefined].map(
    (error): Remedied => [error, { ...HERE, message_thread_id: 9 }, undefined],
  ),
])('after %s, in the place of %j is sent %j', (error, payload, expected) => {
  const remedied = remedy(error, payload);
  expect(remedied).toEqual(expected);
  // None is tried twice, and none at the fifth attempt: whoever sends a call on and on gets an end.
  if (remedied !== undefined) expect(remedy(error, remedied)).toBeUndefined();
  expect(remedy(error, payload, 5)).toBeUndefined();
});
