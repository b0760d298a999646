/** Word documents, as small as they may be. */
import { strToU8, zipSync } from 'fflate';

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const paragraph = (text: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:t xml:space="preserve">${text.replaceAll(/[&<>]/g, (sign) => ESCAPED[sign] ?? sign)}</w:t></w:r></w:p>`;

/** A document with this XML as its body, beside a picture. */
export function aDocx(body: string): Buffer {
  const xml = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  const files = {
    '[Content_Types].xml': strToU8('<Types/>'),
    'word/media/image1.png': new Uint8Array(3000).fill(7),
    'word/document.xml': strToU8(xml),
  };
  return Buffer.from(zipSync(files));
}
