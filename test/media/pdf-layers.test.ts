/** What of a page's text layer is taken as the page's: what its reader sees, as the reader sees it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type PdfPage, PdfReader } from '../../src/media/document/pdf.ts';
import { aJpeg } from '../pictures.ts';
import { aPdf, type Page } from './pdfs.ts';

const LIMITS = { bytes: 7_500_000, minSide: 15, maxSide: 8192 };
const RECOGNISED = Symbol('recognised');
/** On A4 the first stands at a height of 792 points, each other 16 lower; a letter is 5 points wide. */
const LINES = ['སློབ་མ་རྣམས་ཀྱིས་', 'དཔེ་ཆ་ལྟ་བཞིན་', 'གནས་སྐབས་དེ་ལ་', 'བཀྲ་ཤིས་བདེ་ལེགས་'];
const [FIRST = '', SECOND = ''] = LINES;
const TWO = [FIRST, SECOND];
const ALL = TWO.join('\n');
const picture = { bytes: await aJpeg(), width: 320, height: 200 };
const COVERED = 'q 595 0 0 842 0 0 cm /I Do Q';

/** Reads all pages at once: to open a PDF takes a process. */
async function layersOf(pages: readonly Page[]): Promise<readonly PdfPage[]> {
  const caller = { person: 'Pema', signal: new AbortController().signal };
  return (await new PdfReader(LIMITS).inspect(aPdf(pages), {}, caller)).pages;
}

function itReads(cases: Readonly<Record<string, readonly [Page, unknown]>>): void {
  let pages: readonly PdfPage[] = [];
  beforeAll(async () => {
    pages = await layersOf(Object.values(cases).map(([page]) => page));
  });
  it.each(Object.entries(cases).map(([name, [, right]], index) => ({ name, right, index })))(
    '$name',
    ({ right, index }) => {
      expect(pages[index]?.text).toEqual(right === RECOGNISED ? undefined : right);
    },
  );
}

const content = (drawn: (lines: string) => string, more: Page = {}): Page => ({
  lines: TWO,
  content: drawn,
  ...more,
});

describe('letters outside of what a page shows are none of its letters:', () => {
  itReads({
    'a crop box with the upper part': [{ lines: TWO, entries: '/CropBox [0 784 595 842]' }, FIRST],
    'a crop box with the lower part': [{ lines: TWO, entries: '/CropBox [0 0 595 784]' }, SECOND],
    'a crop box larger than the sheet': [{ lines: TWO, entries: '/CropBox [-50 -50 700 900]' }, ALL],
    'a crop box on a page that is turned': [
      { lines: TWO, entries: '/Rotate 90 /CropBox [0 784 595 842]' },
      FIRST,
    ],
    'a crop box with its corners the other way round': [
      { lines: TWO, entries: '/CropBox [595 842 0 784]' },
      FIRST,
    ],
    'a sheet that ends above them': [{ lines: TWO, entries: '/MediaBox [0 784 595 842]' }, FIRST],
    'a sheet whose corner is not at 0': [
      content((lines) => `1 0 0 1 0 -800 cm ${lines}`, { entries: '/MediaBox [0 -16 595 42]' }),
      FIRST,
    ],
    'a trim box, which is for printers only': [{ lines: TWO, entries: '/TrimBox [0 784 595 842]' }, ALL],
    'a clip': [content((lines) => `q 0 784 595 58 re W n ${lines} Q`), FIRST],
    'a clip in a clip': [content((lines) => `q 0 700 595 142 re W n 0 784 595 58 re W* n ${lines} Q`), FIRST],
    'a clip with many corners': [
      content((lines) => `q 0 784 m 300 842 l 595 784 l 595 842 l 0 842 l h W n ${lines} Q`),
      FIRST,
    ],
    'a clip that ended before them': [
      content((lines) => `q 0 784 595 58 re W n 0 0 9 9 re f Q ${lines}`),
      ALL,
    ],
    'the box of a form': [{ lines: TWO, form: '/BBox [0 784 595 842]' }, FIRST],
    'the box of a form that is moved': [
      { lines: TWO, form: '/BBox [0 784 595 842] /Matrix [1 0 0 1 0 -9]' },
      FIRST,
    ],
    'a form that is moved off the sheet': [
      { lines: TWO, form: '/BBox [0 0 595 842] /Matrix [1 0 0 1 0 50]' },
      SECOND,
    ],
    'a line that runs off the sheet': [{ lines: TWO, entries: '/CropBox [0 0 95 842]' }, 'སློབ་མ་རྣ\nདཔེ་ཆ་ལྟ་'],
  });
});

