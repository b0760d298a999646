/** Where an update waits: whose lane, which album, which press. */
import type { UserFromGetMe } from 'telegraf/types';
import { expect, it } from 'vitest';
import { VOCABULARY } from '../../src/bot.ts';
import { createLog } from '../../src/log.ts';
import { receive } from '../../src/telegram/intake/take-in.ts';

const me: UserFromGetMe = {
  ...{ id: 1, is_bot: true, first_name: 'Lotsawa', username: 'lotsawa_bot' },
  ...{ can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: true },
};
const log = createLog('fatal');
const queuedBy = (body: unknown) => receive(body, { ...VOCABULARY, me, log })?.queued;

const from = { id: 7, is_bot: false, first_name: 'Pema' };
const chat = { id: 7, type: 'private' };
const group = { id: -9, type: 'supergroup' };
const message = { message_id: 1, date: 1, chat, from, text: 'x' };
const ANONYMOUS = { id: 1_087_968_824, is_bot: true, first_name: 'Group' };
const CHANNEL_POSTER = { id: 777_000, is_bot: false, first_name: 'Telegram' };
const COPY = {
  is_automatic_forward: true,
  forward_origin: { type: 'channel', chat: { id: -8, type: 'channel' }, message_id: 3, date: 1 },
};

it.each([
  ['a private message', { message }, { lane: '7' }],
  ["a person's message in a group", { message: { ...message, chat: group } }, { lane: '7' }],
  [
    'a message of an anonymous admin',
    { message: { ...message, chat: group, from: ANONYMOUS } },
    { lane: '-9' },
  ],
  [
    'a post of a linked channel',
    { message: { ...message, chat: group, from: CHANNEL_POSTER } },
    { lane: '-9' },
  ],
  [
    "the copy of a channel's post in its discussion group",
    { message: { ...message, chat: group, from: CHANNEL_POSTER, ...COPY } },
    { lane: '-8' },
  ],
  ['a message of nobody', { message: { message_id: 1, date: 1, chat: group } }, { lane: '-9' }],
  ['a part of an album', { message: { ...message, media_group_id: '55' } }, { lane: '7', album: '7:55' }],
  [
    'a part of one in a group',
    { message: { ...message, chat: group, media_group_id: '55' } },
    { lane: '7', album: '-9:55' },
  ],
  [
    'a press',
    { callback_query: { id: '1', from, message: { ...message, chat: group }, data: 'translate' } },
    { lane: '7', once: '7:-9:1:translate' },
  ],
  [
    'a change of the bot’s membership',
    {
      my_chat_member: {
        chat: group,
        from,
        date: 1,
        old_chat_member: { status: 'left' },
        new_chat_member: { status: 'member' },
      },
    },
    { lane: '-9' },
  ],
  ['an upgrade', { message: { ...message, chat: group, migrate_from_chat_id: -3 } }, { lane: '-9' }],
  ['a message with parts not known yet', { message: { ...message, something_new: 1 } }, { lane: '7' }],
])('%s', (_, content, expected) => {
  const body = { update_id: 5, ...content };
  const queued = queuedBy(body);
  expect({ lane: queued?.lane, album: queued?.album, once: queued?.once }).toEqual({
    album: undefined,
    once: undefined,
    ...expected,
  });
  expect(queued?.body).toEqual(body);
});

it.each([
  ['a press under an inline message', { callback_query: { id: '1', from, data: 'x' } }],
  ['a press without data', { callback_query: { id: '1', from, message } }],
  ['a kind that was not asked for', { business_message: message }],
  ['a kind not known yet', { something_new: { whatever: 1 } }],
  ['an inline query', { inline_query: { id: '1', from, query: 'x', offset: '' } }],
  ['a message of another shape', { message: { ...message, message_id: 'one' } }],
  ['a message with an id that no number holds', { message: { ...message, message_id: 2 ** 60 } }],
  ['a message whose text is no text', { message: { ...message, text: 5 } }],
])('%s is not queued', (_, content) => {
  expect(queuedBy({ update_id: 5, ...content })).toBeUndefined();
});

it('an edit is the same message again, in the same lane', () => {
  const copy = { ...message, chat: group, ...COPY };
  for (const [one, lane] of [
    [message, '7'],
    [copy, '-8'],
  ] as const)
    expect(queuedBy({ update_id: 5, edited_message: one })).toMatchObject({
      lane,
      asksElse: expect.any(Function),
      body: { update_id: 5, message: one },
    });
});

it('what is queued holds nothing that cannot be written down, and its offsets still count', () => {
  const queued = queuedBy({ update_id: 5, message: { ...message, text: 'a\0b\ud800c😀' } });
  expect(queued?.body).toEqual({ update_id: 5, message: { ...message, text: 'a�b�c😀' } });
});
