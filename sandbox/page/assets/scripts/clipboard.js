/** Copies a text for the person at the page. */
import { attempt, toast } from './notices.js';

/** Puts the text on the clipboard and says so; says why not where the browser forbids it. */
export async function copy(text) {
  if (await attempt(() => navigator.clipboard.writeText(text).then(() => true))) toast('Copied');
}
