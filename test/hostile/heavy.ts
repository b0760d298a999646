/** Texts and files that take a careless program long: small to send, within every limit, and free. */
import { aDocx, paragraph } from '../media/docxes.ts';

/** As large as a text may be, in bytes. */
const MAX_BYTES = 1024 * 1024;
const TIMES = '00:00:01,000 --> 00:00:02,000';

/** One part over and over, up to so many bytes of UTF-8. */
export function filled(part: string, bytes = MAX_BYTES - 100): string {
  return part.repeat(Math.floor(bytes / Buffer.byteLength(part)));
}

/** White space between two letters. */
const apart = (space: string, count: number): string => `ཀ${space.repeat(count)}ཀ`;

function cues(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}\n${TIMES}\nབཀྲ་ཤིས།\n`).join('\n');
}

export interface HeavyFile {
  readonly fileName: string;
  readonly bytes: Buffer;
  readonly caption?: string;
}

const text = (words: string, caption?: string): HeavyFile => ({
  fileName: 'a.txt',
  bytes: Buffer.from(words),
  ...(caption === undefined ? {} : { caption }),
});
const word = (body: string): HeavyFile => ({ fileName: 'a.docx', bytes: aDocx(body) });
const film = (words: string): HeavyFile => ({ fileName: 'a.srt', bytes: Buffer.from(words) });

/** Each is made when it is sent. */
export const HEAVY_FILES: Readonly<Record<string, () => HeavyFile>> = {
  'a Word file with 40,000 spaces': () => word(paragraph(apart(' ', 40_000))),
  'a Word file with 900,000 spaces': () => word(paragraph(apart(' ', 900_000))),
  'a Word file with 500,000 paragraphs': () => word('<w:p><w:r><w:t>ཀ</w:t></w:r></w:p>'.repeat(250_000)),
  'a text of line breaks': () => text(apart('\n', 900_000)),
  'a text of wide spaces': () => text(apart('\u3000', 300_000)),
  'a text of short lines': () => text(filled('བཀྲ་ཤིས\n')),
  'a text of one letter': () => text(filled('ཀ')),
  'a text of Chinese on one line': () => text(filled('今天天气很好，我们去看书。')),
  'a text of flags': () => text(`བོད་${filled('🇨🇳')}`),
  'a text in Wylie, into Chinese': () => text(filled('bkra shis bde legs/\n'), '/chinese'),
  'a text of links, spoken': () => text(`བོད་ཡིག་ ${filled('https://a.cn/བོད། ')}`, '/speak'),
  'subtitles with one cue': () => film(`1\n${TIMES}\n${filled('བཀྲ་ཤིས\n')}`),
  'subtitles with 15,000 cues': () => film(cues(15_000)),
};

/** The parts of a paste as long as nobody makes one: 1.2 MB in 300 messages. */
export function heavyPaste(): string[] {
  return Array.from({ length: 300 }, (_, index) => filled(`བཀྲ་ཤིས་བདེ་ལེགས། ${index} `, 20_000).slice(0, 4090));
}
