/** Whether what was read in a picture can be a text: a page that is read in a script that it does not have gives a heap of signs. */

/** Tibetan and Chinese, with their own signs. */
const SCRIPT = /[\p{Script=Tibetan}\p{Script=Han}]/gu;
const LETTER = /[\p{Letter}&&[\p{Script=Tibetan}\p{Script=Han}]]/v;
const FIGURE = /\p{Nd}/gu;
const VISIBLE = /\S/gu;
/** Signs that are rare in texts; prices and sums have the others. */
const STRAY = /[[\p{Symbol}#\[\]\{\}\\@*^_\|~%\&]--[\p{Script=Tibetan}\p{Currency_Symbol}+=×÷−<>]]/gv;

/** In a reading that is believed, of all that is visible. Nine of a hundred are the most that Tesseract saw in Tibetan read as Chinese. */
const LEAST_SCRIPT = 0.1;
/** Of all that is visible: a page of numbers is one in any language. */
const LEAST_FIGURES = 0.5;
/** For each letter and number. Chinese pages read as Tibetan had 1 in 4 and 1 in 7, tables of figures 1 in 15 (Tesseract). */
const MAX_STRAY = 0.1;

/** More among letters: a short text may have an ornament. */
const STRAY_BESIDE_LETTERS = 2;

/** True also for a few letters, for text in the other script, and for a page of figures. */
export function isLikelyText(reading: string): boolean {
  const count = (pattern: RegExp): number => reading.match(pattern)?.length ?? 0;
  const [script, figures, visible] = [count(SCRIPT), count(FIGURE), count(VISIBLE)];
  const isScript = LETTER.test(reading) && script >= LEAST_SCRIPT * visible;
  if (!isScript && figures < LEAST_FIGURES * visible) return false;
  return count(STRAY) <= MAX_STRAY * (script + figures) + (isScript ? STRAY_BESIDE_LETTERS : 0);
}
