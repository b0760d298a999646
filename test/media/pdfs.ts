/** PDFs made by hand, sound and hostile, for the tests and the samples of the sandbox. */
import { createHash } from 'node:crypto';
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
  readonly jpeg?: Picture;
  /** In points. */
  readonly size?: readonly [width: number, height: number];
  /** Content of its own, in place of the lines, or made of the operators that show them; `/I Do` draws the picture. */
  readonly content?: Buffer | ((lines: string) => string);
  /** Entries of the page: boxes, a turn. */
  readonly entries?: string;
  /** Entries of the page's resources. */
  readonly resources?: string;
  /** Its content is a form, with these entries. */
  readonly form?: string;
}

interface Picture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** How much of it shows, in 255ths. */
  readonly alpha?: number;
}

interface Options {
  /** What the tree of pages says of their number. */
  readonly count?: number;
  /** Encrypts the file (RC4 of 40 bits, as every reader knows it). */
  readonly password?: string;
}

const A4 = [595, 842] as const;

/** A whole file, with a cross-reference table. */
export function aPdf(pages: readonly Page[], { count = pages.length, password }: Options = {}): Buffer {
  const objects: Buffer[] = [];
  const add = (body: string | Buffer): number => objects.push(Buffer.from(body));
  const lock = password === undefined ? undefined : lockedWith(password);
  /** Of the object that is added next. */
  const stream = (plain: Buffer, entries = ''): Buffer => {
    const bytes = lock?.encrypt(plain, objects.length + 1) ?? plain;
    return Buffer.concat([
      Buffer.from(`<< /Length ${bytes.length} ${entries}>>\nstream\n`),
      bytes,
      Buffer.from('\nendstream'),
    ]);
  };
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
      entries = '',
      resources = '',
      form,
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
      const mask =
        jpeg?.alpha === undefined
          ? ''
          : `/SMask ${add(stream(Buffer.from([jpeg.alpha]), '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 '))} 0 R `;
      const image =
        jpeg === undefined
          ? undefined
          : add(
              stream(
                jpeg.bytes,
                `/Type /XObject /Subtype /Image /Width ${jpeg.width} /Height ${jpeg.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode ${mask}`,
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
      const bytes =
        typeof content === 'function'
          ? Buffer.from(content(shown.join('\n')), 'latin1')
          : (content ?? Buffer.from(`${drawn}${shown.join('\n')}${rule}`));
      const written = (what: Buffer, more = ''): number =>
        add(stream(deflateSync(what), `/Filter /FlateDecode ${more}`));
      const used = `/Font << /F ${pageFont} 0 R >> ${resources}`;
      const drawing = image === undefined ? '' : `/I ${image} 0 R`;
      const inForm =
        form === undefined
          ? undefined
          : written(
              bytes,
              `/Type /XObject /Subtype /Form ${form} /Resources << ${used} /XObject << ${drawing} >> >> `,
            );
      const xobject = inForm === undefined ? drawing : `/X ${inForm} 0 R`;
      const contents = inForm === undefined ? written(bytes) : written(Buffer.from('/X Do'));
      return add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] ${entries} /Resources << ${used} /XObject << ${xobject} >> >> /Contents ${contents} 0 R >>`,
      );
    },
  );
  objects[tree - 1] = Buffer.from(
    `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${count} >>`,
  );
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
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${lock?.trailer ?? ''}>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** PDF 1.7, 7.6.3: algorithms 1 to 4, revision 2. The owner's entry is any 32 bytes, since it is never opened as its owner. */
function lockedWith(password: string) {
  const padding = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
  const owner = Buffer.alloc(32, 0x3c);
  const md5 = (...parts: readonly Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
  const permissions = Buffer.from('fcffffff', 'hex');
  const padded = Buffer.concat([Buffer.from(password), padding]).subarray(0, 32);
  const key = md5(padded, owner, permissions, Buffer.from([0])).subarray(0, 5);
  const user = rc4(key, padding);
  return {
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P -4 >> /ID [<00> <00>] `,
    encrypt: (bytes: Buffer, object: number) =>
      rc4(md5(key, Buffer.from([object & 255, object >> 8, 0, 0, 0])).subarray(0, 10), bytes),
  };
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number): number => state[index & 255] ?? 0;
  const swap = (one: number, other: number): void => {
    [state[one & 255], state[other & 255]] = [at(other), at(one)];
  };
  let j = 0;
  for (let i = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  j = 0;
  return Buffer.from(
    bytes.map((byte, index) => {
      const i = index + 1;
      j = (j + at(i)) & 255;
      swap(i, j);
      return byte ^ at(at(i) + at(j));
    }),
  );
}

/** A page whose content unpacks to more than the memory of the process that opens it. */
export function aBomb(): Page {
  return { content: Buffer.alloc(150_000_000, '0 0 m 1 1 l S ') };
}
