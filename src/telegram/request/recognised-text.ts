/** The text of recognised pictures: shown line by line, as it stands on the page, and meant as its reading (spec §2). */
import type { Message } from 'telegraf/types';
import { readingsOfPages } from '../../language/reading.ts';
import type { ReceivedContext } from '../context.ts';

/** The texts of pictures in one: each under the number of its photo where there are several; what is empty is left out. */
export function numbered(texts: readonly string[]): string {
  const [only = '', ...more] = texts;
  if (more.length === 0) return only;
  const parts = texts.map((text, index) => (text === '' ? '' : `${index + 1}.\n${text}`));
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The number of a photo of an album, above its text. */
const NUMBER = /(?:^|\n\n)(\d+)\.\n/gu;

/** The texts that `numbered` put into one, by the places of their photos. */
function textsIn(text: string): string[] {
  const texts: string[] = [];
  const numbers = [...text.matchAll(NUMBER)];
  const heads = numbers[0]?.index === 0 ? numbers : [];
  if (heads.length === 0) return [text];
  for (const [index, head] of heads.entries()) {
    const place = Number(head[1]);
    // A number that does not follow is a line of the text before it.
    if (!(place > texts.length) || place > MOST_PHOTOS) {
      const at = texts.length - 1;
      texts[at] = `${texts[at] ?? ''}${text.slice(head.index, heads[index + 1]?.index)}`;
      continue;
    }
    while (texts.length < place - 1) texts.push('');
    texts.push(text.slice(head.index + head[0].length, heads[index + 1]?.index));
  }
  // One that is left of several keeps its number.
  return texts.length === 1 ? [...texts, ''] : texts;
}

/** What an album holds (Telegram). */
const MOST_PHOTOS = 10;

/** What the texts of pictures mean, each as `read` gave it. A page that goes on from the one before it is joined to that, and then empty. */
export async function readingsOf(ctx: ReceivedContext, texts: readonly string[]): Promise<string[]> {
  const { interpreter } = ctx.bot;
  return readingsOfPages(await Promise.all(texts.map((text) => interpreter.pageOf(text))));
}

/** What a recognised text of the bot's means, as it stands in a message. */
export async function readingOfShown(ctx: ReceivedContext, shown: string): Promise<string> {
  return numbered(await readingsOf(ctx, textsIn(shown)));
}

/** Whether the bot read this message's text in a picture: only under such a text are buttons that read it again and translate it. */
export function isRecognised(message: Message): boolean {
  if (!('text' in message) || !('reply_markup' in message)) return false;
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  const has = (data: RegExp): boolean =>
    buttons.some((button) => 'callback_data' in button && data.test(button.callback_data));
  return has(/^read:/u) && has(/^translate$/u);
}
