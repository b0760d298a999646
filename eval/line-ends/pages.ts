/** Pages of known texts: Chromium sets them as books, folios, newspapers, chats and verse, and they are photographed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Language } from '../../sandbox/service/engines.ts';
import { launchChromium } from '../../sandbox/test/page/chromium.ts';
import type { Dice, Text } from './texts.ts';

const require = createRequire(import.meta.url);

export type Kind = 'book' | 'folio' | 'newspaper' | 'chat' | 'verse';

/** A line as it is printed; pixels of the picture. */
export interface PrintedLine {
  readonly text: string;
  /** Its break is meant, not made by the width. */
  readonly isEnd: boolean;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface Page {
  readonly kind: Kind;
  readonly language: Language;
  readonly jpeg: Buffer;
  readonly lines: readonly PrintedLine[];
}

/** Pixels of the picture for one of the layout. */
const SCALE = 2;

/** How a kind of page is set; lengths in pixels of the layout. */
interface Layout {
  readonly width: number;
  readonly size: number;
  readonly lineHeight: number;
  /** Lines to a page, or to a column of it. */
  readonly lines: number;
  readonly columns: number;
  readonly css: string;
}

/** A layout of this kind; every page has another width. */
function layoutOf(kind: Kind, { language }: Text, dice: Dice): Layout {
  const isChinese = language === 'zh';
  const size = dice.between(isChinese ? 17 : 19, isChinese ? 23 : 26);
  const lineHeight = isChinese ? 1.6 : 1.9;
  const aligned = dice.of(['text-align: justify', 'text-align: left']);
  const paragraph = dice.of(
    isChinese
      ? ['p { text-indent: 2em }', 'p { text-indent: 2em }', 'p { margin-bottom: 1em }']
      : ['p { text-indent: 1.5em }', 'p { margin-bottom: 0.8em }', 'p { }'],
  );
  const common = { size, lineHeight, columns: 1, css: `${paragraph} p { ${aligned} }` };
  switch (kind) {
    case 'book':
      return { ...common, width: dice.between(380, 680), lines: dice.between(18, 28) };
    case 'folio':
      return {
        ...common,
        width: dice.between(1100, 1500),
        lines: dice.between(6, 8),
        css: 'p { text-align: justify }',
      };
    case 'newspaper': {
      const width = size * dice.between(isChinese ? 11 : 12, isChinese ? 16 : 19);
      const css = `${isChinese ? 'p { text-indent: 2em }' : 'p { text-indent: 1.5em }'} p { text-align: justify }`;
      return { ...common, width, lines: dice.between(16, 24), columns: 2, css };
    }
    case 'chat':
      return {
        ...common,
        width: 460,
        lines: dice.between(16, 24),
        css: `p { width: fit-content; max-width: ${dice.between(290, 380)}px; padding: 6px 14px; margin: 0 0 12px; background: #eef3f7; border-radius: 12px }
          p.other { margin-left: auto; background: #dff3d4 }`,
      };
    case 'verse':
      return {
        ...common,
        width: 640,
        lines: dice.between(16, 24),
        css: dice.of(['', 'p { text-align: center }', 'p { margin-left: 60px }']),
      };
  }
}

const laidOut = z.array(
  z.object({
    text: z.string(),
    isEnd: z.boolean(),
    isAfterGap: z.boolean(),
    isOther: z.boolean(),
    baseline: z.number(),
    left: z.number(),
    right: z.number(),
  }),
);
type LaidOutLine = z.infer<typeof laidOut>[number];

/** Runs in the page: finds the lines that the browser has made. An empty box at the start of each paragraph marks its baseline. */
const LINES_IN_PAGE = `[...document.querySelectorAll('p')].flatMap((p) => {
  const node = p.lastChild;
  const baseline = p.firstChild.getBoundingClientRect().bottom;
  const range = document.createRange();
  const lines = [];
  let top;
  for (const { segment, index } of new Intl.Segmenter('bo').segment(node.data)) {
    range.setStart(node, index);
    range.setEnd(node, index + segment.length);
    const rect = range.getClientRects()[0];
    if (rect === undefined) continue;
    const line = lines.at(-1);
    top ??= rect.top;
    if (line === undefined || rect.top - top - (line.baseline - baseline) > rect.height / 2) {
      lines.push({ text: segment, isEnd: false, isAfterGap: lines.length === 0 && p.previousSibling?.nodeName === 'HR',
        isOther: p.className.includes('other'), baseline: baseline + rect.top - top, left: rect.left, right: rect.right });
    } else {
      line.text += segment;
      if (segment.trim() !== '') line.right = Math.max(line.right, rect.right);
    }
  }
  if (lines.length > 0) lines.at(-1).isEnd = true;
  return lines;
})`;

/** From the baseline to the top and the bottom of the print, in font sizes. */
const INK = { bo: { above: 0.75, below: 0.55 }, zh: { above: 0.85, below: 0.1 } } as const;

interface Press {
  /** The text as pages of this kind, each cut out of a long one as a page is: it may begin and end within a paragraph. */
  print(text: Text, kind: Kind, dice: Dice): Promise<Page[]>;
  close(): Promise<void>;
}

/** Starts a browser. */
export async function startPress(): Promise<Press> {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  const browser = await launchChromium();
  const page = await browser.newPage({ deviceScaleFactor: SCALE });

  const set = async (body: string, { language }: Text, layout: Layout): Promise<LaidOutLine[]> => {
    const file = join(folder, 'page.html');
    writeFileSync(file, html(body, language, layout));
    await page.goto(pathToFileURL(file).href);
    await page.evaluate('document.fonts.ready');
    return laidOut.parse(await page.evaluate(LINES_IN_PAGE));
  };

  return {
    async print(text, kind, dice) {
      const layout = layoutOf(kind, text, dice);
      const size = { width: (layout.width + MARGIN) * layout.columns + MARGIN, height: 800 };
      await page.setViewportSize(size);
      // A folio has no paragraphs.
      const units = kind === 'folio' ? [text.units.join(' ')] : text.units;
      const all = await set(column(units.map(paragraphOf(kind))), text, layout);
      const pages: Page[] = [];
      const ofPage = layout.lines * layout.columns;
      // The first lines and the last are left out: no page of a long text has its beginning and its end.
      for (let start = 3; start + ofPage < all.length; start += ofPage) {
        const ofColumns = Array.from({ length: layout.columns }, (_, index) =>
          all.slice(start + index * layout.lines, start + (index + 1) * layout.lines),
        );
        const printed = await set(
          ofColumns.map((lines) => column(paragraphsOf(lines))).join(''),
          text,
          layout,
        );
        const jpeg = await page.screenshot({ type: 'jpeg', quality: 80, fullPage: true });
        const cut = ofColumns.flat();
        // The browser must have broken it as before, otherwise it is no page of this text.
        if (printed.length !== cut.length || printed.some((line, index) => line.text !== cut[index]?.text))
          continue;
        const { above, below } = INK[text.language];
        const lines = printed.map(({ text, baseline, left, right }, index) => ({
          text,
          isEnd: cut[index]?.isEnd === true,
          top: (baseline - above * layout.size) * SCALE,
          bottom: (baseline + below * layout.size) * SCALE,
          left: left * SCALE,
          right: right * SCALE,
        }));
        pages.push({ kind, language: text.language, jpeg, lines });
      }
      return pages;
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Around the text, in pixels of the layout. */
const MARGIN = 40;

/** A paragraph, or the space between stanzas. */
function paragraphOf(kind: Kind) {
  return (unit: string, index: number): string =>
    unit === ''
      ? '<hr>'
      : `<p class="${kind === 'chat' && index % 3 === 1 ? 'other' : ''}"><i></i>${escaped(unit)}</p>`;
}

/** Lines in their paragraphs, the first and the last of which may be cut. */
function paragraphsOf(lines: readonly LaidOutLine[]): string[] {
  const paragraphs: string[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = lines.findIndex(({ isEnd }, index) => index >= start && isEnd);
    const ofParagraph = lines.slice(start, end < 0 ? undefined : end + 1);
    const names = [
      ...(lines[start]?.isOther ? ['other'] : []),
      ...(start === 0 && !lines[0]?.isAfterGap ? ['goes-on'] : []),
      ...(end < 0 ? ['is-cut'] : []),
    ];
    if (start > 0 && lines[start]?.isAfterGap) paragraphs.push('<hr>');
    const text = ofParagraph.map((line) => line.text).join('');
    paragraphs.push(`<p class="${names.join(' ')}"><i></i>${escaped(text)}</p>`);
    start += ofParagraph.length;
  }
  return paragraphs;
}

function column(paragraphs: readonly string[]): string {
  return `<div>${paragraphs.join('')}</div>`;
}

function html(body: string, language: Language, { width, size, lineHeight, css }: Layout): string {
  const sheet = (path: string): string => pathToFileURL(require.resolve(path)).href;
  const fonts = [
    sheet('@fontsource-variable/noto-sans-sc/index.css'),
    sheet('@fontsource/noto-serif-tibetan/index.css'),
  ];
  const families = ["'Noto Serif Tibetan'", "'Noto Sans SC Variable'"];
  const family = (language === 'zh' ? families.reverse() : families).join(', ');
  return `<!doctype html><html lang="${language}"><meta charset="utf-8">${fonts.map((font) => `<link rel="stylesheet" href="${font}">`).join('')}
    <style>* { margin: 0; box-sizing: border-box } body { display: flex; gap: ${MARGIN}px; padding: ${MARGIN}px; background: #fdfaf1; color: #222;
    font: ${size}px/${lineHeight} ${family} } div { width: ${width}px } hr { border: 0; height: 1em } i { display: inline-block } ${css}
    p.goes-on { text-indent: 0 } p.is-cut { text-align-last: justify }</style><body>${body}</body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