describe('letters that nobody sees have the page recognised, unless they are few:', () => {
  itReads({
    'under a picture': [content((lines) => `${lines} ${COVERED}`, { jpeg: picture }), RECOGNISED],
    'under a picture in a form': [
      content((lines) => `${lines} ${COVERED}`, { jpeg: picture, form: '/BBox [0 0 595 842]' }),
      RECOGNISED,
    ],
    'under a picture in the content': [
      content((lines) => `${lines} q 595 0 0 842 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q`),
      RECOGNISED,
    ],
    'one of two under a picture': [
      content((lines) => `${lines} q 595 0 0 20 0 770 cm /I Do Q`, { jpeg: picture }),
      RECOGNISED,
    ],
    'one of two under a turned picture': [
      content((lines) => `${lines} q 0 20 -595 0 595 770 cm /I Do Q`, { jpeg: picture }),
      RECOGNISED,
    ],
    white: [content((lines) => `1 g ${lines}`), RECOGNISED],
    'nearly white': [content((lines) => `0.98 1 0.97 rg ${lines}`), RECOGNISED],
    'white, as printers write it': [content((lines) => `0 0 0 0 k ${lines}`), RECOGNISED],
    'white, and white around': [
      content((lines) => `1 g 1 G ${lines.replaceAll('0 Tr', '2 Tr')}`),
      RECOGNISED,
    ],
    'of the colour of the box under them': [
      content((lines) => `0 0 1 rg 0 700 595 142 re f ${lines}`),
      RECOGNISED,
    ],
    'under a white box': [content((lines) => `${lines} 1 g 0 700 595 142 re f`), RECOGNISED],
    'under a black box drawn as lines': [
      content((lines) => `${lines} 0 700 m 595 700 l 595 842 l 0 842 l h f`),
      RECOGNISED,
    ],
    'of no ink': [
      content((lines) => `/N gs ${lines}`, { resources: '/ExtGState << /N << /ca 0 >> >>' }),
      RECOGNISED,
    ],
    'that only clip': [content((lines) => lines.replaceAll('0 Tr', '7 Tr')), RECOGNISED],
    invisible: [{ lines: TWO, isInvisible: true }, RECOGNISED],
    'one of four white': [
      { lines: LINES, content: (lines) => lines.replace('BT', '1 g BT').replace('ET', 'ET 0 g') },
      LINES.slice(1).join('\n'),
    ],
    'one of four under a box': [
      { lines: LINES, content: (lines) => `${lines} 1 g 0 784 595 58 re f` },
      LINES.slice(1).join('\n'),
    ],
    'one of four invisible on a picture': [
      {
        lines: LINES,
        jpeg: picture,
        content: (lines) => `q 595 0 0 58 0 784 cm /I Do Q ${lines.replace('0 Tr', '3 Tr')}`,
      },
      RECOGNISED,
    ],
  });
});

