/** Sends answers, cut to the size of a message, or in place of the message whose button was pressed. */
import type { InlineKeyboardMarkup, MessageEntity } from 'telegraf/types';
import { isVisible } from '../../language/script.ts';
import { splitForTelegram, TELEGRAM_LIMIT } from '../../language/split.ts';
import { forbidsKind, unlessRefused } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import type { Arguments } from '../locale.ts';
import type { Destination } from '../outbox/destination.ts';
import type { OutgoingText } from '../outbox/outbox.ts';
import { folded, quoted, type TextEntity, withOriginal } from '../request/additions.ts';
import { ephemeralId } from '../request/parsed-message.ts';
import { type Keyboard, type KeyboardFor, keptForButton, markup } from './buttons.ts';
import { timesIn } from './failure-words.ts';
import { sayToListener } from './media.ts';

/** The name of a long answer's file, unless the answer comes from a file. */
export const TEXT_FILE_NAME = 'lotsawa.txt';
/** From this number of messages on, an answer goes out as a text file. */
const FILE_FROM_PARTS = 4;

interface Manner extends Pick<OutgoingText, 'replyTo' | 'interim'> {
  /** What it is among the results of the work, which a later attempt corrects (`OutgoingText`); undefined for words that stand. */
  readonly key?: string | undefined;
  readonly keyboard?: Keyboard | undefined;
  readonly entities?: readonly TextEntity[] | undefined;
}

interface AnswerOptions extends Pick<Manner, 'key' | 'replyTo' | 'interim'> {
  readonly keyboard?: KeyboardFor;
  /** The original to show above the translation; the buttons mean the translation alone. */
  readonly original?: string | undefined;
  /** Shows it as a quote: an original above its translation. */
  readonly isQuoted?: true;
  /** What the buttons and copies mean, and what a long answer's file has, if it differs from the text shown. */
  readonly meant?: string | undefined;
  /** A line under the text that is no part of it (work/show.ts); for a file it stands in the caption. */
  readonly remark?: string | undefined;
  readonly fileName?: string | undefined;
}

/** Sends a result as a reply; a long one in several messages, split at the best places, a very long one as its beginning and a file. */
export async function answer(ctx: ReceivedContext, text: string, options: AnswerOptions = {}): Promise<void> {
  const { keyboard, replyTo, interim, original, isQuoted, meant = text, remark, fileName } = options;
  const { key = 'text' } = options;
  const parts = (await splitForTelegram(withRemark(text, remark))).filter(isVisible);
  const isLong = parts.length >= FILE_FROM_PARTS;
  const isAmongOthers = ctx.chat.type === 'group' || ctx.chat.type === 'supergroup';
  if (original !== undefined) {
    const both = isLong ? undefined : withOriginal(original.trim(), text, isAmongOthers);
    const whole = both && withRemark(both.text, remark);
    if (both !== undefined && whole !== undefined && fitsMessage(whole))
      return sendText(ctx, whole, { key, keyboard: keyboard?.(text), replyTo, entities: both.entities });
    await answer(ctx, original.trim(), { key: `${key}:original`, replyTo, isQuoted: true });
  }
  const entitiesOf = (part: string): readonly TextEntity[] => {
    if (isQuoted) return quoted(part);
    if (interim !== undefined) return timesIn(part, ctx.bot.now());
    // In a group, folds a long message of a result, but not the remark at its end.
    const end = withRemark('', remark);
    return isAmongOthers ? folded(part.length - (part.endsWith(end) ? end.length : 0)) : [];
  };
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const atEnd = isLast ? await buttonsAtEnd(ctx, meant, keyboard, parts.length === 1) : undefined;
    const own = index === 0 ? key : `${key}:${index + 1}`;
    await sendText(ctx, part, { key: own, keyboard: atEnd, replyTo, interim, entities: entitiesOf(part) });
    if (index > 0 || !isLong) continue;
    const caption = withRemark(ctx.words('whole-text'), remark);
    // A group that forbids files gets the rest as messages.
    const asFile = { key: `${key}:file`, replyTo, keyboard: keyboard?.(meant), fileName };
    if (await sendAsFile(ctx, meant, caption, asFile)) return;
  }
}

/** Sends a text that fits one message. */
async function sendText(
  { outbox }: ReceivedContext,
  text: string,
  { key, keyboard, entities, ...options }: Manner,
): Promise<void> {
  const extra = {
    ...(keyboard === undefined ? {} : { reply_markup: markup(keyboard) }),
    // See TextEntity: hence the cast.
    ...(entities?.length ? { entities: [...entities] as MessageEntity[] } : {}),
  };
  const named = key === undefined ? { key: 'notice' } : { key, said: text };
  await outbox.send({ ...named, text, extra, ...options });
}

/** Sends a text of any length as a file; false in a group that forbids files. */
async function sendAsFile(
  { bot, chat, outbox }: ReceivedContext,
  text: string,
  caption: string,
  {
    key,
    keyboard = [],
    replyTo,
    fileName = TEXT_FILE_NAME,
  }: Pick<Manner, 'keyboard' | 'replyTo'> & Pick<AnswerOptions, 'fileName'> & { readonly key: string },
): Promise<boolean> {
  const file = { source: Buffer.from(text, 'utf8'), filename: fileName };
  const extra = { caption, reply_markup: markup(keyboard) };
  const upload = (destination: Destination) =>
    bot.api.sendDocument(chat.id, file, { ...destination, ...extra });
  try {
    await outbox.send({ key, said: text, replyTo, upload });
    return true;
  } catch (error) {
    if (!forbidsKind(error)) throw error;
    return false;
  }
}

