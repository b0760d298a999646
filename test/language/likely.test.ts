import { describe, expect, test } from 'vitest';
import { isLikelyText } from '../../src/language/reading/likely.ts';

describe('a reading is believed', () => {
  test.each([
    ['of Tibetan', 'བཀྲ་ཤིས་བདེ་ལེགས།\nདེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག'],
    ['of Chinese', '今天天气很好。'],
    ['half Tibetan, half Chinese', 'བོད་ཡིག་དང་ 今天天气很好欢迎来到'],
    ['in the other script than asked for', '西藏自治区'],
    ['of three letters', 'བོད'],
    ['of a sign', '出口'],
    ['with ornaments', '★ བོད ★\nཡིག'],
    ['of a line of markup', '*今天* _a_ `b` [c](https://t.me/d) ||e|| ~f~ \\\\.'],
    ['of a bill', 'གོང་ཚད། 1200.00 1300.00 ¥1400.00\nཚོང་ཁང་། 2,300.00'],
    [
      'of a page of figures, slightly misread',
      '2024-05-01 1,250.00 3,400.50\n2024-05-02 980.00 12.75\n1]0[3| 2,230.00',
    ],
    ['beside some English', '藏语 Tibetan lesson 3: 你好 tashi delek'],
  ])('%s', (_, reading) => {
    expect(isLikelyText(reading)).toBe(true);
  });
});

// As Tesseract read them, and one from a report.
describe('a reading is not believed', () => {
  test.each([
    ['of Chinese as Tibetan', '##9242180]1926ཿ'],
    ['of a Chinese letter as Tibetan', '##9242801]1926ཿ.\n÷3#53=7#ཿ%.\n£4:117:792.\n༡1'],
    [
      'of a Chinese newspaper as Tibetan',
      '་མཆ་ད་ཁྔ7\n;61333136018ཿ9ཧཿ[#6 >©\nཿ | ཌ་བ\n#  /་/་ནེི\n[9ཧོཛར > ཆ་ཆ་བ་ཁཿགོ\n{015 1995, ལཊ་\n©=] 1996 8703\n#‡¿ ཧོཿ ={]%2། ླཱཿ ‰ 1919',
    ],
    ['of Tibetan as Chinese', 'univeian\n2ralsaraqleruq aasnl\n-池丨 0\nn 吴'],
    [
      'of a pecha as Chinese',
      'FR\nSss| Iaqsrasqqlai Realsazrqgsruaqiasq] KSxran Qq 司 c gx&a| a\n哄 wuqirasql',
    ],
    ['of English as Tibetan', '][° [༽€ཿ°ཿ[|10 [€90|75 ཞ།[ [€ 0 6€|066\n|) [6 [)3|| 0[ [6 56[300|.'],
    ['of English as Chinese', 'The meeting begins at ten 0 clock'],
    ['of a face', 'ཿ .'],
  ])('%s', (_, reading) => {
    expect(isLikelyText(reading)).toBe(false);
  });
});
