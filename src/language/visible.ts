/** Whether there is anything to see in a text. */

/** Anything but white space, control and format characters (zero-width ones, marks of direction), and the blank of Braille. */
const SOMETHING = /[^\s\p{Control}\p{Format}\u2800]/u;

/** False for a text that Telegram takes for empty, and refuses as a message. */
export function isVisible(text: string): boolean {
  return SOMETHING.test(text);
}