describe('letters that are seen are taken:', () => {
  itReads({
    'on a picture': [
      {
        lines: LINES.concat(
          LINES.map((line) => `ཡང་${line}`),
          LINES.map((line) => `གཞན་${line}`),
        ),
        jpeg: picture,
        content: (lines) => `q 595 0 0 200 0 642 cm /I Do Q ${lines}`,
      },
      LINES.concat(
        LINES.map((line) => `ཡང་${line}`),
        LINES.map((line) => `གཞན་${line}`),
      ).join('\n'),
    ],
    'white on black': [content((lines) => `0 700 595 142 re f 1 g ${lines}`), ALL],
    'white on a shape that is no box': [
      content((lines) => `0 600 m 300 1000 l 595 600 l f 1 g ${lines}`),
      ALL,
    ],
    'white on a picture': [
      content((lines) => `q 595 0 0 190 0 652 cm /I Do Q 1 g ${lines}`, { jpeg: picture }),
      ALL,
    ],
    'white with a black edge': [content((lines) => `1 g 0 G ${lines.replaceAll('0 Tr', '2 Tr')}`), ALL],
    'light grey': [content((lines) => `0.8 g ${lines}`), ALL],
    'under a water mark': [
      content((lines) => `${lines} q 595 0 0 200 0 642 cm /I Do Q`, { jpeg: { ...picture, alpha: 20 } }),
      ALL,
    ],
    'under a faint box': [
      content((lines) => `${lines} /N gs 1 0 0 rg 0 700 595 142 re f`, {
        resources: '/ExtGState << /N << /ca 0.3 >> >>',
      }),
      ALL,
    ],
    'under a mark that darkens': [
      content((lines) => `${lines} /N gs 1 1 0 rg 0 700 595 142 re f`, {
        resources: '/ExtGState << /N << /BM /Multiply >> >>',
      }),
      ALL,
    ],
    'under a frame': [content((lines) => `${lines} 0 700 595 142 re S`), ALL],
    'beside a picture drawn later': [
      content((lines) => `${lines} q 500 0 0 150 0 0 cm /I Do Q`, { jpeg: picture }),
      ALL,
    ],
    'under a box that a clip keeps away': [
      content((lines) => `${lines} 0 0 595 99 re W n 1 g 0 0 595 842 re f`),
      ALL,
    ],
    'behind the corner of a picture that stands askew': [
      content((lines) => `${lines} q 300 300 -300 300 500 500 cm /I Do Q`, { jpeg: picture }),
      ALL,
    ],
  });
});

describe('letters drawn twice are taken once:', () => {
  /** PDFium notices a repetition among a few lines by itself. */
  const MANY = Array.from({ length: 20 }, (_, line) => `${LINES[line % LINES.length]}${line}`);
  const all = MANY.join('\n');
  const many = (drawn: (lines: string) => string, more: Page = {}) =>
    content(drawn, { lines: MANY, ...more });
  const twice = (move: string, more: Page = {}) => many((lines) => `${lines} q ${move} ${lines} Q`, more);
  itReads({
    'line by line': [
      many((lines) => lines.replaceAll(/BT.*ET/gu, (line) => `${line} q 1 0 0 1 .3 0 cm ${line} Q`)),
      all,
    ],
    'page by page, a little to the right': [twice('1 0 0 1 .3 0 cm'), all],
    'page by page, a little lower': [twice('1 0 0 1 0 -.4 cm'), all],
    'page by page, in place': [twice(''), all],
    'with an edge': [many((lines) => `${lines} ${lines.replaceAll('0 Tr', '1 Tr')}`), all],
    'with a shadow': [many((lines) => `0.7 g q 1 0 0 1 .4 -.4 cm ${lines} Q 0 g ${lines}`), all],
    'three times': [many((lines) => `${lines} q 1 0 0 1 .2 0 cm ${lines} 1 0 0 1 .2 0 cm ${lines} Q`), all],
    'larger letters': [
      many((lines) => `q 2 0 0 2 0 -842 cm ${lines} 1 0 0 1 .3 0 cm ${lines} Q`),
      MANY.join('\n'),
    ],
    'in a form': [twice('1 0 0 1 .3 0 cm', { form: '/BBox [0 0 595 842]' }), all],
    'in a form that is moved': [
      twice('1 0 0 1 .3 0 cm', { form: '/BBox [0 0 595 842] /Matrix [1 0 0 1 9 -9]' }),
      all,
    ],
    'but not the same line twice on a page': [
      { lines: [...MANY, ...MANY.slice(0, 4)] },
      [...MANY, ...MANY.slice(0, 4)].join('\n'),
    ],
    'but not one column beside another': [twice('1 0 0 1 250 0 cm'), `${all}\n${all}`],
  });
});

const layer = (text: string, right: unknown = text) => [{ lines: text.split('\n') }, right] as const;

