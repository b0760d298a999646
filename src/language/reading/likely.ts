/** Whether what was read in a picture can be a text: a page that is read in a script that it does not have gives a heap of signs. */

/** Tibetan and Chinese, with their own signs. */
const SCRIPT = /[\p{Script=Tibetan}\p{Script=Han}]/gu;
const LETTER = /[\p{Letter}&&[\p{Script=Tibetan}\p{Script=Han}]]/v;
const FIGURE = /\p{Nd}/gu;
const VISIBLE = /[^\s\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}]/gu;
/** Signs that hardly stand in a text; prices and sums have the others. */
const STRAY =
  /[[\p{Symbol}#\[\]\{\}\\@*^_\|~%\&]--[\p{Script=Tibetan}\p{Currency_Symbol}\p{Emoji_Presentation}+=×÷−<>]]/gv;

/** In a reading that is believed, of all that is visible. Tesseract saw at most 9 in a hundred where it read Tibetan as Chinese. */
const MIN_SCRIPT = 0.1;
/** The same in a single line, which may be a sign, a price or a line of code. */
const MIN_SCRIPT_IN_LINE = 0.03;
/** Of all that is visible: a page of numbers is one in any language. */
const MIN_FIGURES = 0.5;
/** For each letter and number. Chinese pages read as Tibetan had 1 in 4 and 1 in 7, tables of figures 1 in 15 (Tesseract). */
const MAX_STRAY = 0.1;
/** More in a page with letters: a short text may have ornaments. */
const STRAY_BESIDE_LETTERS = 2;

/** Enough to judge a page by, in UTF-16 units: no paper holds more. */
const MAX_JUDGED = 40_000;

/** True also for a few letters, for text in the other script, and for a page of figures: what was paid for is rather shown than lost. */
export function isLikelyText(read: string): boolean {
  const reading = read.slice(0, MAX_JUDGED);
  const count = (pattern: RegExp): number => reading.match(pattern)?.length ?? 0;
  const [script, figures, visible] = [count(SCRIPT), count(FIGURE), count(VISIBLE)];
  const isLine = !reading.trim().includes('\n');
  const hasLetters = LETTER.test(reading);
  if (hasLetters && isLine && script >= MIN_SCRIPT_IN_LINE * visible) return true;
  const isScript = hasLetters && script >= MIN_SCRIPT * visible;
  if (!isScript && figures < MIN_FIGURES * visible) return false;
  return count(STRAY) <= MAX_STRAY * (script + figures) + (isScript ? STRAY_BESIDE_LETTERS : 0);
}
