/** Translates texts, pictures and documents, by default into the other language. */
import type { OnGrowth } from '../src/interpreter/request.ts';
import { markedLike } from '../src/language/reading/page-marks.ts';
import { dominantLanguage, type Language, otherLanguage } from '../src/language/script.ts';
import { tibetanIfWylie } from '../src/language/wylie.ts';
import type { CallKind } from '../src/paid-calls.ts';
import {
  captionOf,
  type KeyboardFor,
  readAgainButtons,
  translationButtons,
} from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, answerWithFile, notice } from '../src/telegram/outbox/answer.ts';
import { type Activity, whileShowing } from '../src/telegram/outbox/progress.ts';
import { numbered } from '../src/telegram/request/additions.ts';
import { repliedMessage } from '../src/telegram/request/asked.ts';
import { type Callback, callbackMessage, noticeIfGone } from '../src/telegram/request/callback.ts';
import type { DocumentToRead, PicturesToRead } from '../src/telegram/request/sent-file.ts';
import { type SourceText, textOfCallback } from '../src/telegram/request/subject.ts';
import { documentCaptionButtons, type FoundText, readDocumentOnTheWay } from './pages.ts';
import { readOnTheWay } from './pictures.ts';
import type { Wanted } from './several-files.ts';

export type Target = Language | 'auto';

/** What a translation takes; `after`: the calls that follow it. */
export function wantedInto({ bot }: BotContext, target: Target, after: readonly CallKind[] = []): Wanted {
  return {
    ofText: async (text) => {
      const to = languageFor(text, target);
      const calls = to === undefined ? [] : await bot.interpreter.unpaidTranslation(text, to);
      return calls.length > 0 ? [...calls, ...after] : [];
    },
    atLeast: ['translation', ...after],
  };
}

/** "Translate" under a text: that of the button's message, or the one that it names. */
export const translateButton: Callback<BotContext> = {
  data: /^translate(?::(?<whole>[\w-]+))?$/,
  isAboutMessage: true,
  notice: noticeIfGone('callback-too-old'),
  handle: async (ctx, [, whole]) => {
    const message = callbackMessage(ctx);
    if (message === undefined) return;
    const text = await textOfCallback(ctx, message, whole);
    // `notice` has told the sender.
    if (text === undefined) return;
    await translateText(ctx, { text, replyTo: message.message_id }, 'auto');
  },
};

/** "Translate caption": that of the picture to which the button's message replies. */
export const captionButton: Callback<BotContext> = {
  data: /^caption$/,
  isAboutMessage: true,
  notice: async (_match, _stores, message) =>
    message !== undefined && 'reply_to_message' in message ? undefined : { id: 'photo-gone', isAlert: true },
  handle: async (ctx) => {
    const picture = repliedMessage(callbackMessage(ctx));
    const text = picture && captionOf(ctx, picture);
    // `notice` has told the sender that the picture is gone.
    if (picture === undefined) return;
    if (text === undefined) return notice(ctx, 'neither-script', { replyTo: picture.message_id });
    await translateText(ctx, { text, replyTo: picture.message_id }, 'auto');
  },
};

/** Answers with the translation of a text; says so if there is nothing to translate. */
export async function translateText(ctx: BotContext, source: SourceText, target: Target): Promise<void> {
  const to = await destination(ctx, source, target);
  if (to === undefined) return;
  await whileShowing(ctx, 'typing', async (activity) => {
    await translate(ctx, source, to, activity);
  });
}

/** Answers with the translation of the text of pictures, an album's in one; with the text itself if there is nothing to translate. */
export async function translatePictures(
  ctx: BotContext,
  asked: PicturesToRead,
  target: Target,
): Promise<void> {
  const { replyTo } = asked;
  await whileShowing(ctx, 'typing', async (activity) => {
    const found = await readOnTheWay(ctx, asked, activity, ['translation']);
    if (found === undefined) return;
    const text = numbered(found.readings);
    const again = await readAgainButtons(ctx, asked);
    const keyboard: KeyboardFor = (text, whole) => [...translationButtons(ctx)(text, whole), again];
    const to = await destination(ctx, { text, replyTo }, target);
    if (to === undefined) return answer(ctx, text, { keyboard, replyTo });
    await translate(ctx, { text, replyTo }, to, activity, { keyboard });
  });
}

