/** The buttons under results, and what they carry: `callback_data` has 64 bytes, so a button acts on the text it hangs on, or names it. */
import type { InlineKeyboardMarkup } from 'telegraf/types';
import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '../../language/interface-language.ts';
import { dominantLanguage, LANGUAGES } from '../../language/script.ts';
import { DIALECTS, type Variety, VOICES } from '../../language/variety.ts';
import type { BotContext, ReceivedContext } from '../context.ts';

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

/** Under a recognised text: speak it, translate it, read the photo again in the other language (read-again.ts), copy it. */
export function readingButtons(ctx: ReceivedContext, again: readonly Button[]): KeyboardFor {
  return (text, whole) => [
    speakButtons(ctx, text, whole),
    [...translateButtons(ctx, text, whole), ...again],
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

/** From a group to the private chat with the bot, where a person's own account is all that counts. */
export function privateChatButton(ctx: ReceivedContext): Button {
  return { text: ctx.words('button-private-chat'), url: `https://t.me/${ctx.botInfo.username}` };
}

/** Under a message that tells of work under way: stops it, for who asked alone. */
export function cancelButton(ctx: ReceivedContext): Button {
  return { text: ctx.words('button-cancel'), callback_data: `cancel:${ctx.person}` };
}

/** The dialects to choose from; the present one is marked. */
export function dialectChoice(ctx: BotContext): Keyboard {
  return [
    DIALECTS.map((dialect) =>
      choice(ctx.words(dialect), ownedBy(ctx, `dialect:${dialect}`), ctx.session.dialect === dialect),
    ),
  ];
}

/** The same for the voices of Chinese. */
export function voiceChoice(ctx: BotContext): Keyboard {
  return [
    VOICES.map((voice) =>
      choice(ctx.words(`voice-${voice}`), ownedBy(ctx, `voice:${voice}`), ctx.session.voice === voice),
    ),
  ];
}

/** The same for the languages in which photos are read. */
export function readingLanguageChoice(ctx: BotContext): Keyboard {
  return [
    LANGUAGES.map((language) =>
      choice(
        ctx.words(`language-${language}`),
        ownedBy(ctx, `reading:${language}`),
        ctx.session.reading === language,
      ),
    ),
  ];
}

/** Each language under its own name, so that nobody is lost in a language they cannot read. */
export const INTERFACE_LANGUAGE_NAMES: Readonly<Record<InterfaceLanguage, string>> = {
  en: 'English',
  zh: '中文',
  bo: 'བོད་ཡིག',
};

/** The same for the languages in which the bot speaks to a person. */
export function interfaceLanguageChoice(ctx: ReceivedContext): Keyboard {
  return [interfaceLanguageButtons(ctx, (language) => ownedBy(ctx, `lang:${language}`))];
}

/** A button for each of them; `data` says what it asks for. */
export function interfaceLanguageButtons(
  ctx: ReceivedContext,
  data: (language: InterfaceLanguage) => string,
): Button[] {
  return INTERFACE_LANGUAGES.map((language) =>
    choice(INTERFACE_LANGUAGE_NAMES[language], data(language), ctx.language === language),
  );
}

/** What a button that changes a setting carries: in a group also whose, since anybody there can press it (identity.ts). */
function ownedBy(ctx: ReceivedContext, data: string): string {
  return ctx.isPrivate ? data : `${data}:${ctx.person}`;
}

/** A button that chooses a value; the present one is marked. */
export function choice(text: string, data: string, isChosen: boolean): Button {
  return { text: isChosen ? `✓ ${text}` : text, callback_data: data };
}

function speakButtons(ctx: ReceivedContext, text: string, whole: string | undefined): Button[] {
  const language = dominantLanguage(text);
  if (language === undefined) return [];
  const varieties: readonly Variety[] = language === 'tibetan' ? DIALECTS : ['chinese'];
  return varieties.map((variety) => ({
    text: `🔊 ${ctx.words(variety)}`,
    callback_data: naming(`speak:${variety}`, whole),
  }));
}

function translateButtons(ctx: ReceivedContext, text: string, whole: string | undefined): Button[] {
  if (dominantLanguage(text) === undefined) return [];
  return [{ text: ctx.words('button-translate'), callback_data: naming('translate', whole) }];
}

function naming(data: string, whole: string | undefined): string {
  return whole === undefined ? data : `${data}:${whole}`;
}

/** A longer text than Telegram copies with a button is copied from its message, or is a file. */
function copyButtons(ctx: ReceivedContext, text: string): Button[] {
  return text.length <= COPY_LIMIT ? [{ text: ctx.words('button-copy'), copy_text: { text } }] : [];
}
