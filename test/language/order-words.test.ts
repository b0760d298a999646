/** Words that mean a command. */
import { expect, it } from 'vitest';
import { orderIn } from '../../src/language/order-words.ts';

it.each([
  ['translate', 'translate', ''],
  ['Translate!', 'translate', ''],
  ['please translate this', 'translate', ''],
  ['翻译', 'translate', ''],
  ['请帮我翻译一下', 'translate', ''],
  ['སྒྱུར', 'translate', ''],
  ['སྒྱུར་རོགས།', 'translate', ''],
  ['འདི་ཡིག་སྒྱུར་གནང་རོགས', 'translate', ''],
  ['translate into Chinese', 'chinese', ''],
  ['翻译成藏文', 'tibetan', ''],
  ['རྒྱ་ཡིག་ཏུ་སྒྱུར་རོགས།', 'chinese', ''],
  ['Translate Tibetan', 'translate', 'Tibetan'],
  ['translate 3-12', 'translate', '3-12'],
  ['speak', 'speak', ''],
  ['speak amdo', 'speak', 'amdo'],
  ['speak slow', 'speak', 'slow'],
  ['朗读', 'speak', ''],
  ['用安多话朗读', 'speak', '用安多话'],
  ['ཀློག་འདོན།', 'speak', ''],
  ['ཨ་མདོའི་སྐད་ལ་ཀློག་འདོན་བྱེད་རོགས', 'speak', 'ཨ་མདོའི་སྐད་ལ'],
])('%j is /%s %j', (words, name, payload) => {
  for (const mayHaveText of [false, true]) expect(orderIn(words, mayHaveText)).toEqual({ name, payload });
});

it.each([
  ['', 'an empty text'],
  ['translated from German', 'another word'],
  ['翻译官的一天', 'another word'],
  ['སྒྱུར་བ་པོའི་མིང་།', 'another word'],
  ['a good speaker', 'another word'],
  ['what does this say?', 'another question'],
  ['བཀྲ་ཤིས་བདེ་ལེགས།', 'a text'],
])('%j is none', (words) => {
  for (const mayHaveText of [false, true]) expect(orderIn(words, mayHaveText)).toBeUndefined();
});

it('a text may follow beside a mention, and not in a caption', () => {
  const text = '今天天气很好。';
  expect(orderIn(`translate ${text}`, true)).toEqual({ name: 'translate', payload: text });
  expect(orderIn(`朗读：${text}`, true)).toEqual({ name: 'speak', payload: text });
  expect(orderIn(`speak amdo ${text}`, true)).toEqual({ name: 'speak', payload: `amdo ${text}` });
  expect(orderIn(`translate ${text}`, false)).toBeUndefined();
});
