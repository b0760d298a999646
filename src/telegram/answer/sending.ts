/** How answers go out: as replies in the right topic, cut to what a message holds, and never as markup. */
import type { MessageEntity } from 'telegraf/types';
import { doubtfulSyllables } from '../../language/doubtful-syllables.ts';
import { hasScript, isVisible } from '../../language/script.ts';
import { cutForTelegram, splitForTelegram, TELEGRAM_LIMIT } from '../../language/split.ts';
import { toWylieInTurns } from '../../language/wylie.ts';
import { forbidsKind } from '../api/api-errors.ts';
import type { BotContext, ReceivedContext } from '../context.ts';
import type { Arguments } from '../locale.ts';
import {
  folded,
  quoted,
  type TextEntity,
  withOriginal,
  withOriginalFolded,
  withWylie,
} from '../request/own-text.ts';
import { type Keyboard, type KeyboardFor, keptForButton, textButtons } from './buttons.ts';
import { replaceCallbackMessage } from './editing.ts';
import { type Place, placeOf, postText, postTextFile, topicOf } from './posting.ts';

/** Telegram's limit for captions, in UTF-16 units after entity parsing. */
const CAPTION_LIMIT = 1024;
/** An answer of so many messages or more goes out as a text file. */
const FILE_FROM_PARTS = 4;

interface AnswerOptions {
  /** The buttons under the answer, at its end. */
  readonly keyboard?: KeyboardFor;
  /** The message to reply to, in place of the one that asked. */
  readonly replyTo?: number | undefined;
  /** What the text translates, where that is to be shown above it; the buttons mean the translation alone. */
  readonly original?: string | undefined;
  /** What the text means where it is shown in another form: what buttons, copies and the file have. By default it is the text itself. */
  readonly meant?: string | undefined;
  /** A line under the text that is no part of it (`doubtsIn`); under a file of it in the caption. */
  readonly remark?: string | undefined;
  /** True for what may be said again when the request is handled again. */
  readonly isRepeatable?: boolean;
}

/**
 * Sends a result of any length as a reply; a longer one goes out as several messages, cut at the best boundaries, and a still
 * longer one as a text file under its beginning.
 */
export async function answer(ctx: ReceivedContext, text: string, options: AnswerOptions = {}): Promise<void> {
  const { keyboard, replyTo, isRepeatable, original, meant = text, remark } = options;
  const place = placeOf(ctx, replyTo);
  const { isLong, parts } = messagesOf(withRemark(text, remark));
  if (original !== undefined) {
    const join = isAmongOthers(ctx) ? withOriginalFolded : withOriginal;
    const both = isLong ? undefined : join(original, text);
    const whole = both && withRemark(both.text, remark);
    if (both !== undefined && whole !== undefined && fitsMessage(whole)) {
      const { entities } = both;
      return postText(ctx, whole, { keyboard: keyboard?.(text), place, isRepeatable, entities });
    }
    await sayOriginal(ctx, original.trim(), { place, isRepeatable });
  }
  const post = (part: string, atEnd?: Keyboard) => {
    const entities = keyboard === undefined ? [] : foldedIn(ctx, part, remark);
    return postText(ctx, part, { keyboard: atEnd, place, isRepeatable, entities });
  };
  if (isLong) {
    await post(parts.next().value ?? '');
    try {
      const caption = withRemark(ctx.words('whole-text'), remark);
      return await postTextFile(ctx, meant, { place, keyboard: keyboard?.(meant), caption });
    } catch (error) {
      // Of a group that takes no files the rest comes as messages after all.
      if (!forbidsKind(error)) throw error;
    }
  }
  let isWhole = !isLong;
  let part = parts.next();
  while (!part.done) {
    const next = parts.next();
    isWhole &&= next.done === true;
    const atEnd = next.done ? await buttonsOf(ctx, meant, keyboard, isWhole) : undefined;
    await post(part.value, atEnd);
    part = next;
  }
}

function isAmongOthers({ chat }: ReceivedContext): boolean {
  return chat.type === 'group' || chat.type === 'supergroup';
}

/** What is set off of one message of a result: in a group all but the remark at its end, where that is long. */
function foldedIn(ctx: ReceivedContext, text: string, remark: string | undefined): TextEntity[] {
  const end = withRemark('', remark);
  return isAmongOthers(ctx) ? folded(text.length - (text.endsWith(end) ? end.length : 0)) : [];
}

/** An original that does not fit into the message of its translation: quoted before it, or as a file where it fills many messages. */
async function sayOriginal(
  ctx: ReceivedContext,
  original: string,
  { place, isRepeatable }: { place: Place; isRepeatable: boolean | undefined },
): Promise<void> {
  const { isLong, parts } = messagesOf(original);
  if (!isLong) {
    for (const part of parts)
      await postText(ctx, part, { place, isRepeatable, entities: quoted(part).entities });
    return;
  }
  try {
    await postTextFile(ctx, original, { place, caption: ctx.words('original-text') });
  } catch (error) {
    // To a group that takes no files the translation alone is given.
    if (!forbidsKind(error)) throw error;
  }
}

