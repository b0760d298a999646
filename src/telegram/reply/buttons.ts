/** The buttons under results. `callback_data` has only 64 bytes, so a button acts on the text of its message, or names a stored text. */
import type { SwitchInlineQueryChosenChat } from '@grammyjs/types';
import type { InlineKeyboardMarkup } from 'telegraf/types';
import type { Payer } from '../../interpreter/request.ts';
import { parseReadingLanguage } from '../../language/reading-language.ts';
import { dominantLanguage } from '../../language/script.ts';
import { DIALECTS, type Variety } from '../../language/variety.ts';
import type { BotContext, HandlerDeps, ReceivedContext } from '../context.ts';
import type { ParsedMessage } from '../request/parsed-message.ts';

/** A button that asks the bot for something, copies a text (Bot API 7.11), opens a link, or types an inline query into a chat (6.7). */
export type Button = {
  text: string;
  style?: 'danger' | 'success';
} & (
  | { callback_data: string }
  | { copy_text: { text: string } }
  | { url: string }
  | { switch_inline_query_chosen_chat: SwitchInlineQueryChosenChat }
);
export type Keyboard = readonly (readonly Button[])[];
/** Makes the buttons for a text. `whole`: the id under which the text is stored (results.ts), if the message holds only its end. */
export type KeyboardFor = (text: string, whole?: string) => Keyboard;

/** Bot API, CopyTextButton: 1–256 characters. */
const COPY_LIMIT = 256;
/** Bot API, InlineQuery: up to 256 characters. */
const QUERY_LIMIT = 256;

/** The keyboard in the Bot API's shape. Telegraf's types end at 7.1 and have neither `copy_text` nor `style` (9.4): hence the cast. */
export function markup(keyboard: Keyboard): InlineKeyboardMarkup {
  return { inline_keyboard: keyboard.filter((row) => row.length > 0) } as InlineKeyboardMarkup;
}

interface TextButtonOptions {
  /** The text is a translation, or a text to be spoken; no *Translate* button. */
  readonly isTranslation?: boolean;
  /** The text that it translates: sends the translation to a chat. */
  readonly original?: string | undefined;
  /** Buttons of a picture: to read it again, to translate its caption. */
  readonly again?: readonly Button[];
  readonly caption?: readonly Button[];
  readonly below?: Keyboard;
}

/**
 * Under a text: speak, translate, both at once, copy, spell. A text in neither language has no button that acts on it, nor has one in a
 * channel, where any reader could press it, and the channel would post the answer and pay for it.
 */
export function textButtons(
  ctx: ReceivedContext,
  { isTranslation = false, original, again = [], caption = [], below = [] }: TextButtonOptions = {},
): KeyboardFor {
  return (text, whole) => {
    const from = ctx.chat.type === 'channel' ? undefined : dominantLanguage(text);
    const copy = [...copyButtons(ctx, text), ...sendButtons(ctx, original)];
    if (from === undefined) return [again, caption, copy, ...below];
    const named = whole === undefined ? '' : `:${whole}`;
    const button = (text: string, data: string): Button => ({ text, callback_data: `${data}${named}` });
    const speak = (variety: Variety): Button => button(`🔊 ${ctx.words(variety)}`, `speak:${variety}`);
    const isTibetan = from === 'tibetan';
    const readsTibetan = ctx.language === 'bo';
    const speaks: Variety[] = isTibetan ? [...DIALECTS] : ['chinese'];
    // Under Chinese: translated and spoken in the person's dialect.
    if (!isTibetan && ctx.session !== undefined && (readsTibetan || !isTranslation))
      speaks.push(ctx.session.dialect);
    const toTranslate = isTranslation ? [] : [button(ctx.words('button-translate'), 'translate')];
    // Under Tibetan: translated and spoken in Chinese, but for those who chose to read Tibetan. The row of the dialects is full.
    const inChinese = isTibetan && !isTranslation && !readsTibetan ? [speak('chinese')] : [];
    const spell = isTibetan
      ? [button(ctx.words('button-wylie'), 'wylie'), button(ctx.words('button-phonetics'), 'phonetics')]
      : [];
    return [speaks.map(speak), [...toTranslate, ...again], caption, [...inChinese, ...copy], spell, ...below];
  };
}

/** Under a translation that nobody asked for: one wordless button, as readers may share no language; in a channel none that posts. */
export function compactButtons(ctx: ReceivedContext): KeyboardFor {
  return (text, whole) => {
    if (ctx.chat.type === 'channel') return [copyButtons(ctx, text)];
    return [
      [{ text: ctx.words('button-more'), callback_data: whole === undefined ? 'more' : `more:${whole}` }],
    ];
  };
}

