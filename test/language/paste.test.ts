/** A text that an app has cut is put together as it was. */
import { describe, expect, it } from 'vitest';
import { inMessages } from '../../sandbox/telegram/person-text.ts';
import { pasted, TELEGRAM_LIMIT } from '../../src/language/split.ts';

const times = (sentence: (number: number) => string, separator: string) =>
  Array.from({ length: 900 }, (_, number) => sentence(number)).join(separator);
const tibetan = (number: number) => `བཀྲ་ཤིས་བདེ་ལེགས་ཨང་${number}།`;
const TEXTS = {
  'Tibetan sentences': times(tibetan, ' '),
  'Tibetan verse, a line each': times(tibetan, '\n'),
  'Chinese sentences': times((number) => `今天天气很好，第${number}天。`, ''),
  'English sentences': times((number) => `It is day ${number} today.`, ' '),
  'lines of English': times((number) => `line ${number}`, '\n'),
};

describe.each(Object.entries(TEXTS))('%s', (_, text) => {
  it('cut where an app finds a good place', () => {
    const parts = inMessages(text);
    expect(parts.length).toBeGreaterThan(1);
    expect(pasted(parts)).toBe(text);
  });

  it('cut wherever a message is full, but for white space that was lost there', () => {
    const parts: string[] = [];
    for (let at = 0; at < text.length; at += TELEGRAM_LIMIT) parts.push(text.slice(at, at + TELEGRAM_LIMIT));
    expect(pasted(parts)).toBe(text);
  });
});

it('paragraphs stay apart', () => {
  const text = Array.from({ length: 60 }, (_, number) => tibetan(number).repeat(8)).join('\n\n');
  expect(pasted(inMessages(text))).toBe(text);
});
