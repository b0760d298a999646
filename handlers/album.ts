/** An album: one answer with the text of every picture, in album order. */
import { type Failure, isFailure, mayPass } from '../src/errors.ts';
import type { Language } from '../src/language/script.ts';
import type { CallKind } from '../src/paid-calls.ts';
import { type Activity, whileShowing } from '../src/telegram/answer/activity.ts';
import {
  type Button,
  type PicturesToRead,
  pictureButtons,
  readAgainButtons,
  recognitionButtons,
  tryAgainButton,
} from '../src/telegram/answer/buttons.ts';
import { failureWords } from '../src/telegram/answer/failure-words.ts';
import { answer, answerRecognised } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { asRemark, numbered, readingsOf } from '../src/telegram/request/own-text.ts';

/** What was recognised in a picture, or why that failed. */
type Recognition = string | Failure;

/** A picture that failed says so in its place, and the others are not lost. */
export async function readAlbum(ctx: BotContext, album: PicturesToRead): Promise<void> {
  const { language, replyTo } = album;
  const recognitions = await whileShowing(ctx, 'typing', (activity) => readAll(ctx, album, activity));
  const texts = recognitions.map(textOf);
  const readings = await readingsOf(ctx, texts);
  const found = readings.filter((text) => text !== '');
  if (found.length > 0) ctx.session.lastText = found.join('\n\n');
  const { again, caption } = await pictureButtons(ctx, album);
  const repeat = await tryAgainButtons(ctx, album, recognitions);
  await answerRecognised(
    ctx,
    numbered(texts.map((text, index) => text || remarkOn(ctx, recognitions[index], language))),
    {
      keyboard: (text, whole) => [
        ...(found.length > 0 ? recognitionButtons(ctx, again, caption)(text, whole) : [again, caption]),
        ...inRows(repeat),
      ],
      replyTo,
      recognised: numbered(texts),
      reading: numbered(readings),
    },
  );
}

/**
 * The text of each picture on the way to something else, which takes these paid calls more; of a picture without one an empty one.
 * Where others have one, or it failed, the person is told which it is; undefined where there is no text, and a picture failed.
 */
export async function readAlbumOnTheWay(
  ctx: BotContext,
  album: PicturesToRead,
  activity: Activity,
  callsAfter: readonly CallKind[],
): Promise<readonly string[] | undefined> {
  const { language, replyTo } = album;
  const recognitions = await readAll(ctx, album, activity, callsAfter);
  const texts = recognitions.map(textOf);
  const isAnyFound = texts.some((text) => text !== '');
  if (!isAnyFound && !recognitions.some((recognition) => isFailure(recognition))) return texts;
  const remarks = texts.map((text, index) =>
    text === '' ? remarkOn(ctx, recognitions[index], language) : '',
  );
  if (remarks.some((remark) => remark !== '')) {
    const again = await readAgainButtons(ctx, album);
    const repeat = await tryAgainButtons(ctx, album, recognitions);
    await answer(ctx, numbered(remarks), { keyboard: () => [again, ...inRows(repeat)], replyTo });
  }
  return isAnyFound ? texts : undefined;
}

/** The recognition of each picture. Where other calls are to follow, none is made unless the limits allow all. Throws the failure that befell every picture alike. */
export async function readAll(
  ctx: BotContext,
  { pictures, language }: PicturesToRead,
  { part }: Activity,
  callsAfter: readonly CallKind[] = [],
): Promise<Recognition[]> {
  const { interpreter } = ctx.bot;
  const progress = part();
  const kept = await Promise.all(pictures.map(({ picture }) => interpreter.isRecognised(picture, language)));
  const unpaid = kept.filter((isKept) => !isKept).length;
  const calls = Array<CallKind>(unpaid).fill('recognition');
  if (callsAfter.length > 0 && unpaid > 0) await interpreter.check(ctx.asker, calls, callsAfter);
  let done = 0;
  progress(done, unpaid);
  const recognitions = await Promise.all(
    pictures.map(async ({ picture }, index) => {
      const asked = { asker: ctx.asker, signal: ctx.signal };
      const recognition = await interpreter.recognise(picture, language, asked).catch(failureOrThrow);
      if (!kept[index]) done += 1;
      progress(done, unpaid);
      return recognition;
    }),
  );
  const failure = unwritten(recognitions) ?? commonFailure(recognitions);
  if (failure !== undefined) throw failure;
  return recognitions;
}

/** What was recognised; empty where that failed. */
export function textOf(recognition: Recognition): string {
  return isFailure(recognition) ? '' : recognition;
}

/** Why there is no text of a picture. */
export function remarkOn(ctx: BotContext, recognition: Recognition | undefined, language: Language): string {
  return asRemark(
    isFailure(recognition) ? failureWords(ctx, recognition) : ctx.words(`nothing-found-${language}`),
  );
}

/** A call that could not be written down is made once it can be: the album waits for it, and what the others have cost is kept. */
function unwritten(recognitions: readonly Recognition[]): Failure | undefined {
  return recognitions.find((recognition) => isFailure(recognition, 'database'));
}

/**
 * The failure that befell every picture alike: said once, not for each, with one button for all. Doubt is not: what it may cost to
 * read a picture again is decided for each.
 */
function commonFailure(recognitions: readonly Recognition[]): Failure | undefined {
  const [first] = recognitions;
  if (!isFailure(first) || first.kind === 'in-doubt') return undefined;
  return recognitions.every((recognition) => isFailure(recognition, first.kind)) ? first : undefined;
}

/** As many "Try again" as a phone shows side by side. */
const IN_A_ROW = 2;

function inRows(buttons: readonly Button[]): Button[][] {
  const rows = Math.ceil(buttons.length / IN_A_ROW);
  return Array.from({ length: rows }, (_, row) => buttons.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW));
}

/** A picture that failed for a reason that may pass can be read once more, alone, in the same language. */
async function tryAgainButtons(
  ctx: BotContext,
  { pictures, language }: PicturesToRead,
  recognitions: readonly Recognition[],
): Promise<Button[]> {
  const buttons: Button[] = [];
  for (const [index, { message }] of pictures.entries()) {
    if (!mayPass(recognitions[index]) || message === undefined) continue;
    const asked = { ...message, caption: language, caption_entities: [] };
    const update = { update_id: ctx.update.update_id, message: asked };
    buttons.push(await tryAgainButton(ctx, [update], { isInPlace: false, which: ` ${index + 1}` }));
  }
  return buttons;
}

function failureOrThrow(error: unknown): Failure {
  if (isFailure(error) && error.kind !== 'cancelled') return error;
  throw error;
}
