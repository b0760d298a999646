/**
 * The text of a Word document as Word shows it once all changes are accepted. Headers and footers are left out: they stand on every page,
 * and mostly hold its number. Plain JavaScript, for the process that opens the file.
 */
import { legacyReader } from './sound-text.mjs';
import { parse, partsOf, TooLong, Unreadable } from './word-parts.mjs';
import { isOn, listsIn, stylesIn } from './word-styles.mjs';

/** What is not shown: deleted and moved words, how a paragraph was before a change, a reading beside its characters. */
const HIDDEN = new Set(['w:del', 'w:moveFrom', 'w:pPrChange', 'w:rPrChange', 'w:rt']);
/** A deleted row says so in its properties: the elements from there to the row itself. */
const UP_TO_ROW = 3;
const SIGNS = new Map([
  ['w:tab', '\t'],
  ['w:ptab', '\t'],
  ['w:br', '\n'],
  ['w:cr', '\n'],
  ['w:noBreakHyphen', '-'],
]);

/**
 * A line for each paragraph, its number or mark before it, its notes and text boxes behind it; tabs between the cells of a table. Tibetan in
 * fonts from before Unicode is in Unicode. `maxBytes`: of the text in UTF-8. Throws `Unreadable`, and `TooLong`.
 * @param {Buffer} file
 * @param {number} maxBytes
 */
