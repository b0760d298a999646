/** The buttons under results. `callback_data` has only 64 bytes, so a button acts on the text of its message, or names a stored text. */
import type { SwitchInlineQueryChosenChat } from '@grammyjs/types';
import type { InlineKeyboardMarkup } from 'telegraf/types';
import { parseReadingLanguage } from '../../language/reading-language.ts';
import { dominantLanguage, type Language, otherLanguage } from '../../language/script.ts';
import { DIALECTS, type Variety } from '../../language/variety.ts';
import type { WholeKind } from '../../store/kept/results.ts';
import type { BotContext, ReceivedContext } from '../context.ts';
import type { HandlerDeps } from '../deps.ts';
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

/** Under a translation, or a text to speak: speak it, copy it, spell it; if it translates a text, also send it to a chat. */
export function translationButtons(ctx: ReceivedContext, original?: string): KeyboardFor {
  return (text, whole) => [
    [...speakButtons(ctx, text, whole), ...(ctx.language === 'bo' ? inTibetan(ctx, text, whole) : [])],
    [...copyButtons(ctx, text), ...sendButtons(ctx, original)],
    spellingButtons(ctx, text, whole),
  ];
}

/**
 * Under a translation that nobody asked for: one button for all others (handlers/more.ts), without a label in words, since its readers may
 * not share the writer's language; in a channel only buttons that post nothing.
 */
export function compactButtons(ctx: ReceivedContext): KeyboardFor {
  return (text, whole) => {
    if (isChannel(ctx)) return [copyButtons(ctx, text)];
    return [[{ text: ctx.words('button-more'), callback_data: naming('more', whole) }]];
  };
}

/** Sends the translation to a chat that the person chooses: inline mode finds it by its original, without a paid call. */
function sendButtons(ctx: ReceivedContext, original = ''): Button[] {
  const query = original.trim();
  if (!ctx.isPrivate || query === '' || query.length > QUERY_LIMIT || query.includes('\n')) return [];
  const chats = { allow_user_chats: true, allow_group_chats: true, allow_channel_chats: true };
  return [{ text: ctx.words('button-send'), switch_inline_query_chosen_chat: { query, ...chats } }];
}

/**
 * Under a text that has no translation yet: speak it, translate it, both with one press, copy it, spell it; for a picture's text also
 * `again` and `caption`.
 */
export function textButtons(
  ctx: ReceivedContext,
  again: readonly Button[] = [],
  caption: readonly Button[] = [],
): KeyboardFor {
  return (text, whole) => [
    [...speakButtons(ctx, text, whole), ...inTibetan(ctx, text, whole)],
    [...translateButtons(ctx, text, whole), ...again],
    caption,
    [...inChinese(ctx, text, whole), ...copyButtons(ctx, text)],
    spellingButtons(ctx, text, whole),
  ];
}

/** Under a message with several texts, for one of them: `whole` is the id under which it is stored, `which` tells it apart. */
export function partButtons(ctx: ReceivedContext, text: string, whole: string, which: string): Keyboard {
  const from = languageOf(text);
  const named = (language: Language): string => ctx.words(`language-${language}`);
  const way = from && `🔁 ${named(from)} → ${named(otherLanguage(from))}`;
  return [
    speakButtons(ctx, text, whole),
    [
      ...translateButtons(ctx, text, whole).map((button) => ({ ...button, text: way ?? button.text })),
      ...copyButtons(ctx, text).map((button) => ({ ...button, text: `${button.text} · ${which}` })),
    ],
  ];
}

/** Leads from a group to the private chat, where only the person's own limit counts. */
export function privateChatButton(ctx: ReceivedContext): Button {
  return { text: ctx.words('button-private-chat'), url: `https://t.me/${ctx.botInfo.username}` };
}

/** Under a progress message: stops the work. Only its asker may press it. */
export function cancelButton(ctx: ReceivedContext): Button {
  return { text: ctx.words('button-cancel'), callback_data: `cancel:${ctx.person}`, style: 'danger' };
}

/** Enough of a text to detect its language, in UTF-16 units: a whole book takes 0.1 s. */
const MAX_JUDGED = 20_000;

function languageOf(text: string): Language | undefined {
  return dominantLanguage(text.slice(0, MAX_JUDGED));
}

function speakButtons(ctx: ReceivedContext, text: string, whole: string | undefined): Button[] {
  const language = languageOf(text);
  if (language === undefined || isChannel(ctx)) return [];
  const varieties = language === 'tibetan' ? DIALECTS : ['chinese' as const];
  return varieties.map((variety) => speakButton(ctx, variety, whole));
}

