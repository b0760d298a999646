/** The words of a message, without what only addresses the bot. */
import fc from 'fast-check';
import type { UserFromGetMe } from 'telegraf/types';
import { describe, expect, it } from 'vitest';
import { VOCABULARY } from '../../src/bot.ts';
import { asRemark, textWithoutHeadings, voiceCaption } from '../../src/telegram/request/additions.ts';
import { parseMessage } from '../../src/telegram/request/parsed-message.ts';

const me: UserFromGetMe = {
  id: 1,
  is_bot: true,
  first_name: 'Lotsawa',
  username: 'lotsawa_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: true,
};
const parsed = (message: object) =>
  parseMessage({ ...message, message_id: undefined }, { ...VOCABULARY, me });
const MENTION = '@lotsawa_bot';

/** A message as Telegram makes it: offsets and lengths in UTF-16 code units. */
function written(text: string, key: 'entities' | 'caption_entities' = 'entities') {
  const entities = [...text.matchAll(/@\w+/g)].map(({ index, 0: found }) => ({
    type: 'mention' as const,
    offset: index,
    length: found.length,
  }));
  return key === 'entities' ? { text, entities } : { caption: text, caption_entities: entities };
}

describe('the mention of the bot is taken out', () => {
  it.each([
    [`${MENTION} བོད།`, 'བོད།'],
    [`བོད། ${MENTION}`, 'བོད།'],
    [`😀👩‍👩‍👧 ${MENTION} བོད།`, '😀👩‍👩‍👧  བོད།'],
    ['@Lotsawa_Bot བོད།', 'བོད།'],
    [`${MENTION} ${MENTION} བོད།`, 'བོད།'],
    [MENTION, ''],
    ['@pema བོད།', '@pema བོད།'],
    ['@lotsawa_botanist བོད།', '@lotsawa_botanist བོད།'],
  ])('of %j remains %j', (text, rest) => {
    expect(parsed(written(text)).textWithoutMention).toBe(rest);
    expect(parsed(written(text, 'caption_entities')).textWithoutMention).toBe(rest);
  });
});

it('of the texts of an album the remarks among them are left out', () => {
  const remark = asRemark('No text.');
  const without = (...parts: string[]) => textWithoutHeadings({ text: parts.join('\n\n') });
  expect(without('1.\nབོད།', `2.\n${remark}`, '3.\nལྷ་ས།')).toBe('1.\nབོད།\n\n3.\nལྷ་ས།');
  expect(without(`1.\n${remark}`, `2.\n${remark}`, '3.\nལྷ་ས།')).toBe('3.\nལྷ་ས།');
  expect(without('1.\nབོད།', `2.\n${remark}`, `3.\n${remark}`)).toBe('1.\nབོད།');
  expect(without(`1.\n${remark}`)).toBe('');
  expect(without('⚠️ 注意', '1. ⚠️ 小心')).toBe('⚠️ 注意\n\n1. ⚠️ 小心');
});

describe('the text under a voice note is found again', () => {
  it('whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(textWithoutHeadings({ caption: voiceCaption('Amdo', text) })).toBe(text);
      }),
    );
  });

  it('also below the reason why it came as a file', () => {
    const caption = `You forbid voice messages.\n\n${voiceCaption('ཨ་མདོ', 'བོད།\n\nལྷ་ས།')}`;
    expect(textWithoutHeadings({ caption })).toBe('བོད།\n\nལྷ་ས།');
  });

  it('and a text that is none stays whole', () => {
    expect(textWithoutHeadings({ text: 'བོད།\n\nལྷ་ས།' })).toBe('བོད།\n\nལྷ་ས།');
    expect(textWithoutHeadings({ text: 'one\ntwo\n\n🔊 three\nfour' })).toBe('one\ntwo\n\n🔊 three\nfour');
  });
});