export function wordText(file, maxBytes) {
  const part = partsOf(file);
  const styleOf = stylesIn(part('styles'));
  const labelOf = listsIn(part('numbering'));
  const readers = new Map();
  /** The texts of notes, by kind and id. */
  const notes = new Map();
  let length = 0;
  let hasBody = false;

  function read(xml) {
    /** The body, a note or a text box, each within the one before. */
    const stories = [{ lines: [] }];
    const paragraphs = [];
    /** For each pair of an element for newer and one for older programs, whether the newer is taken. */
    const choices = [];
    let unseen = 0;
    let ofMark = false;
    let ofRow = false;
    let run = {};
    let words;
    let trims = false;

    /** Counts before anything is joined: a note or a mark may stand in a document any number of times. */
    const put = (lines, text) => {
      length += Buffer.byteLength(text);
      if (length > maxBytes) throw new TooLong();
      lines.push(text);
    };
    const write = (text) => {
      const paragraph = paragraphs.at(-1);
      const isHidden =
        run.isHidden ?? (styleOf(run.style, 'isHidden') || styleOf(paragraph?.style, 'isHidden'));
      if (paragraph?.codes === 0 && !isHidden) put(paragraph.text, text);
    };
    /** A field's code comes before its result, and may hold fields itself. One that goes on in another paragraph has its code in the first. */
    const turnField = (type) => {
      const paragraph = paragraphs.at(-1);
      if (paragraph === undefined) return;
      if (type !== 'begin' && paragraph.isCode.pop()) paragraph.codes -= 1;
      if (type === 'begin') paragraph.codes += 1;
      if (type !== 'end') paragraph.isCode.push(type === 'begin');
    };
    const readerOf = (font) => {
      if (!readers.has(font)) readers.set(font, legacyReader(font));
      return readers.get(font);
    };
    const inFont = (text) => {
      const font =
        run.font ?? (run.style && styleOf(run.style, 'font')) ?? styleOf(paragraphs.at(-1)?.style, 'font');
      const reader = font === undefined ? undefined : readerOf(font);
      return reader === undefined ? text : Array.from(text, (character) => reader(character)).join('');
    };
    const putBelow = (text) => {
      const paragraph = paragraphs.at(-1);
      if (paragraph !== undefined && text !== '') put(paragraph.below, `${text}\n`);
    };
    const endStory = () => stories.pop().lines.join('').trim();

    const openInParagraph = (name, attribute) => {
      const paragraph = paragraphs.at(-1);
      const value = attribute('val');
      if (name === 'w:pStyle') paragraph.style = value;
      else if (name === 'w:numId') paragraph.list = value;
      else if (name === 'w:ilvl') paragraph.level = value;
      else if (name === 'w:framePr') paragraph.isInitial = attribute('dropCap') !== undefined;
      // The mark at its end is not shown, so the next paragraph goes on.
      else if (name === 'w:del' || name === 'w:moveFrom' || (name === 'w:vanish' && isOn(value)))
        paragraph.isRunOn = true;
    };

    const open = (name, attribute) => {
      if (unseen > 0) unseen += 1;
      else if (ofMark && name !== 'w:pPrChange' && name !== 'w:rPrChange') openInParagraph(name, attribute);
      else if (ofRow && name === 'w:del') unseen = UP_TO_ROW;
      else if (HIDDEN.has(name)) unseen = 1;
      else if (name === 'w:body') hasBody = true;
      else if (name === 'mc:AlternateContent') choices.push(false);
      else if (name === 'mc:Choice' || name === 'mc:Fallback') {
        if (choices.at(-1)) unseen = 1;
        else choices[choices.length - 1] = true;
      } else if (name === 'w:p') paragraphs.push({ text: [], below: [], isCode: [], codes: 0 });
      else if (name === 'w:pPr') ofMark = paragraphs.length > 0;
      else if (name === 'w:tr' || name === 'w:trPr') ofRow = name === 'w:trPr';
      else if (name === 'w:fldChar') turnField(attribute('fldCharType'));
      else if (name === 'w:r' || name === 'm:r') run = {};
      else if (name === 'w:vanish') run.isHidden = isOn(attribute('val'));
      else if (name === 'w:rStyle') run.style = attribute('val');
      else if (name === 'w:rFonts') run.font = attribute('ascii');
      else if (name === 'w:t' || name === 'm:t') {
        words = '';
        trims = attribute('space') !== 'preserve';
      } else if (SIGNS.has(name)) write(SIGNS.get(name));
      else if (name === 'w:sym') {
        const reader = readerOf(attribute('font') ?? '');
        write(reader?.(String.fromCharCode(Number.parseInt(attribute('char'), 16))) ?? '');
      } else if (name === 'w:footnoteReference' || name === 'w:endnoteReference')
        putBelow(notes.get(`${name.slice(0, -9)} ${attribute('id')}`) ?? '');
      else if (name === 'w:txbxContent' || name === 'w:footnote' || name === 'w:endnote')
        stories.push({ lines: [], id: attribute('type') === undefined ? attribute('id') : undefined });
    };

    const close = (name) => {
      const { lines } = stories.at(-1);
      if (unseen > 0) unseen -= 1;
      else if (name === 'w:pPr') ofMark = false;
      else if (name === 'w:trPr') ofRow = false;
      else if (name === 'mc:AlternateContent') choices.pop();
      else if (name === 'w:p') endParagraph(lines);
      else if (name === 'w:tc') replaceEnd(lines, '\n', '\t');
      else if (name === 'w:tr') replaceEnd(lines, '\t', '\n');
      else if (name === 'w:txbxContent') putBelow(endStory());
      else if (name === 'w:footnote' || name === 'w:endnote')
        notes.set(`${name} ${stories.at(-1).id}`, endStory());
      else if (words !== undefined && (name === 'w:t' || name === 'm:t')) {
        write(inFont(trims ? words.trim() : words));
        words = undefined;
      }
    };

    const endParagraph = (lines) => {
      const { text, below, style, isInitial, isRunOn, ...own } = paragraphs.pop();
      const list = own.list ?? styleOf(style, 'list');
      const level = own.level ?? styleOf(style, 'level') ?? 0;
      const label = list === undefined || (isRunOn && text.length === 0) ? '' : labelOf(list, Number(level));
      if (label !== '') put(lines, `${label} `);
      lines.push(text.join(''), isInitial || isRunOn ? '' : '\n', below.join(''));
    };

    const text = (said) => {
      if (words !== undefined) words += said;
    };
    parse(xml, { open, close, text });
    return endStory();
  }

  for (const kind of ['footnotes', 'endnotes']) {
    const xml = part(kind);
    if (xml !== undefined) read(xml);
  }
  const text = read(part('main'));
  if (!hasBody) throw new Unreadable();
  return text;
}

/** A cell ends with the end of its last paragraph, a row with that of its last cell. */
function replaceEnd(lines, old, sign) {
  while (lines.at(-1) === '') lines.pop();
  if (lines.at(-1) === old) lines.pop();
  lines.push(sign);
}