/** A text with a line under it that is no part of it. */
export function withRemark(text: string, remark: string | undefined): string {
  return remark === undefined ? text : `${text}\n\n${remark}`;
}

/**
 * Sends a text as a file, however short it is; as messages to a group that forbids files. With `isFoundInFile` a request about the file
 * finds the text that is meant in it (`work/subject.ts`), so none is stored for its buttons.
 */
export async function answerWithFile(
  ctx: ReceivedContext,
  text: string,
  caption: string,
  {
    key = 'text',
    keyboard,
    replyTo,
    meant = text,
    fileName,
  }: Pick<AnswerOptions, 'key' | 'keyboard' | 'replyTo' | 'meant' | 'fileName'>,
  isFoundInFile = meant === text,
): Promise<void> {
  const buttons = await buttonsAtEnd(ctx, meant, keyboard, isFoundInFile);
  const asFile = { key: `${key}:file`, replyTo, keyboard: buttons, fileName };
  if (await sendAsFile(ctx, text, caption, asFile)) return;
  await answer(ctx, text, { key, keyboard, meant, replyTo });
}

/** The buttons under the last message of a text. If that message holds only the end, the whole text is stored for them. */
async function buttonsAtEnd(
  ctx: ReceivedContext,
  text: string,
  keyboard: KeyboardFor | undefined,
  isWhole: boolean,
): Promise<Keyboard | undefined> {
  if (keyboard === undefined || isWhole) return keyboard?.(text);
  const whole = await keptForButton(ctx.bot, ctx.asker, text);
  // Better no buttons than buttons for a part of the text.
  return whole === undefined ? undefined : keyboard(text, whole);
}

/** Says something short; in groups as a reply, since others talk in between. */
export function say(ctx: ReceivedContext, words: string, manner: Manner = {}): Promise<void> {
  const { replyTo = ctx.isPrivate ? false : undefined, entities = timesIn(words, ctx.bot.now()) } = manner;
  return sendText(ctx, words, { ...manner, replyTo, entities });
}

/** Says a sentence of `locales/`; one without arguments also aloud, to a person who wants that. */
export async function notice(
  ctx: ReceivedContext,
  id: string,
  { args, ...manner }: Pick<Manner, 'key' | 'keyboard' | 'replyTo'> & { readonly args?: Arguments } = {},
): Promise<void> {
  await say(ctx, ctx.words(id, args), manner);
  if (args === undefined) await sayToListener(ctx, id, manner);
}

/** Confirms a choice as `notice` does, in place of the pressed buttons if they are under a text. */
export async function confirm(ctx: ReceivedContext, id: string, args?: Arguments): Promise<void> {
  if (await replacePressed(ctx, ctx.words(id, args)))
    return args === undefined ? sayToListener(ctx, id) : undefined;
  // A voice note has no text to replace.
  await changeButtons(ctx);
  await notice(ctx, id, args === undefined ? {} : { args });
}

/** Replaces the buttons of the message whose button was pressed, or removes them, if Telegram still delivers it. */
export async function changeButtons(ctx: ReceivedContext, buttons?: InlineKeyboardMarkup): Promise<void> {
  const message = ctx.pressed;
  if (message === undefined) return;
  const { chat, message_id } = message;
  await ctx.outbox.edit(() => ctx.bot.api.editMessageReplyMarkup(chat.id, message_id, undefined, buttons));
}

/** Replaces the text and buttons of the message whose button was pressed. False if there is none, or it can no longer be edited. */
export async function replacePressed(
  { bot, callbackQuery, outbox }: ReceivedContext,
  text: string,
  keyboard: Keyboard = [],
): Promise<boolean> {
  if (callbackQuery?.message === undefined) return false;
  const { message, from } = callbackQuery;
  const chat_id = message.chat.id;
  const ephemeral_message_id = ephemeralId(message);
  const extra = { reply_markup: markup(keyboard) };
  const edit = (): Promise<unknown> => {
    if (ephemeral_message_id === undefined)
      return bot.api.editMessageText(chat_id, message.message_id, undefined, text, extra);
    const target = { chat_id, receiver_user_id: from.id, ephemeral_message_id };
    return bot.api.callRecent('editEphemeralMessageText', { ...target, text, ...extra });
  };
  // Any refusal counts: Telegram does not document why it refuses to edit an ephemeral message.
  return (await unlessRefused<unknown>(outbox.edit(edit))) === 'edited';
}

/** A text with buttons that change it. */
export interface Panel {
  readonly text: string;
  readonly keyboard: Keyboard;
}

/** Shows a panel in place of the message whose button was pressed, else in a message of its own. */
export async function showPanel(ctx: ReceivedContext, { text, keyboard }: Panel): Promise<void> {
  if (!(await replacePressed(ctx, text, keyboard))) await say(ctx, text, { keyboard });
}

export function fitsMessage(text: string): boolean {
  return text.length <= TELEGRAM_LIMIT;
}
