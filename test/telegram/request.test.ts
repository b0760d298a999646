/** What an update asks for: it is parsed once, and everything after goes by that. */
import type { Message, Update, UserFromGetMe } from 'telegraf/types';
import { describe, expect, it } from 'vitest';
import { VOCABULARY } from '../../src/bot.ts';
import { matchCallback } from '../../src/telegram/request/callback.ts';
import { intentOf } from '../../src/telegram/request/intent.ts';
import { parseMessage } from '../../src/telegram/request/parsed-message.ts';
import { digestOf, requestOf } from '../../src/telegram/request/request.ts';

const me: UserFromGetMe = {
  ...{ id: 1, is_bot: true, first_name: 'Lotsawa', username: 'lotsawa_bot' },
  ...{ can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: true },
};
const known = { ...VOCABULARY, me };
const from = { id: 7, is_bot: false, first_name: 'Pema' };
const about = { message_id: 5, date: 1, from, chat: { id: 7, type: 'private', first_name: 'Pema' } } as const;
const photo = [{ file_id: 'f', file_unique_id: 'u', width: 9, height: 9 }];

/** The first word marked as a command, as a client does. */
function marked(text: string) {
  const [{ length } = ''] = /\S+/.exec(text) ?? [];
  return text.startsWith('/') ? [{ type: 'bot_command' as const, offset: 0, length }] : [];
}
const typed = (text: string): Message.TextMessage => ({ ...about, text, entities: marked(text) });
const captioned = (caption: string, message_id = 5): Message => {
  return { ...about, message_id, photo, caption, caption_entities: marked(caption) };
};
const intentIn = (message: Message, album: Message[] = [message]) =>
  intentOf(
    { update_id: 1, message: message as Update.MessageUpdate['message'] },
    album.map((one) => parseMessage(one, known)),
    known,
  );

describe('a message asks for', () => {
  it.each([
    [
      'a command',
      typed('/Speak  amdo བོད།'),
      { kind: 'command', command: { name: 'speak' }, payload: 'amdo བོད།' },
    ],
    [
      'a command by name',
      typed('/ocr@Lotsawa_bot zh'),
      { kind: 'command', command: { name: 'ocr' }, isByName: true },
    ],
    [
      "another bot's command",
      typed('/ocr@other_bot'),
      { kind: 'command', command: undefined, isByName: false },
    ],
    [
      'a command that there is not',
      typed('/nonsense'),
      { kind: 'command', command: undefined, isByName: false },
    ],
    ['a text', typed('བོད།'), { kind: 'text' }],
    ['pictures', captioned('བོད།'), { kind: 'files' }],
    [
      'a caption command',
      captioned('/chinese'),
      { kind: 'command', command: { name: 'chinese' }, payload: '', isAboutFile: true },
    ],
    ['pictures, by a command that is not about them', captioned('/settings'), { kind: 'files' }],
    ['a sticker', { ...about, dice: { emoji: '🎲', value: 1 } }, { kind: 'other' }],
    ['an upgrade', { ...about, migrate_from_chat_id: -3 }, { kind: 'upgrade', from: -3, to: 7 }],
  ])('%s', (_, message, expected) => {
    expect(intentIn(message)).toMatchObject(expected);
  });

  it('the first command of an album, whichever picture it stands under', () => {
    const album = [captioned(''), captioned('/ocr zh', 6), captioned('/speak', 7)];
    const [first = captioned('')] = album;
    const expected = { kind: 'command', command: { name: 'ocr' }, payload: 'zh', isAboutFile: true };
    expect(intentIn(first, album)).toMatchObject(expected);
  });
});

describe('an edit is', () => {
  const said = { ...about, text: '/dialect amdo', entities: marked('/dialect amdo') };
  const edited: Update = { update_id: 3, edited_message: { ...said, edit_date: 2 } };
  const editOf = (digest: string | undefined) => requestOf([edited], known, digest).edit;

  it('none where its message was not answered yet', () => {
    expect(editOf(undefined)).toBe('none');
  });

  it('idle where its message asks for the same', () => {
    expect(editOf(digestOf(requestOf([edited], known, undefined)))).toBe('idle');
    expect(editOf('something else')).toBe('changed');
  });
});

describe('the list of commands', () => {
  it('has each name once, as Telegram takes it', () => {
    const names = known.commands.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,32}$/);
  });

  it.each([
    ...[
      'speak:amdo',
      'speak:chinese:P2akA12-EqgE',
      'translate',
      'translate:P2ak',
      'read:tibetan',
      'read:chinese:x1',
    ],
    ...[
      'dialect:amdo',
      'dialect:amdo:-5',
      'voice:yunjian',
      'reading:tibetan:7',
      'lang:zh',
      'start:bo',
      'sample',
    ],
    ...['set:7:voice:yunjian', 'forget:-5', 'again:12:7', 'cancel:7'],
  ])('has one button for %s', (data) => {
    expect(known.callbacks.filter((callback) => matchCallback(data, [callback]) !== undefined)).toHaveLength(
      1,
    );
  });
});
