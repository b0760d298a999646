/** Word documents, as small as they may be. */
import { strToU8, zipSync } from 'fflate';

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const KINDS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const NAMESPACES = [
  `xmlns:w="${WORD}"`,
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
].join(' ');

/** A run of words, with these properties. */
export const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text.replaceAll(/[&<>]/g, (sign) => ESCAPED[sign] ?? sign)}</w:t></w:r>`;

export const paragraph = (text: string, properties = '<w:pStyle w:val="Normal"/>'): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`;

/** A part of a document, as the XML of its root element. */
export const part = (name: string, xml: string): string => `<w:${name} ${NAMESPACES}>${xml}</w:${name}>`;

const relations = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships xmlns="${RELATIONS}">${Object.entries(targets)
    .map(([kind, target]) => `<Relationship Id="${kind}" Type="${KINDS}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** A document with this XML as its body, beside a picture and these parts (`footnotes` …). */
export function aDocx(body: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  return zipped(`<?xml version="1.0"?>${part('document', `<w:body>${body}</w:body>`)}`, { parts });
}

/** The same with its main part as it is. */
export function zipped(
  xml: string | Uint8Array,
  {
    parts = {},
    main = 'word/document.xml',
  }: { readonly parts?: Readonly<Record<string, string>>; readonly main?: string } = {},
): Buffer {
  const folder = main.replace(/[^/]*$/, '');
  const others = Object.entries(parts).map(([kind, content]) => [`${folder}${kind}.xml`, strToU8(content)]);
  const targets = Object.fromEntries(Object.keys(parts).map((kind) => [kind, `${kind}.xml`]));
  const files = {
    '[Content_Types].xml': strToU8('<Types/>'),
    '_rels/.rels': strToU8(relations({ officeDocument: main })),
    [main.replace(/([^/]*)$/, '_rels/$1.rels')]: strToU8(relations(targets)),
    'word/media/image1.png': new Uint8Array(3000).fill(7),
    [main]: typeof xml === 'string' ? strToU8(xml) : xml,
    ...Object.fromEntries(others),
  };
  return Buffer.from(zipSync(files));
}
