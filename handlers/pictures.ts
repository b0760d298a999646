/** Reads photos, images sent as files, and albums: to answer with their text, or for a translation or speech. */
import { type Failure, isFailure, mayPass } from '../src/errors.ts';
import type { Asked } from '../src/interpreter/request.ts';
import { parseReadingLanguage } from '../src/language/reading-language.ts';
import { dominantLanguage, type Language } from '../src/language/script.ts';
import type { CallKind } from '../src/paid-calls.ts';
import {
  type Button,
  keptPictures,
  pictureButtons,
  readAgainButtons,
  textButtons,
  tryAgainButton,
} from '../src/telegram/answer/buttons.ts';
import { failureWords } from '../src/telegram/answer/failure-words.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, answerRecognised, notice } from '../src/telegram/outbox/answer.ts';
import { type Activity, whileShowing } from '../src/telegram/outbox/progress.ts';
import { asRemark, numbered, readingsOf, textsWithoutRemarks } from '../src/telegram/request/additions.ts';
import { type Callback, callbackMessage } from '../src/telegram/request/callback.ts';
import type { Pictures, PicturesToRead, SentPicture } from '../src/telegram/request/sent-file.ts';
import { repliedToBy } from '../src/telegram/request/subject.ts';

/** The recognised text of a picture, or why that failed. */
type Recognition = string | Failure;

/**
 * Answers with the text of the pictures, in album order. In an album, a remark stands in place of a picture that failed. `known`: what
 * reading them gave (`readOnTheWay`), since a picture that failed may not be paid for again unasked.
 */
export async function readPictures(
  ctx: BotContext,
  asked: PicturesToRead,
  known?: readonly Recognition[],
): Promise<void> {
  const { language, replyTo } = asked;
  const recognitions =
    known ?? (await whileShowing(ctx, 'typing', (activity) => readEach(ctx, asked, activity)));
  const texts = recognitions.map(textOf);
  if (texts.length === 1 && texts[0] === '') return sayNothingFound(ctx, asked);
  const readings = await readingsOf(ctx, texts);
  const found = readings.filter((text) => text !== '');
  if (found.length > 0) ctx.session.lastText = found.join('\n\n');
  const { again, caption } = await pictureButtons(ctx, asked);
  // Of known ones the person has been told on the way, each with its button.
  const repeat = known === undefined ? tryAgainButtons(ctx, recognitions) : [];
  const remarks = texts.map((text, index) =>
    text === '' ? remarkOn(ctx, recognitions[index], language) : '',
  );
  await answerRecognised(ctx, numbered(texts.map((text, index) => text || (remarks[index] ?? ''))), {
    keyboard: (text, whole) => [
      ...(found.length > 0
        ? textButtons(ctx, again, caption)(textsWithoutRemarks(text), whole)
        : [again, caption]),
      repeat,
    ],
    replyTo,
    recognised: numbered(texts),
    // A file holds the remarks, too, since only the beginning of a long answer is shown.
    reading: numbered(readings.map((reading, index) => reading || (remarks[index] ?? ''))),
  });
}

/** "Read in the other language": the button names the pictures, or its message replies to the picture. */
export const readAgain: Callback<BotContext> = {
  data: /^read:(\w+)(?::(?<whole>[\w-]+))?$/,
  notice: async ({ groups }, { wholes }, message) => {
    const whole = groups?.whole;
    const isThere =
      whole === undefined ? isReply(message) : (await wholes.find('pictures', whole)) !== undefined;
    return isThere ? undefined : { id: 'photo-gone', isAlert: true };
  },
  handle: async (ctx, [, word = '', id]) => {
    const language = parseReadingLanguage(word);
    const asked = id === undefined ? await repliedPicture(ctx) : await keptPictures(ctx, id);
    if (language !== undefined && asked !== undefined) return readPictures(ctx, { ...asked, language });
    // `notice` has told the sender in all other cases.
    if (id === undefined && isReply(ctx.callbackQuery?.message)) await notice(ctx, 'photo-gone');
  },
};

/** Whether Telegram still delivers the message that it replies to. */
function isReply(message: object | undefined): boolean {
  return message !== undefined && ('reply_to_message' in message || 'external_reply' in message);
}

async function repliedPicture(ctx: BotContext): Promise<Pictures | undefined> {
  const { pictures = [], id } = (await repliedToBy(ctx, callbackMessage(ctx))) ?? {};
  return pictures.length === 0 ? undefined : { pictures, replyTo: id };
}

interface FoundTexts {
  /** For each picture; empty if it has no text, or failed. The caption alone if nothing is found in any of them. */
  readonly readings: readonly string[];
  readonly recognitions: readonly Recognition[];
}

/**
 * The texts of the pictures for a translation or speech, which needs at least `callsAfter` more. The person is told which pictures have no
 * text, or failed, unless they simply have none and no other picture has any. Undefined if there is no text at all; then the person has
 * been told.
 */
