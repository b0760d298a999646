import { describe, expect, test } from 'vitest';
import { isOnlyLinks, spokenText } from '../../src/language/spoken-text.ts';

describe('spokenText leaves out', () => {
  test.each([
    ['a link', '看 https://a.cn/b?c=d 谢谢', '看 谢谢'],
    ['a link on a line of its own', 'རྒྱལ།\n\nhttps://a.cn/b\n\nབོད།', 'རྒྱལ།\n\nབོད།'],
    ['a name in Latin letters, also without a space', '你好@lotsawa_bot再见', '你好 再见'],
    ['a name in any script', '@卓玛 你来吗？', '你来吗？'],
    ['an address', 'a.b@c.cn 你好', '你好'],
    ['a tag', 'བདེ། #བོད་ཡིག', 'བདེ།'],
    ['emoji of several parts', '你好👨‍👩‍👧🇨🇳👍🏽❤️', '你好'],
    ['the frame of a number, not the number', '1️⃣ 准备 2️⃣ 材料', '1 准备 2 材料'],
  ])('%s', async (_, text, spoken) => {
    expect(await spokenText(text)).toBe(spoken);
  });

  test.each(['你好  世界', 'ཨོཾ༔ ༄༅། །\n\n\n ① ཀ', '5@3元', 'C#语言'])('nothing of %j', async (text) => {
    expect(await spokenText(text)).toBe(text);
  });
});

test.each([
  ['https://a.cn @a_name #西藏', true],
  ['hello https://a.cn', false],
  ['👍', false],
  ['', false],
])('isOnlyLinks of %j is %s', async (text, isOnly) => {
  expect(await isOnlyLinks(text)).toBe(isOnly);
});
