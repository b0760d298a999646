/** An album: one answer with the text of every picture, in album order. */
import type { Message } from 'telegraf/types';
import { type Failure, isFailure, mayPass } from '../src/errors.ts';
import type { Picture } from '../src/interpreter/request.ts';
import type { Language } from '../src/language/script.ts';
import { whileShowing } from '../src/telegram/answer/activity.ts';
import { type Button, textButtons } from '../src/telegram/answer/buttons.ts';
import { failureWords } from '../src/telegram/answer/failure-words.ts';
import { answerRecognised } from '../src/telegram/answer/recognised-text.ts';
import { tryAgainButton } from '../src/telegram/answer/try-again-button.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { asRemark, textsWithoutRemarks } from '../src/telegram/message/own-headings.ts';

export interface AlbumPart {
  readonly message: Message;
  readonly picture: Picture;
}

/** A picture that failed says so in its place, and the others are not lost. */
export async function readAlbum(
  ctx: BotContext,
  parts: readonly AlbumPart[],
  language: Language,
): Promise<void> {
  const readings = await readAll(ctx, parts, language);
  const failure = unwritten(readings) ?? commonFailure(readings);
  if (failure !== undefined) throw failure;
  const found = readings.filter((reading) => typeof reading === 'string' && reading !== '');
  if (found.length > 0) ctx.session.lastText = found.join('\n\n');
  const texts = readings.map((reading) =>
    isFailure(reading)
      ? asRemark(failureWords(ctx, reading))
      : reading || asRemark(ctx.words(`nothing-found-${language}`)),
  );
  const again = await tryAgainButtons(ctx, parts, readings);
  const recognised = readings.map((reading) => (isFailure(reading) ? '' : reading));
  await answerRecognised(ctx, numbered(texts), {
    keyboard: (text, whole) => [
      ...(found.length > 0 ? textButtons(ctx)(textsWithoutRemarks(text), whole) : []),
      ...inRows(again),
    ],
    recognised: numbered(recognised),
  });
}

/** Each text under the number of its photo; what is empty is left out. */
function numbered(texts: readonly string[]): string {
  const parts = texts.map((text, index) => (text === '' ? '' : `${index + 1}.\n${text}`));
  return parts.filter((part) => part !== '').join('\n\n');
}

function readAll(
  ctx: BotContext,
  parts: readonly AlbumPart[],
  language: Language,
): Promise<(string | Failure)[]> {
  const { interpreter } = ctx.bot;
  return whileShowing(ctx, 'typing', async ({ part }) => {
    const progress = part();
    const kept = await Promise.all(parts.map(({ picture }) => interpreter.isRead(picture, language)));
    const unpaid = kept.filter((isKept) => !isKept).length;
    let done = 0;
    progress(done, unpaid);
    return Promise.all(
      parts.map(async ({ picture }, index) => {
        const asked = { asker: ctx.asker, signal: ctx.signal };
        const reading = await interpreter.read(picture, language, asked).catch(failureOrThrow);
        if (!kept[index]) done += 1;
        progress(done, unpaid);
        return reading;
      }),
    );
  });
}

/** A call that could not be written down is made once it can be: the album waits for it, and what the others have cost is kept. */
function unwritten(readings: readonly (string | Failure)[]): Failure | undefined {
  return readings.find((reading) => isFailure(reading, 'database'));
}

/**
 * The failure that befell every picture alike: said once, not for each, with one button for all. Doubt is not: what it may cost to
 * read a picture again is decided for each.
 */
function commonFailure(readings: readonly (string | Failure)[]): Failure | undefined {
  const [first] = readings;
  if (!isFailure(first) || first.kind === 'in-doubt') return undefined;
  return readings.every((reading) => isFailure(reading, first.kind)) ? first : undefined;
}

/** As many "Try again" as a phone shows side by side. */
const IN_A_ROW = 2;

function inRows(buttons: readonly Button[]): Button[][] {
  const rows = Math.ceil(buttons.length / IN_A_ROW);
  return Array.from({ length: rows }, (_, row) => buttons.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW));
}

/** A picture that failed for a reason that may pass can be read once more, alone. */
async function tryAgainButtons(
  ctx: BotContext,
  parts: readonly AlbumPart[],
  readings: readonly (string | Failure)[],
): Promise<Button[]> {
  const buttons: Button[] = [];
  for (const [index, { message }] of parts.entries()) {
    if (!mayPass(readings[index])) continue;
    const update = { update_id: ctx.update.update_id, message };
    buttons.push(await tryAgainButton(ctx, [update], { isInPlace: false, which: ` ${index + 1}` }));
  }
  return buttons;
}

function failureOrThrow(error: unknown): Failure {
  if (isFailure(error) && error.kind !== 'cancelled') return error;
  throw error;
}
