/** The buttons under results, and what they carry: `callback_data` has 64 bytes, so a button acts on the text it hangs on, or names it. */
import type { InlineKeyboardMarkup } from 'telegraf/types';
import { dominantLanguage } from '../../language/script.ts';
import { DIALECTS, type Variety } from '../../language/variety.ts';
import type { AnswerPart } from '../../store/kept/answers.ts';
import { UNTOLD } from '../api/api.ts';
import type { ReceivedContext } from '../context.ts';
import type { HandlerDeps } from '../deps.ts';

/** A button that asks the bot for something, one that copies a text (Bot API 7.11), or one that opens a link. */
export type Button =
  | { text: string; callback_data: string }
  | { text: string; copy_text: { text: string } }
  | { text: string; url: string };
export type Keyboard = readonly (readonly Button[])[];
/** The buttons for a text; `whole` is the id under which it is kept (results.ts), where their message holds only its end. */
export type KeyboardFor = (text: string, whole?: string) => Keyboard;

/** Bot API, CopyTextButton: 1–256 characters. */
const COPY_LIMIT = 256;

/** The keyboard in the Bot API's shape. Telegraf's types end at 7.1 and know no `copy_text`: hence the cast. */
export function markup(keyboard: Keyboard): InlineKeyboardMarkup {
  return { inline_keyboard: keyboard.filter((row) => row.length > 0) } as InlineKeyboardMarkup;
}

/** Under a translation, or a text to be spoken: speak it, copy it. */
export function translationButtons(ctx: ReceivedContext): KeyboardFor {
  return (text, whole) => [speakButtons(ctx, text, whole), copyButtons(ctx, text)];
}

/**
 * Under a recognised text: speak it, translate it, copy it; read the photo again in the other language, translate its caption
 * (read-again.ts).
 */
export function readingButtons(
  ctx: ReceivedContext,
  again: readonly Button[],
  caption: readonly Button[],
): KeyboardFor {
  return (text, whole) => [
    speakButtons(ctx, text, whole),
    [...translateButtons(ctx, text, whole), ...again],
    caption,
    copyButtons(ctx, text),
  ];
}

/** Under a text that is not a photo's (one typed in Wylie): speak it, translate it, copy it. */
export function textButtons(ctx: ReceivedContext): KeyboardFor {
  return (text, whole) => [
    speakButtons(ctx, text, whole),
    translateButtons(ctx, text, whole),
    copyButtons(ctx, text),
  ];
}

/** Under a message with several texts, for one of them: `whole` is the id under which it is kept, `which` tells it apart. */
export function partButtons(ctx: ReceivedContext, text: string, whole: string, which: string): Keyboard {
  const about = [...translateButtons(ctx, text, whole), ...copyButtons(ctx, text)];
  return [
    speakButtons(ctx, text, whole),
    about.map((button) => ({ ...button, text: `${button.text} · ${which}` })),
  ];
}

/** From a group to the private chat with the bot, where a person's own account is all that counts. */
export function privateChatButton(ctx: ReceivedContext): Button {
  return { text: ctx.words('button-private-chat'), url: `https://t.me/${ctx.botInfo.username}` };
}

/** Under a message that tells of work under way: stops it, for who asked alone. */
export function cancelButton(ctx: ReceivedContext): Button {
  return { text: ctx.words('button-cancel'), callback_data: `cancel:${ctx.person}` };
}

function speakButtons(ctx: ReceivedContext, text: string, whole: string | undefined): Button[] {
  const language = dominantLanguage(text);
  if (language === undefined || isChannel(ctx)) return [];
  const varieties: readonly Variety[] = language === 'tibetan' ? DIALECTS : ['chinese'];
  return varieties.map((variety) => ({
    text: `🔊 ${ctx.words(variety)}`,
    callback_data: naming(`speak:${variety}`, whole),
  }));
}

function translateButtons(ctx: ReceivedContext, text: string, whole: string | undefined): Button[] {
  if (dominantLanguage(text) === undefined || isChannel(ctx)) return [];
  return [{ text: ctx.words('button-translate'), callback_data: naming('translate', whole) }];
}

/** There any reader could press a button, and the answer would be a post of the channel's. */
function isChannel({ chat }: ReceivedContext): boolean {
  return chat.type === 'channel';
}

function naming(data: string, whole: string | undefined): string {
  return whole === undefined ? data : `${data}:${whole}`;
}

/** A longer text than Telegram copies with a button is copied from its message, or is a file. */
export function copyButtons(ctx: ReceivedContext, text: string): Button[] {
  return text.length <= COPY_LIMIT ? [{ text: ctx.words('button-copy'), copy_text: { text } }] : [];
}

/** The id under which all of a text is kept for a button; undefined where that failed: an answer without the button is better than none. */
export async function keptForButton(
  { wholes, log }: Pick<HandlerDeps, 'wholes' | 'log'>,
  person: string,
  text: string,
): Promise<string | undefined> {
  return wholes.keep(person, text).catch((error: unknown): undefined => {
    log.warn({ error }, 'a text was not kept for its buttons');
  });
}

interface TryAgain {
  /** Whether the new answer takes the place of the message that the button hangs on. */
  readonly isInPlace: boolean;
  /** The texts that were sent before that message. */
  readonly earlier?: readonly AnswerPart[];
  /** Follows the button's words where there are several. */
  readonly which?: string;
}

/** The request, as the updates that it came in, waits under the button: after a failure only the person has it done once more. */
export async function tryAgainButton(
  ctx: ReceivedContext,
  updates: readonly object[],
  { isInPlace, earlier = [], which = '' }: TryAgain,
): Promise<Button> {
  const texts = earlier.filter(({ id, kind }) => kind === 'text' && id !== UNTOLD).map(({ id }) => id);
  const id = await ctx.bot.parked.park(ctx.person, { updates, isInPlace, earlier: texts });
  return { text: `${ctx.words('button-try-again')}${which}`, callback_data: `again:${id}:${ctx.person}` };
}