function speakButton(ctx: ReceivedContext, variety: Variety, whole: string | undefined): Button {
  return { text: `🔊 ${ctx.words(variety)}`, callback_data: naming(`speak:${variety}`, whole) };
}

/** Under Chinese: translated and spoken in the person's dialect. */
function inTibetan(ctx: ReceivedContext, text: string, whole: string | undefined): Button[] {
  const dialect = ctx.session?.dialect;
  if (dialect === undefined || languageOf(text) !== 'chinese' || isChannel(ctx)) return [];
  return [speakButton(ctx, dialect, whole)];
}

/** Under Tibetan: translated and spoken in Chinese, but for those who chose to read Tibetan. The row of the dialects is full. */
function inChinese(ctx: ReceivedContext, text: string, whole: string | undefined): Button[] {
  if (ctx.language === 'bo' || languageOf(text) !== 'tibetan' || isChannel(ctx)) return [];
  return [speakButton(ctx, 'chinese', whole)];
}

/**
 * Beside `again`, for readers of Tibetan whom no setting spares the presses: reads it in that language, translates and speaks it
 * (handlers/read-again.ts).
 */
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
  if (isChannel(ctx)) return [];
  const [only = 'all', ...more] = varieties;
  const speaker = more.length > 0 ? 'all' : only === 'chinese' ? ctx.session.voice : only;
  return [{ text: ctx.words('button-slower'), callback_data: `slow:${speaker}` }];
}

function translateButtons(ctx: ReceivedContext, text: string, whole: string | undefined): Button[] {
  if (languageOf(text) === undefined || isChannel(ctx)) return [];
  return [{ text: ctx.words('button-translate'), callback_data: naming('translate', whole) }];
}

/** Under Tibetan: in Wylie, and how it sounds. Both are free. */
function spellingButtons(ctx: ReceivedContext, text: string, whole: string | undefined): Button[] {
  if (languageOf(text) !== 'tibetan' || isChannel(ctx)) return [];
  return [
    { text: ctx.words('button-wylie'), callback_data: naming('wylie', whole) },
    { text: ctx.words('button-phonetics'), callback_data: naming('phonetics', whole) },
  ];
}

/** In a channel any reader could press a button, and the channel would post the answer and pay for it. */
export function isChannel({ chat }: ReceivedContext): boolean {
  return chat.type === 'channel';
}

function naming(data: string, whole: string | undefined): string {
  return whole === undefined ? data : `${data}:${whole}`;
}

/** No button for a text above Telegram's limit for copying: people copy it from its message or file. */
export function copyButtons(ctx: ReceivedContext, text: string): Button[] {
  return text.length <= COPY_LIMIT ? [{ text: ctx.words('button-copy'), copy_text: { text } }] : [];
}

/**
 * Stores a whole text, or files, for a button and returns their id. Undefined if that fails: an answer without the button is better than
 * none.
 */
export async function keptForButton(
  { wholes, log }: Pick<HandlerDeps, 'wholes' | 'log'>,
  person: string,
  whole: string,
  kind: WholeKind = 'text',
): Promise<string | undefined> {
  return wholes.keep(kind, person, whole).catch((error: unknown): undefined => {
    log.warn({ error, kind }, 'storing a text for its buttons failed');
  });
}

/** Parks the request under a button at the end of this attempt: only its person can retry it, and the answer replaces this message. */
export function tryAgainButton(ctx: ReceivedContext): Button {
  const { id, lane } = ctx.work.request;
  ctx.ending = { ...ctx.ending, state: 'parked' };
  return { text: ctx.words('button-try-again'), callback_data: `again:${id}:${lane}` };
}

/** As `tryAgainButton`, for a request that is partly answered: pressing it accepts the remaining paid calls. */
export function restButton(ctx: ReceivedContext, calls: number): Button {
  const again = tryAgainButton(ctx);
  ctx.ending = { ...ctx.ending, consent: calls };
  return { ...again, text: ctx.words('button-rest', { calls }) };
}

/** A caption without its command and mentions. Undefined if it is in neither language, or only names one. */
export function captionOf({ command, textWithoutMention }: ParsedMessage): string | undefined {
  const caption = command?.text ?? textWithoutMention;
  const isText = dominantLanguage(caption) !== undefined && parseReadingLanguage(caption) === undefined;
  return isText ? caption : undefined;
}
