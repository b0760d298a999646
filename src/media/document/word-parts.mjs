/** The parts of a Word document (.docx), which is a zip archive of XML (ECMA-376, part 2), and the events of its XML. */
import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';

/** No document that Word opens has an entity of its own, or malformed XML. */
export class Unreadable extends Error {}
export class TooLong extends Error {}

/** Of all parts that are read. A letter of text takes some ten bytes of XML, an edited one up to sixty; a bomb has gigabytes. */
const MAX_XML_BYTES = 64 * 1024 * 1024;
/** Elements within one another: a prefix is looked up through all of them. Word's tables and boxes make a hundred. */
const MAX_DEPTH = 1000;
/** What the parser holds at once, as text. */
const SLICE_BYTES = 64 * 1024;

/** By prefixes of our own: a document may choose others. Both editions of the standard have names for Word's elements. */
const PREFIXES = new Map([
  ['http://schemas.openxmlformats.org/wordprocessingml/2006/main', 'w:'],
  ['http://purl.oclc.org/ooxml/wordprocessingml/main', 'w:'],
  ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc:'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/math', 'm:'],
  ['http://purl.oclc.org/ooxml/officeDocument/math', 'm:'],
]);

/** The parts of a document by what they are to it: `main`, and those that it relates to (`styles`, `footnotes` …). */
export function partsOf(file) {
  let size = 0;
  const read = (...names) => {
    const filter = ({ name, originalSize }) => {
      if (!names.includes(name)) return false;
      size += originalSize;
      if (size > MAX_XML_BYTES) throw new TooLong();
      return true;
    };
    try {
      return unzipSync(file, { filter });
    } catch (error) {
      throw error instanceof TooLong ? error : new Unreadable();
    }
  };
  const related = (part) => {
    const [folder, name] = [part.slice(0, part.lastIndexOf('/') + 1), part.slice(part.lastIndexOf('/') + 1)];
    const path = `${folder}_rels/${name}.rels`;
    return relationsIn(read(path)[path], folder);
  };
  const main = related('').get('officeDocument') ?? 'word/document.xml';
  const others = related(main);
  const parts = read(main, ...others.values());
  if (parts[main] === undefined) throw new Unreadable();
  return (kind) => (kind === 'main' ? parts[main] : parts[others.get(kind) ?? '']);
}

/** Where the parts are that a part relates to, by the last word of their type. */
function relationsIn(xml, folder) {
  const found = new Map();
  const open = (_, attribute) => {
    const [kind, target = ''] = [attribute('Type')?.split('/').at(-1), attribute('Target')];
    if (kind === undefined || attribute('TargetMode') === 'External') return;
    found.set(kind, target.startsWith('/') ? target.slice(1) : `${folder}${target}`);
  };
  if (xml !== undefined) parse(xml, { open });
  return found;
}

/** Calls `open` with an element's name (`w:p`) and what looks up its attributes by their local names. Throws `Unreadable`. */
export function parse(xml, { open, close = () => {}, text = () => {} }) {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const refuse = () => {
    throw new Unreadable();
  };
  const nameOf = ({ uri, local }) => `${PREFIXES.get(uri) ?? ''}${local}`;
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  let depth = 0;
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) refuse();
    open(nameOf(tag), (name) => Object.values(tag.attributes).find(({ local }) => local === name)?.value);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    close(nameOf(tag));
  });
  parser.on('text', text);
  parser.on('cdata', text);
  const decoder = new TextDecoder(xml[0] === 0xff ? 'utf-16le' : xml[0] === 0xfe ? 'utf-16be' : 'utf-8');
  for (let at = 0; at < xml.length; at += SLICE_BYTES)
    parser.write(decoder.decode(xml.subarray(at, at + SLICE_BYTES), { stream: true }));
  parser.close();
}
