/** A photo, an image sent as a file, or an album gets what its person has set (spec §2, `photo`): it is read, translated, spoken. */
import { readingLanguageIn } from '../src/language/reading-language.ts';
import { dominantLanguage } from '../src/language/script.ts';
import type { CallKind } from '../src/paid-calls.ts';
import { type Activity, whileShowing } from '../src/telegram/answer/activity.ts';
import {
  type KeyboardFor,
  type PicturesToRead,
  pictureButtons,
  translationButtons,
} from '../src/telegram/answer/buttons.ts';
import { doubtsIn } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { numbered } from '../src/telegram/request/own-text.ts';
import { picturesIn } from '../src/telegram/request/sent-file.ts';
import { textIn } from '../src/telegram/request/text-in.ts';
import { document } from './document.ts';
import { readOnTheWay, readPictures } from './photo.ts';
import { sayAloud } from './speak.ts';
import { languageFor, translate } from './translation.ts';

/** A caption that names a language decides for this once in which it is read; else the session's reading language does. */
export async function pictures(ctx: BotContext): Promise<void> {
  const named = ctx.album
    .map((message) => readingLanguageIn(textIn(message)))
    .find((language) => language !== undefined);
  const pictures = picturesIn(ctx.album, ctx.bot.api);
  const replyTo = pictures[0]?.message?.message_id;
  await tellPictures(ctx, { pictures, replyTo, language: named ?? ctx.session.reading });
  // Files that were sent together may be of both kinds.
  await document(ctx);
}

/** What its person has set for pictures that nothing else is asked about. */
export async function tellPictures(ctx: BotContext, asked: PicturesToRead): Promise<void> {
  if (ctx.session.photo === 'read') return readPictures(ctx, asked);
  await whileShowing(ctx, 'typing', (activity) => tellMeaning(ctx, asked, activity));
}

/** The text above its translation, and where that is set the translation as a voice note; what needs no translation is just read, and spoken. */
async function tellMeaning(ctx: BotContext, asked: PicturesToRead, activity: Activity): Promise<void> {
  const { replyTo } = asked;
  const isSpoken = ctx.session.photo === 'speak';
  const callsAfter: CallKind[] = isSpoken ? ['speech'] : [];
  const texts = await readOnTheWay(ctx, asked, activity, ['translation', ...callsAfter]);
  if (texts === undefined) return;
  const text = numbered(texts);
  const to = languageFor(text, ctx.session.target);
  if (to === undefined) {
    // It is kept by now.
    await readPictures(ctx, asked);
    if (isSpoken && dominantLanguage(text) !== undefined)
      await sayAloud(ctx, text, { variety: undefined, replyTo }, activity);
    return;
  }
  const { again, caption } = await pictureButtons(ctx, asked);
  const keyboard: KeyboardFor = (one, whole) => [...translationButtons(ctx)(one, whole), again, caption];
  const options = { keyboard, isOriginalShown: true, callsAfter, remark: doubtsIn(ctx, text) };
  const translation = await translate(ctx, { text, replyTo }, to, activity, options);
  if (isSpoken) await sayAloud(ctx, translation, { variety: undefined, replyTo }, activity);
}
