/** Photos, images sent as files, albums and documents: reads, translates and speaks them, as the person has set (spec §2, `photo`). */
import { documentWords } from '../src/language/page-range.ts';
import { readingLanguageIn } from '../src/language/reading-language.ts';
import { dominantLanguage } from '../src/language/script.ts';
import type { CallKind } from '../src/paid-calls.ts';
import {
  captionOf,
  type KeyboardFor,
  pictureButtons,
  translationButtons,
} from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { doubtsIn } from '../src/telegram/outbox/answer.ts';
import { type Activity, whileShowing } from '../src/telegram/outbox/progress.ts';
import { numbered } from '../src/telegram/request/additions.ts';
import {
  type DocumentToRead,
  documentIn,
  type PicturesToRead,
  picturesIn,
} from '../src/telegram/request/sent-file.ts';
import { asDocument } from '../src/telegram/request/subject.ts';
import { textIn, textWithoutMention } from '../src/telegram/request/text-in.ts';
import { readDocument } from './pages.ts';
import { readOnTheWay, readPictures } from './pictures.ts';
import { askAboutSeveral, type FileToRead } from './several-files.ts';
import { answerWithSpeech } from './speak.ts';
import {
  languageFor,
  translate,
  translateDocument,
  translateDocumentOnTheWay,
  wantedInto,
} from './translation.ts';

/** Answers files that were sent together: first the pictures, then one document after another. */
export async function sentFiles(ctx: BotContext): Promise<void> {
  const { album, bot, botInfo, session } = ctx;
  const pictures = picturesIn(album, bot.api);
  // A caption that names a language sets the reading language for this once.
  const named = album
    .map((message) => readingLanguageIn(textIn(message)))
    .find((language) => language !== undefined);
  const documents = album.flatMap((message) => {
    const document = documentIn(message);
    if (document === undefined) return [];
    const words = textWithoutMention(message, botInfo);
    const isCaptioned = !documentWords(words).areUnderstood && captionOf(ctx, message) !== undefined;
    return [{ ...asDocument({ document, caption: words }, '', session.reading), isCaptioned }];
  });
  const replyTo = pictures[0]?.message?.message_id;
  const asked = { kind: 'pictures', pictures, replyTo, language: named ?? session.reading } as const;
  await answerFiles(ctx, pictures.length > 0 ? [asked, ...documents] : documents);
}

/** Does what the person has set for these pictures and documents, one after another. */
export async function answerFiles(ctx: BotContext, files: readonly FileToRead[]): Promise<void> {
  const { photo, target } = ctx.session;
  const translated = wantedInto(ctx, target, photo === 'speak' ? ['speech'] : []);
  await askAboutSeveral(ctx, files, photo === 'read' ? { ...translated, atLeast: [] } : translated);
  for (const file of files) {
    if (file.kind === 'pictures') await answerPictures(ctx, file);
    else await answerDocument(ctx, file);
  }
}

/** Does what the person has set for pictures without a request of their own. */
async function answerPictures(ctx: BotContext, asked: PicturesToRead): Promise<void> {
  if (ctx.session.photo === 'read') return readPictures(ctx, asked);
  await whileShowing(ctx, 'typing', (activity) => answerWithTranslation(ctx, asked, activity));
}

/** Sends the text above its translation, and, if so set, a voice note of the translation. A text that needs no translation is read and spoken. */
async function answerWithTranslation(
  ctx: BotContext,
  asked: PicturesToRead,
  activity: Activity,
): Promise<void> {
  const { replyTo } = asked;
  const isSpoken = ctx.session.photo === 'speak';
  const callsAfter: CallKind[] = isSpoken ? ['speech'] : [];
  const found = await readOnTheWay(ctx, asked, activity, ['translation', ...callsAfter]);
  if (found === undefined) return;
  const text = numbered(found.readings);
  const to = languageFor(text, ctx.session.target);
  if (to === undefined) {
    await readPictures(ctx, asked, found.recognitions);
    if (isSpoken && dominantLanguage(text) !== undefined)
      await answerWithSpeech(ctx, text, { variety: undefined, replyTo }, activity);
    return;
  }
  const { again, caption } = await pictureButtons(ctx, asked);
  const keyboard: KeyboardFor = (one, whole) => [...translationButtons(ctx)(one, whole), again, caption];
  const options = { keyboard, isOriginalShown: true, callsAfter, remark: doubtsIn(ctx, text) };
  const translation = await translate(ctx, { text, replyTo }, to, activity, options);
  if (isSpoken) await answerWithSpeech(ctx, translation, { variety: undefined, replyTo }, activity);
}

/** Does what the person has set for a document without a request of its own. */
async function answerDocument(ctx: BotContext, asked: DocumentToRead): Promise<void> {
  const { photo, target } = ctx.session;
  if (photo === 'read' && asked.document.kind === 'pdf') return readDocument(ctx, asked);
  if (photo !== 'speak') return translateDocument(ctx, asked, target);
  const { replyTo } = asked;
  await whileShowing(ctx, 'typing', async (activity) => {
    const found = await translateDocumentOnTheWay(ctx, asked, target, activity, ['speech']);
    if (found === undefined) return;
    if (dominantLanguage(found.reading) === undefined) return found.answer();
    const options = { variety: undefined, replyTo, answerBefore: found.answer };
    await answerWithSpeech(ctx, found.reading, options, activity);
  });
}
