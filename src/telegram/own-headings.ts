/** The headings that the bot puts over and under texts, and how a text is told from them when its message comes back. */
import { textIn } from './text-in.ts';

/** Marks a voice note of ours: above the text stands the variety that it is spoken in, and above that why it is a file. */
const VOICE_HEADING = /^(?:[^\n]+\n\n)?🔊 [^\n]*\n/u;

/** What stands under a voice note: the variety, and the text spoken. */
export function voiceCaption(variety: string, text: string): string {
  return `🔊 ${variety}\n${text}`;
}

/** Stands above the Wylie under a text of ours, in every language; the text is told from its Wylie by it. */
const WYLIE_HEADING = '🔤 Wylie';
const WYLIE = new RegExp(`\\n\\n${WYLIE_HEADING}\\n.*$`, 'su');

/** A text with its Wylie under it. */
export function withWylie(text: string, wylie: string): string {
  return `${text}\n\n${WYLIE_HEADING}\n${wylie}`;
}

/** The text of a message as it is meant: without the line of ours that names the variety, and without its Wylie. */
export function textWithoutHeadings(message: object): string {
  return textIn(message).replace(VOICE_HEADING, '').replace(WYLIE, '');
}