/** Sends the translation to a chat that the person chooses: inline mode finds it by its original, without a paid call. */
function sendButtons(ctx: ReceivedContext, original = ''): Button[] {
  const query = original.trim();
  if (!ctx.isPrivate || query === '' || query.length > QUERY_LIMIT || query.includes('\n')) return [];
  const chats = { allow_user_chats: true, allow_group_chats: true, allow_channel_chats: true };
  return [{ text: ctx.words('button-send'), switch_inline_query_chosen_chat: { query, ...chats } }];
}

/** Adds the bot to a group to listen there (handlers/start.ts). It asks for the least admin rights: only admins get every message. */
export function addToGroupButton(ctx: ReceivedContext): Button {
  const link = `https://t.me/${ctx.botInfo.username}?startgroup=${LISTEN}&admin=manage_chat`;
  return { text: ctx.words('button-add-to-group'), url: link };
}

/** The payload of that link. */
export const LISTEN = 'listen';

/** Under the welcome to a group: makes the bot listen there (handlers/listen.ts). */
export function listenButton(text: string, group: string): Button {
  return { text, callback_data: `${LISTEN}:${group}` };
}

/** Beside `again`, for Tibetan interfaces without automatic speech: reads in it, translates and speaks (handlers/ocr.ts). */
export function hearButtons(ctx: BotContext, again: readonly Button[]): Button[] {
  const { dialect, photo, spoken } = ctx.session;
  if (ctx.language !== 'bo' || spoken || photo === 'speak') return [];
  return again.flatMap((button) => {
    if (!('callback_data' in button)) return [];
    return { text: `🔊 ${ctx.words(dialect)}`, callback_data: `${button.callback_data}@${dialect}` };
  });
}

/** Under a voice note: the same speech, slower. Names the voice of Chinese, since the person may choose another one meanwhile. */
export function slowerButtons(ctx: BotContext, varieties: readonly Variety[]): Button[] {
  if (ctx.chat.type === 'channel') return [];
  const [only = 'all', ...more] = varieties;
  const speaker = more.length > 0 ? 'all' : only === 'chinese' ? ctx.session.voice : only;
  return [{ text: ctx.words('button-slower'), callback_data: `slow:${speaker}` }];
}

/** No button for a text above Telegram's limit for copying: people copy it from its message or file. */
export function copyButtons(ctx: ReceivedContext, text: string): Button[] {
  return text.length <= COPY_LIMIT ? [{ text: ctx.words('button-copy'), copy_text: { text } }] : [];
}

/** Stores a text, or files, for a button; returns their id. Undefined if that fails: an answer without the button is better than none. */
export async function keptForButton(
  { results, log }: Pick<HandlerDeps, 'results' | 'log'>,
  asker: Payer,
  whole: string,
  kind: 'text' | 'files' = 'text',
): Promise<string | undefined> {
  return results.keepWhole(kind, asker, whole).catch((error: unknown): undefined => {
    log.warn({ error, kind }, 'storing a text for its buttons failed');
  });
}

/** Parks the request under a button at the end of this attempt: only its person can retry it, and the answer replaces this message. */
export function tryAgainButton(ctx: ReceivedContext, nextTryAt?: number): Button {
  const { id, lane } = ctx.work.request;
  ctx.ending = { ...ctx.ending, state: 'parked' };
  const data = ['again', id, lane, ...(nextTryAt === undefined ? [] : [nextTryAt])].join(':');
  return { text: ctx.words('button-try-again'), callback_data: data };
}

/** As `tryAgainButton`, for a request that is partly answered: pressing it accepts the remaining paid calls. */
export function restButton(ctx: ReceivedContext, calls: number, nextTryAt?: number): Button {
  const again = tryAgainButton(ctx, nextTryAt);
  ctx.ending = { ...ctx.ending, consent: calls };
  return { ...again, text: ctx.words('button-rest', { calls }) };
}

/** A caption without its command and mentions. Undefined if it is in neither language, or only names one. */
export function captionOf({ command, textWithoutMention }: ParsedMessage): string | undefined {
  const caption = command?.text ?? textWithoutMention;
  const isText = dominantLanguage(caption) !== undefined && parseReadingLanguage(caption) === undefined;
  return isText ? caption : undefined;
}
