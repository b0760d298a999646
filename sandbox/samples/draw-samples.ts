/** Draws the samples that are pages: `node sandbox/samples/draw-samples.ts`, on a machine with Debian's chromium. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { CHINESE_SAMPLE, TIBETAN_SAMPLE } from './samples.ts';

const require = createRequire(import.meta.url);

/** Prose of the phrasebook, as a page of a book has it: its lines are broken by the width alone. */
const TIBETAN = TIBETAN_SAMPLE.text.replaceAll('\n', ' ');
const CHINESE = CHINESE_SAMPLE.text.replaceAll('\n', '');

/** The faces of a package of fonts, with their files within them. */
function fonts(path: string): string {
  const { resolve } = createRequire(require.resolve(path));
  return readFileSync(require.resolve(path), 'utf8').replace(
    /url\((\.\/[^)]+\.woff2)\)/g,
    (_, file) => `url(data:font/woff2;base64,${readFileSync(resolve(file)).toString('base64')})`,
  );
}

async function draw(): Promise<void> {
  const FONTS = [
    '@fontsource/noto-serif-tibetan/tibetan-400.css',
    '@fontsource-variable/noto-sans-sc/index.css',
  ];
  const BASE = `${FONTS.map(fonts).join('')} * { margin: 0; box-sizing: border-box }
    body { font-family: 'Noto Serif Tibetan', 'Noto Sans SC Variable'; line-height: 1.7; background: #fdfaf1 }`;
  const again = (text: string, times: number): string => Array(times).fill(text).join(' ');

  const PECHA = `<style>${BASE} body { width: 1500px; height: 330px; padding: 34px 70px; font-size: 32px; text-align: justify }
    div { border: 2px solid #a33; padding: 6px 26px; height: 100% }</style><div>༄༅། །${again(TIBETAN, 4)}</div>`;
  const NEWSPAPER = `<style>${BASE} body { width: 360px; padding: 30px; font-size: 24px } h1 { font-size: 36px } p { text-align: justify }</style>
    <h1>今天天气很好</h1><p>${CHINESE.repeat(6)}</p>`;

  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage();
  const place = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

  /** A photo of this page, as small as it stays legible. */
  async function photo(html: string, name: string): Promise<string> {
    await page.setContent(html);
    await page.evaluate('document.fonts.ready');
    const jpeg = await page.locator('body').screenshot({ type: 'jpeg', quality: 60 });
    writeFileSync(place(name), jpeg);
    return `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  }

  await page.setViewportSize({ width: 1500, height: 330 });
  const pecha = await photo(PECHA, 'pecha.jpg');
  await page.setViewportSize({ width: 360, height: 600 });
  const newspaper = await photo(NEWSPAPER, 'newspaper.jpg');
  await page.setContent(`<style>${BASE} @page { size: A5; margin: 0 } section { height: 100vh; padding: 20mm; break-after: page; font-size: 16pt } img { max-width: 100%; max-height: 100% }</style>
    <section>${TIBETAN_SAMPLE.text.replaceAll('\n', '<br>')}</section><section><img src="${pecha}"></section><section><img src="${newspaper}"></section>`);
  await page.evaluate('document.fonts.ready');
  writeFileSync(place('three-pages.pdf'), await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  await browser.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await draw();
