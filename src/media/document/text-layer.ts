/** Whether the text layer of a PDF's page is the page's text: fonts from before Unicode, and broken tables, give nonsense. */
import { dominantLanguage } from '../../language/script.ts';

/** What no sound text has: unassigned and private characters, and those of a decoder that gave up. */
const BROKEN = /[\p{Co}\p{Cn}\p{Cs}\uFFFD]/gu;
const CONTROLS = /[[\p{Cc}\u00AD\uFEFF]--[\n\t]]/gv;
const LETTERS = /[\p{L}\p{M}]/gu;
const OURS = /[[\p{L}\p{M}]&&[\p{Script=Tibetan}\p{Script=Han}]]/gv;
/** A vowel sign or a subjoined letter with nothing to stand on. */
const STRAY_MARKS = /(?<![\p{L}\p{M}])[\u0F71-\u0F84\u0F8D-\u0FBC]/gu;
/** Of all letters, those in one of the two scripts at least: a page in English with a word of Tibetan is read. */
const MOSTLY = 0.5;
/** Of all letters, broken ones and stray marks at most. */
const HARDLY = 0.01;
/** A picture that covers so much of its page is what the page is about; the text beside it is, from so many letters on. */
const LARGE_IMAGE = 0.3;
const LETTERS_BESIDE_IMAGE = 150;

/** The text layer where it is sound Unicode Tibetan or Chinese, else undefined. `imageShare`: of the page, under its largest picture. */
export function soundText(layer: string, imageShare: number): string | undefined {
  const text = layer.replace(/\r\n?/gu, '\n').replace(CONTROLS, '').trim();
  if (dominantLanguage(text) === undefined) return undefined;
  const letters = count(text, LETTERS);
  const ours = count(text, OURS);
  if (ours < letters * MOSTLY) return undefined;
  if (count(text, BROKEN) + count(text, STRAY_MARKS) > letters * HARDLY) return undefined;
  if (imageShare > LARGE_IMAGE && ours < LETTERS_BESIDE_IMAGE) return undefined;
  return text;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
