/** Whether there is anything to see in a text. */

/**
 * Anything but white space, control and format characters (zero-width ones, marks of direction), what else is drawn as nothing
 * (fillers of Hangul, selectors of variants), and the blank of Braille.
 */
const SOMETHING = /[^\s\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** False for a text that would be an empty bubble, or that Telegram refuses as a message. */
export function isVisible(text: string): boolean {
  return SOMETHING.test(text);
}