function withRemark(text: string, remark: string | undefined): string {
  return remark === undefined ? text : `${text}\n\n${remark}`;
}

interface FileOptions {
  readonly caption: string;
  /** What the buttons act on, where the file holds more than that. */
  readonly about: string;
  readonly keyboard: KeyboardFor;
  readonly replyTo: number | undefined;
}

/** Sends a text as a file, however short it is; in a group that takes no files as messages. */
export async function answerWithFile(
  ctx: ReceivedContext,
  text: string,
  { caption, about, keyboard, replyTo }: FileOptions,
): Promise<void> {
  const buttons = await buttonsOf(ctx, about, keyboard, about === text);
  try {
    await postTextFile(ctx, text, { place: placeOf(ctx, replyTo), keyboard: buttons, caption });
  } catch (error) {
    if (!forbidsKind(error)) throw error;
    await answer(ctx, text, { keyboard: () => buttons ?? [], replyTo });
  }
}

/** The buttons under the last message of a text; where that holds only its end, they name the whole of it, which is kept for them. */
async function buttonsOf(
  ctx: ReceivedContext,
  text: string,
  keyboard: KeyboardFor | undefined,
  isWhole: boolean,
): Promise<Keyboard | undefined> {
  if (keyboard === undefined || isWhole) return keyboard?.(text);
  const whole = await keptForButton(ctx.bot, ctx.person, text);
  // Such as mean a part of it would mislead.
  return whole === undefined ? undefined : keyboard(text, whole);
}

/** The messages that a text fills, cut as they are asked for where it is so long that hardly any of them may be sent. */
function messagesOf(text: string): {
  readonly isLong: boolean;
  readonly parts: Iterator<string, undefined> & Iterable<string>;
} {
  const isSurelyLong = text.length > (FILE_FROM_PARTS - 1) * TELEGRAM_LIMIT;
  if (isSurelyLong) return { isLong: true, parts: cutForTelegram(text).filter(isVisible) };
  const parts = splitForTelegram(text).filter(isVisible);
  return { isLong: parts.length >= FILE_FROM_PARTS, parts: parts.values() };
}

interface NoticeOptions {
  readonly args?: Arguments;
  readonly keyboard?: Keyboard;
  readonly replyTo?: number | undefined;
  /** Sets parts of the sentence off, once it is in the person's language. */
  readonly entities?: (words: string) => MessageEntity[];
}

/** Says a sentence of `locales/`; as a reply in groups, where others talk in between. */
export async function notice(ctx: ReceivedContext, id: string, options: NoticeOptions = {}): Promise<void> {
  const { replyTo, keyboard, args, entities } = options;
  const place = ctx.isPrivate && replyTo === undefined ? topicOf(ctx) : placeOf(ctx, replyTo);
  const words = ctx.words(id, args);
  await postText(ctx, words, { keyboard, place, entities: entities?.(words) });
}

/** Says that a choice was taken: in place of the buttons where one was used, else as a message. */
export async function confirm(ctx: ReceivedContext, id: string, args?: Arguments): Promise<void> {
  const isReplaced = await replaceCallbackMessage(ctx, ctx.words(id, args));
  if (!isReplaced) await notice(ctx, id, args === undefined ? {} : { args });
}

/** Whether a text goes out in one message. */
function fitsMessage(text: string): boolean {
  return text.length <= TELEGRAM_LIMIT;
}

/** Whether a caption of this text goes out whole. */
export function fitsCaption(text: string): boolean {
  return text.length <= CAPTION_LIMIT;
}

interface RecognisedOptions {
  readonly keyboard: KeyboardFor;
  /** The message to reply to, in place of the one that asked. */
  readonly replyTo?: number | undefined;
  /** What was read, where the text says more than that (which photo, what failed). */
  readonly recognised?: string;
  /** What that means (spec §2, the reading of a page). */
  readonly reading: string;
}

/** More would be a page that is to be read anew. */
const MOST_DOUBTS = 5;

/** What of a recognised text to check, since it can be no Tibetan syllable, in words; undefined where there is nothing, or its person wants none. */
export function doubtsIn(ctx: BotContext, recognised: string): string | undefined {
  const syllables = ctx.session.doubts ? doubtfulSyllables(recognised, MOST_DOUBTS) : [];
  return syllables.length === 0 ? undefined : ctx.words('doubts', { syllables: syllables.join(' · ') });
}

/** The Wylie stands under the text where one message holds both, else in messages of its own. */
export async function answerRecognised(
  ctx: BotContext,
  text: string,
  { keyboard, replyTo, recognised = text, reading }: RecognisedOptions,
): Promise<void> {
  const options = { keyboard, replyTo, meant: reading, remark: doubtsIn(ctx, recognised) };
  if (!ctx.session.wylie || !hasScript(recognised, 'tibetan')) return answer(ctx, text, options);
  const wylie = await toWylieInTurns(recognised);
  const both = withWylie(text, wylie);
  if (fitsMessage(withRemark(both, options.remark))) return answer(ctx, both, options);
  await answer(ctx, text, options);
  await answer(ctx, wylie, { keyboard: textButtons(ctx), replyTo });
}