export async function readOnTheWay(
  ctx: BotContext,
  asked: PicturesToRead,
  activity: Activity,
  callsAfter: readonly CallKind[],
): Promise<FoundTexts | undefined> {
  const { caption = '' } = asked;
  const recognitions = await readEach(ctx, asked, activity, callsAfter);
  const texts = recognitions.map(textOf);
  const isAnyFound = texts.some((text) => text !== '');
  const isAnyFailed = recognitions.some((recognition) => isFailure(recognition));
  if (isAnyFound || isAnyFailed) await sayWhatHasNone(ctx, asked, recognitions);
  if (isAnyFound) return { readings: await readingsOf(ctx, texts), recognitions };
  if (isAnyFailed) return undefined;
  const onlyNamesLanguage = parseReadingLanguage(caption) !== undefined;
  if (!onlyNamesLanguage && dominantLanguage(caption) !== undefined)
    return { readings: [caption], recognitions };
  await sayNothingFound(ctx, asked);
  return undefined;
}

/** Tells which pictures have no text, and why. */
async function sayWhatHasNone(
  ctx: BotContext,
  asked: PicturesToRead,
  recognitions: readonly Recognition[],
): Promise<void> {
  const remarks = recognitions.map((recognition) =>
    textOf(recognition) === '' ? remarkOn(ctx, recognition, asked.language) : '',
  );
  if (remarks.every((remark) => remark === '')) return;
  const again = await readAgainButtons(ctx, asked);
  const repeat = tryAgainButtons(ctx, recognitions);
  const keyboard = () => [again, repeat];
  await answer(ctx, numbered(remarks), { keyboard, replyTo: asked.replyTo });
}

async function sayNothingFound(ctx: BotContext, asked: PicturesToRead): Promise<void> {
  const { language, replyTo } = asked;
  const { again, caption } = await pictureButtons(ctx, asked);
  await notice(ctx, `nothing-found-${language}`, { keyboard: [again, caption], replyTo });
}

/** As `readAll`, but throws the failure of a single picture. */
async function readEach(
  ctx: BotContext,
  asked: PicturesToRead,
  activity: Activity,
  callsAfter: readonly CallKind[] = [],
): Promise<Recognition[]> {
  const recognitions = await readAll(ctx, asked, activity, callsAfter);
  const [only, ...more] = recognitions;
  if (isFailure(only) && more.length === 0) throw only;
  return recognitions;
}

/** The recognition of each picture. If calls follow, none is made unless the limits allow all. Throws a failure that all pictures share. */
export async function readAll(
  ctx: BotContext,
  { pictures, language }: PicturesToRead,
  { part }: Activity,
  callsAfter: readonly CallKind[] = [],
): Promise<Recognition[]> {
  const { asker, signal } = ctx;
  const { interpreter } = ctx.bot;
  const progress = part();
  const recognise = ({ picture }: SentPicture, more: Pick<Asked, 'onProgress' | 'callsAfter'> = {}) =>
    interpreter.recognise(picture, language, { asker, signal, ...more }).catch(failureOrThrow);

  const recogniseSeveral = async (): Promise<Recognition[]> => {
    const kept = await Promise.all(
      pictures.map(({ picture }) => interpreter.isRecognised(picture, language)),
    );
    const unpaid = kept.filter((isKept) => !isKept).length;
    const calls = Array<CallKind>(unpaid).fill('recognition');
    if (callsAfter.length > 0 && unpaid > 0) await interpreter.check(asker, calls, callsAfter);
    else await interpreter.mustBeAgreed(asker, calls);
    let done = 0;
    progress(done, unpaid);
    return Promise.all(
      pictures.map(async (picture, index) => {
        const recognition = await recognise(picture);
        if (!kept[index]) done += 1;
        progress(done, unpaid);
        return recognition;
      }),
    );
  };

  const [only, ...others] = pictures;
  // For a single picture, `recognise` itself looks it up and checks the limits.
  const recognitions =
    only !== undefined && others.length === 0
      ? [await recognise(only, { onProgress: progress, callsAfter })]
      : await recogniseSeveral();
  const failure = unwritten(recognitions) ?? commonFailure(recognitions);
  if (failure !== undefined) throw failure;
  return recognitions;
}

/** The recognised text; empty if that failed. */
export function textOf(recognition: Recognition): string {
  return isFailure(recognition) ? '' : recognition;
}

/** Says why a picture has no text. */
export function remarkOn(ctx: BotContext, recognition: Recognition | undefined, language: Language): string {
  return asRemark(
    isFailure(recognition) ? failureWords(ctx, recognition) : ctx.words(`nothing-found-${language}`),
  );
}

/** A call that could not be stored: the whole album is tried again later, and the other results are kept. */
function unwritten(recognitions: readonly Recognition[]): Failure | undefined {
  return recognitions.find((recognition) => isFailure(recognition, 'database'));
}

/**
 * The failure that all pictures share: it is said once, with one button for all. `in-doubt` is not: people decide for each picture whether
 * to pay for another try.
 */
function commonFailure(recognitions: readonly Recognition[]): Failure | undefined {
  const [first] = recognitions;
  if (!isFailure(first) || first.kind === 'in-doubt') return undefined;
  return recognitions.every((recognition) => isFailure(recognition, first.kind)) ? first : undefined;
}

/** A button if the failure of a picture may pass: the others are kept, and cost nothing again. */
function tryAgainButtons(ctx: BotContext, recognitions: readonly Recognition[]): Button[] {
  return recognitions.some(mayPass) ? [tryAgainButton(ctx)] : [];
}

function failureOrThrow(error: unknown): Failure {
  if (isFailure(error) && error.kind !== 'cancelled' && error.kind !== 'costly') return error;
  throw error;
}
