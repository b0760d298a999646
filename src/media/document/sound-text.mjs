/** Judges the text layer of a page. Plain JavaScript, for the process that opens a PDF: it would take longer to load TypeScript. */

/** Characters that no sound text has: unassigned and private ones, and those of a decoder that gave up. */
const BROKEN = /[\p{Co}\p{Cn}\p{Cs}\uFFFD]+/gu;
const CONTROLS = /[[\p{Cc}\u00AD\uFEFF]--[\n\t]]/gv;
const LETTERS = /[\p{L}\p{M}]+/gu;
const OURS = /[[\p{L}\p{M}]&&[\p{Script=Tibetan}\p{Script=Han}]]+/gv;
/** A vowel sign or subjoined letter without a base letter. */
const STRAY_MARKS = /(?<![\p{L}\p{M}])[\u0F71-\u0F84\u0F8D-\u0FBC]/gu;
/** The least share of letters in one of the two scripts: an English page with a Tibetan word is recognised instead. */
const MOSTLY = 0.5;
/** The largest share of broken letters and stray marks. */
const HARDLY = 0.01;
/** A picture that covers this share makes the page a picture, unless the text beside it has this many letters. */
const LARGE_IMAGE = 0.3;
const LETTERS_BESIDE_IMAGE = 150;

/**
 * The text layer of a page if it is sound Unicode Tibetan or Chinese; undefined for the nonsense of pre-Unicode fonts and broken tables.
 * `imageShare`: the share of the page under its largest picture.
 */
export function soundText(layer, imageShare) {
  const text = layer.replace(/\r\n?/gu, '\n').replace(CONTROLS, '').trim();
  const letters = lengthOf(text, LETTERS);
  const ours = lengthOf(text, OURS);
  if (ours === 0 || ours < letters * MOSTLY) return undefined;
  if (lengthOf(text, BROKEN) + lengthOf(text, STRAY_MARKS) > letters * HARDLY) return undefined;
  if (imageShare > LARGE_IMAGE && ours < LETTERS_BESIDE_IMAGE) return undefined;
  return text;
}

/** UTF-16 units of all matches; not in an array, since a page may hold a book. */
function lengthOf(text, pattern) {
  let length = 0;
  for (const [found] of text.matchAll(pattern)) length += found.length;
  return length;
}