/** Answers with the translation of a document; for a PDF, with a file of its pages, then one of the translation. */
export async function translateDocument(
  ctx: BotContext,
  asked: DocumentToRead,
  target: Target,
): Promise<void> {
  await whileShowing(ctx, 'typing', async (activity) => {
    const found = await translateDocumentOnTheWay(ctx, asked, target, activity, []);
    await found?.answer();
  });
}

/**
 * The text of a document, translated unless it is already in the target language. Everything is paid for before `answer` sends any of it,
 * since the question about the cost must come first. Undefined if there is no text; then the person has been told.
 */
export async function translateDocumentOnTheWay(
  ctx: BotContext,
  asked: DocumentToRead,
  target: Target,
  activity: Activity,
  callsAfter: readonly CallKind[],
): Promise<FoundText | undefined> {
  const { replyTo, document } = asked;
  const found = await readDocumentOnTheWay(ctx, asked, activity, ['translation', ...callsAfter]);
  if (found === undefined) return undefined;
  const { reading: text } = found;
  const to = await destination(ctx, { text, replyTo }, target);
  if (to === undefined) return found;
  const reading = await translated(ctx, text, to, { activity, callsAfter });
  const caption = documentCaptionButtons(ctx, asked);
  const ofText: KeyboardFor = (text, whole) => [...translationButtons(ctx)(text, whole), caption];
  if (document.kind === 'text') {
    const original = ctx.session.original ? text : undefined;
    return {
      reading,
      pages: [],
      answer: () => answer(ctx, reading, { keyboard: ofText, replyTo, original }),
    };
  }
  return {
    reading,
    pages: [],
    answer: async () => {
      await found.answer();
      const options = { keyboard: translationButtons(ctx), replyTo };
      await answerWithFile(ctx, markedLike(found.pages, reading) ?? reading, {
        ...options,
        caption: ctx.words('document-translated'),
        about: reading,
      });
    },
  };
}

/** The language to translate into; undefined if there is none, and then the person has been told why. */
async function destination(
  ctx: BotContext,
  { text, replyTo }: SourceText,
  target: Target,
): Promise<Language | undefined> {
  const from = dominantLanguage(text);
  if (from === undefined) {
    const isWylie = tibetanIfWylie(text) !== undefined;
    await notice(ctx, isWylie ? 'neither-script-nor-wylie' : 'neither-script', { replyTo });
    return undefined;
  }
  ctx.session.lastText = text;
  const to = languageFor(text, target);
  if (to === undefined) await notice(ctx, `already-${from}`, { replyTo });
  return to;
}

/** The language to translate into; undefined if the text is in neither language, or already in that one. */
export function languageFor(text: string, target: Target): Language | undefined {
  const from = dominantLanguage(text);
  if (from === undefined) return undefined;
  const to = target === 'auto' ? otherLanguage(from) : target;
  return to === from ? undefined : to;
}

interface TranslateOptions {
  readonly keyboard?: KeyboardFor;
  /** By default as the person has set it. */
  readonly isOriginalShown?: boolean;
  /** See interpreter/request.ts. */
  readonly callsAfter?: readonly CallKind[];
  /** A line under the answer (`doubtsIn`). */
  readonly remark?: string | undefined;
}

/** Answers with the translation, and gives it. */
export async function translate(
  ctx: BotContext,
  { text, replyTo }: SourceText,
  to: Language,
  activity: Activity,
  options: TranslateOptions = {},
): Promise<string> {
  const {
    keyboard = translationButtons(ctx),
    isOriginalShown = ctx.session.original,
    callsAfter = [],
    remark,
  } = options;
  const draft = activity.draft();
  const translation = await translated(ctx, text, to, { activity, callsAfter, onGrowth: draft?.show });
  await draft?.end();
  await answer(ctx, translation, { keyboard, replyTo, original: isOriginalShown ? text : undefined, remark });
  return translation;
}

interface Translating {
  readonly activity: Activity;
  readonly callsAfter?: readonly CallKind[];
  readonly onGrowth?: OnGrowth | undefined;
}

/** The translation; the session keeps it as the last text. */
async function translated(
  ctx: BotContext,
  text: string,
  to: Language,
  { activity, callsAfter = [], onGrowth }: Translating,
): Promise<string> {
  const asked = { asker: ctx.asker, signal: ctx.signal, onProgress: activity.part(), onGrowth, callsAfter };
  const translation = await ctx.bot.interpreter.translate(text, to, asked);
  ctx.session.lastText = translation;
  ctx.session.lastOriginal = { text, translation };
  return translation;
}
