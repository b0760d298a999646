/** What is done about a failed call to Telegram, as a table. */
import { TelegramError } from 'telegraf';
import { describe, expect, it } from 'vitest';
import { remedy, retryDelayMs } from '../../src/telegram/api/api-errors.ts';
import { NetworkError } from '../../src/telegram/api/transport.ts';

function refusal(error_code: number, description: string, parameters = {}): TelegramError {
  return new TelegramError({ error_code, description, parameters });
}

const UPGRADED = refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
  migrate_to_chat_id: -1005,
});
const FLOOD = refusal(429, 'Too Many Requests: retry after 4', { retry_after: 4 });
const LONG_FLOOD = refusal(429, 'Too Many Requests: retry after 121', { retry_after: 121 });
const BAD_GATEWAY = refusal(502, 'Bad Gateway');
const BAD_REQUEST = refusal(400, 'Bad Request: chat not found');
const NETWORK = new NetworkError('ECONNREFUSED');
const SILENCE = new NetworkError('TIMEOUT');
const OWN_MISTAKE = new TypeError('x is not a function');

describe('how long to wait before a call is repeated', () => {
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
    ['sendMessage', refusal(403, 'Forbidden: bot was blocked by the user'), 1, undefined],
    ['sendMessage', OWN_MISTAKE, 1, undefined],
    ['sendChatAction', NETWORK, 1, undefined],
    ['sendChatAction', FLOOD, 1, undefined],
    ['getUpdates', BAD_GATEWAY, 1, undefined],
  ])('%s after %o at attempt %i: %s ms', (method, error, attempt, ms) => {
    expect(retryDelayMs(method, error, attempt, 0.5)).toBe(ms);
  });

  it('is spread by a quarter to each side, and never shorter than Telegram asks', () => {
    expect(retryDelayMs('sendMessage', NETWORK, 1, 0)).toBe(225);
    expect(retryDelayMs('sendMessage', NETWORK, 1, 1)).toBe(375);
    expect(retryDelayMs('sendMessage', FLOOD, 1, 0)).toBeGreaterThanOrEqual(4000);
  });
});

describe('the remedy', () => {
  const reply = { reply_parameters: { message_id: 3 } };

  it('for an upgraded group is its new id', () => {
    expect(remedy(UPGRADED, { chat_id: -5, text: 'x' })).toEqual({ chat_id: -1005, text: 'x' });
  });

  it('for an upgraded group is no remedy twice, nor where there is no chat', () => {
    expect(remedy(UPGRADED, { chat_id: -1005 })).toBeUndefined();
    expect(remedy(UPGRADED, { file_id: 'x' })).toBeUndefined();
  });

  it.each([
    'Bad Request: message thread not found',
    'Bad Request: TOPIC_CLOSED',
    'Bad Request: TOPIC_DELETED',
  ])('for "%s" is none: elsewhere nobody would know what it answers', (description) => {
    const payload = { chat_id: -5, message_thread_id: 9, ...reply };
    expect(remedy(refusal(400, description), payload)).toBeUndefined();
  });

  it('for an upgraded group is none where a message is meant: its number is another one’s there', () => {
    expect(remedy(UPGRADED, { chat_id: -5, message_id: 7 })).toBeUndefined();
  });

  it('for an upgraded group leaves the reply: its number is another one’s there, too', () => {
    expect(remedy(UPGRADED, { chat_id: -5, ...reply })).toEqual({ chat_id: -1005 });
  });

  it.each([
    'Bad Request: message to be replied not found',
    'Bad Request: replied message not found',
    'Bad Request: reply message not found',
    'Bad Request: REPLY_MESSAGE_ID_INVALID',
  ])('for "%s" is no reply', (description) => {
    const remedied = remedy(refusal(400, description), { chat_id: -5, ...reply });
    expect(remedied).toEqual({ chat_id: -5 });
    expect(remedy(refusal(400, description), remedied ?? {})).toBeUndefined();
  });

  it.each([
    'Bad Request: BUTTON_TYPE_INVALID',
    'Bad Request: Text buttons are unallowed in the inline keyboard',
    "Bad Request: can't parse reply keyboard markup JSON object",
  ])('for "%s" is no buttons', (description) => {
    const remedied = remedy(refusal(400, description), {
      chat_id: -5,
      reply_markup: { inline_keyboard: [] },
    });
    expect(remedied).toEqual({ chat_id: -5 });
    expect(remedy(refusal(400, description), remedied ?? {})).toBeUndefined();
  });

  it('for what is the same already is none: its buttons stay', () => {
    const same =
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';
    const payload = { chat_id: -5, reply_markup: { inline_keyboard: [] } };
    expect(remedy(refusal(400, same), payload)).toBeUndefined();
  });

  it('is none at the fifth attempt: whoever sends a call on and on gets an end', () => {
    expect(remedy(UPGRADED, { chat_id: -5 }, 5)).toBeUndefined();
  });

  it.each([BAD_REQUEST, BAD_GATEWAY, FLOOD, NETWORK, 'a string', undefined])('for %o is none', (error) => {
    expect(remedy(error, { chat_id: -5, message_thread_id: 9 })).toBeUndefined();
  });
});
