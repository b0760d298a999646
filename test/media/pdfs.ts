/** PDFs made by hand, sound and hostile, for the tests and the samples of the sandbox. */
import { deflateSync } from 'node:zlib';

/** A page of text, as Unicode that fonts map to, and of a JPEG that fills it. */
export interface Page {
  /** Lines of the text layer. */
  readonly lines?: readonly string[];
  /** Without it the text layer's codes mean nothing: a font from before Unicode. */
  readonly isLegacy?: boolean;
  /** The name of a font whose characters are Latin letters; `lines` are written in it. */
  readonly font?: string;
  /** Whether the lines are there only to be searched and copied, as programs put them over a scan. */
  readonly isInvisible?: boolean;
  /** Whether the page's content is turned by a right angle. */
  readonly isTurned?: boolean;
  readonly jpeg?: { readonly bytes: Buffer; readonly width: number; readonly height: number };
  /** In points. */
  readonly size?: readonly [width: number, height: number];
  /** Content of its own, in place of the lines. */
  readonly content?: Buffer;
}

interface Options {
  /** What the tree of pages says of their number. */
  readonly count?: number;
  /** Entries of the trailer. */
  readonly trailer?: string;
  readonly extra?: readonly string[];
}

const A4 = [595, 842] as const;

/** A whole file, with a cross-reference table. */
export function aPdf(
  pages: readonly Page[],
  { count = pages.length, trailer = '', extra = [] }: Options = {},
): Buffer {
  const objects: Buffer[] = [];
  const add = (body: string | Buffer): number => objects.push(Buffer.from(body));
  const stream = (bytes: Buffer, entries = ''): Buffer =>
    Buffer.concat([
      Buffer.from(`<< /Length ${bytes.length} ${entries}>>\nstream\n`),
      bytes,
      Buffer.from('\nendstream'),
    ]);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  const tree = add('');
  const kids = pages.map(
    ({
      lines = [],
      isLegacy = false,
      font,
      isTurned = false,
      isInvisible = false,
      jpeg,
      size = A4,
      content,
    }) => {
      const [width, height] = size;
      const letters = [...new Set(lines.join(''))];
      const codeOf = (letter: string) => (letters.indexOf(letter) + 1).toString(16).padStart(4, '0');
      const unicode = (letter: string) =>
        Buffer.from(letter, 'utf16le').swap16().toString('hex').padStart(4, '0');
      const map = letters.map((letter) => `<${codeOf(letter)}> <${isLegacy ? '0041' : unicode(letter)}>`);
      const chunks = Array.from({ length: Math.ceil(map.length / 100) }, (_, at) =>
        map.slice(at * 100, at * 100 + 100),
      );
      const cmap = add(
        stream(
          Buffer.from(
            [
              '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def',
              '1 begincodespacerange <0000> <ffff> endcodespacerange',
              ...chunks.map((chunk) => `${chunk.length} beginbfchar\n${chunk.join('\n')}\nendbfchar`),
              'endcmap end end',
            ].join('\n'),
          ),
        ),
      );
      const descendant = add(
        '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /U /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 >>',
      );
      const unicodeFont = `<< /Type /Font /Subtype /Type0 /BaseFont /U /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${cmap} 0 R >>`;
      const latinFont = `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`;
      const pageFont = add(font === undefined ? unicodeFont : latinFont);
      const image =
        jpeg === undefined
          ? undefined
          : add(
              stream(
                jpeg.bytes,
                `/Type /XObject /Subtype /Image /Width ${jpeg.width} /Height ${jpeg.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode `,
              ),
            );
      const drawn = image === undefined ? '' : `q ${width} 0 0 ${height} 0 0 cm /I Do Q\n`;
      const shown = lines.map((line, index) => {
        const codes =
          font === undefined ? [...line].map(codeOf).join('') : Buffer.from(line, 'latin1').toString('hex');
        const y = height - 50 - index * 16;
        const place = isTurned ? `0 10 -10 0 ${height - y} 50` : `10 0 0 10 50 ${y}`;
        return `BT /F 1 Tf ${isInvisible ? 3 : 0} Tr ${place} Tm <${codes}> Tj ET`;
      });
      // PDFium draws no letters of fonts that are not in the file: a rule stands for them.
      const rule = lines.length > 0 ? '\n50 40 m 500 40 l S' : '';
      const bytes = content ?? Buffer.from(`${drawn}${shown.join('\n')}${rule}`);
      const contents = add(stream(deflateSync(bytes), '/Filter /FlateDecode '));
      const xobject = image === undefined ? '' : `/XObject << /I ${image} 0 R >>`;
      return add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /Font << /F ${pageFont} 0 R >> ${xobject} >> /Contents ${contents} 0 R >>`,
      );
    },
  );
  objects[tree - 1] = Buffer.from(
    `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${count} >>`,
  );
  for (const body of extra) add(body);
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, body] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    offsets.push(at);
    parts.push(whole);
    at += whole.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** One that wants a password, which nobody knows. */
export function anEncryptedPdf(): Buffer {
  const noise = (byte: string) => byte.repeat(32);
  return aPdf([{ lines: ['བོད།'] }], {
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${noise('3c')}> /U <${noise('a7')}> /P -4 >> /ID [<00> <00>] `,
  });
}

/** What unpacks to this many bytes of content, packed over and over. */
export function aBomb(bytes: number): Buffer {
  return aPdf([{ content: Buffer.alloc(bytes, '0 0 m 1 1 l S ') }]);
}

/** A page of many pictures that stand in its content, each of which has to be unpacked to know where it ends: minutes to open. */
export function aPageSlowToOpen(): Page {
  const packed = deflateSync(Buffer.alloc(16_000_000));
  const picture = Buffer.concat([
    Buffer.from('BI /W 4000 /H 4000 /BPC 8 /CS /G /F /Fl ID '),
    packed,
    Buffer.from(' EI\n'),
  ]);
  return { content: Buffer.concat(Array.from({ length: 4000 }, () => picture)) };
}