describe('spaces behind tshegs', () => {
  const SPACED = 'མཁའ་ འགྲོ་ གསང་ བ་ ཡེ་ ཤེས་';
  const PLAIN = 'མཁའ་འགྲོ་གསང་བ་ཡེ་ཤེས་';
  const MEANT = 'བཀྲ་ཤིས་ བདེ་ལེགས་';
  itReads({
    'of a line go': layer(SPACED, PLAIN),
    'that are two go': layer(SPACED.replaceAll(' ', '  '), PLAIN),
    'that are of another kind go': layer(SPACED.replaceAll(' ', '\u00A0'), PLAIN),
    'that are ideographic go': layer(SPACED.replaceAll(' ', '\u3000'), PLAIN),
    'behind tshegs that do not break go': layer(SPACED.replaceAll('་', '༌'), PLAIN.replaceAll('་', '༌')),
    'of all but the last syllables go': layer(`${SPACED} བདེ་ལེགས་`, `${PLAIN}བདེ་ལེགས་`),
    'of a few lines go there alone': layer(
      `${PLAIN}ཀ\n${PLAIN}ཁ\n${SPACED}\n${MEANT}`,
      `${PLAIN}ཀ\n${PLAIN}ཁ\n${PLAIN}\n${MEANT}`,
    ),
    'of a page go in its short lines, too': layer(`${SPACED}\nམཁའ་ འགྲོ་`, `${PLAIN}\nམཁའ་འགྲོ་`),
    'go where spaces behind shads stay': layer(`${SPACED}། ${SPACED}།`, `${PLAIN}། ${PLAIN}།`),
    'before a shad stay': layer(`${SPACED} །`, `${PLAIN} །`),
    'before figures and other scripts stay': layer(
      `${SPACED} ༢༠༢༦ ${SPACED} 2026`,
      `${PLAIN} ༢༠༢༦ ${PLAIN} 2026`,
    ),
    'here and there stay': layer(`${MEANT}ཕུན་སུམ་ཚོགས་ ཤོག`),
    'that are only two stay': layer('ཀ་ ཁ་ ག'),
  });
});

describe('a layer that lost its letters has the page recognised:', () => {
  const VERSE = ['བདེ་གཤེགས་ཆོས་ཀྱི་སྐུ་མངའ་སྲས། །', 'བཅས་དང་ཕྱག་འོས་ཀུན་ལའང་གུས། །', 'ཕྱག་འཚལ་བདེ་གཤེགས་སྲས་ཀྱི་ནི། །'];
  itReads({
    'shads between few letters': layer('བ། །ད། །ན། །ས། །ར། །ལ། །', RECOGNISED),
    'shads between few letters, line by line': layer('བ།\n།\nད།\n།\nས།\n།\nར།\nབོད།\n།\nམ།', RECOGNISED),
    'shads of other shapes': layer('བ༑ ད༎ ས༏ ར༐ ལ༑ མ༎', RECOGNISED),
    'two syllables of three': layer('བོད་ཡིག། སློབ། དེབ་ཆུང། དཔེ། ལས་ཀ། ཆོས།', RECOGNISED),
    'glyphs without a meaning': [{ lines: [`${VERSE[0]}\u0000\u0000`] }, RECOGNISED],
    'but not verse': layer(VERSE.join('\n')),
    'but not verse in one line': layer(VERSE.join('')),
    'but not a title': layer('༄༅། །རིག་འཛིན་གསང་སྒྲུབ་བཞུགས་སོ། །'),
    'but not a mantra': layer('ༀ་མ་ཎི་པདྨེ་ཧཱུྃ༔ །།'),
    'but not one word': layer('བོད།'),
    'but not a numbered list': layer(Array.from({ length: 9 }, (_, at) => `${at + 1}། དཔེ་ཆ་ལྟ་བ།`).join('\n')),
    'but not prose': layer(
      Array.from({ length: 9 }, (_, at) => `བོད་ཀྱི་སྐད་ཡིག་ནི་རྒྱལ་ཁབ་${at}མང་པོར་སྤྱོད་བཞིན་ཡོད། `.trim()).join('\n'),
    ),
  });
});
