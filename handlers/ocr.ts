/** /ocr: reads the photo replied to, or sets the reading language. */
import { mayPass } from '../src/errors.ts';
import {
  parseBothLanguages,
  parseReadingLanguage,
  readingLanguageIn,
} from '../src/language/reading-language.ts';
import { LANGUAGES, type Language } from '../src/language/script.ts';
import type { CallKind } from '../src/paid-calls.ts';
import {
  captionButtons,
  type Keyboard,
  keptForButton,
  partButtons,
  tryAgainButton,
} from '../src/telegram/answer/buttons.ts';
import { SETTINGS } from '../src/telegram/answer/settings.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, doubtsIn, notice } from '../src/telegram/outbox/answer.ts';
import { whileShowing } from '../src/telegram/outbox/progress.ts';
import { numbered, readingsOf, underHeading } from '../src/telegram/request/additions.ts';
import type { Command } from '../src/telegram/request/command.ts';
import type { Pictures } from '../src/telegram/request/sent-file.ts';
import { repliedTo, subjectsReplied } from '../src/telegram/request/subject.ts';
import { readDocument } from './pages.ts';
import { readAll, readPictures, remarkOn, textOf } from './pictures.ts';
import { choiceOf } from './preferences.ts';
import { askAboutSeveral } from './several-files.ts';

const readingLanguage = choiceOf(
  'reading',
  SETTINGS.reading,
  parseReadingLanguage,
  (language) => `reading-${language}`,
);

/** As a reply to a photo, reads it in the language named, in both, or in the session's. Alone, sets or offers the reading language. */
export const ocr: Command<BotContext> = {
  name: 'ocr',
  menu: 'everybody',
  about: ['picture'],
  callbacks: [readingLanguage.button],
  handle: async (ctx, word) => {
    const isBoth = parseBothLanguages(word) !== undefined;
    const language = isBoth ? undefined : (parseReadingLanguage(word) ?? readingLanguageIn(word));
    const replied = await repliedTo(ctx, 'whole');
    const subjects =
      replied === undefined ? [] : subjectsReplied(replied, word, language, ctx.session.reading);
    await askAboutSeveral(ctx, subjects, { ofText: async () => [], atLeast: [], isInBoth: isBoth });
    for (const subject of subjects) {
      if (subject.kind === 'text') await notice(ctx, 'ocr-no-photo');
      else if (subject.kind === 'document') await readDocument(ctx, subject);
      else await (isBoth ? readInBoth(ctx, subject) : readPictures(ctx, subject));
    }
    if (subjects.length > 0) return;
    if (language !== undefined) return readingLanguage.take(ctx, language);
    await readingLanguage.offer(ctx, word === '' || isBoth ? 'ocr-how' : 'ocr-unknown');
  },
};

/** For signs and pages that mix both languages: one answer with both recognitions, each with its heading and its own buttons. */
async function readInBoth(ctx: BotContext, asked: Pictures): Promise<void> {
  const { replyTo } = asked;
  const recognitions = await whileShowing(ctx, 'typing', async (activity) => {
    await checkBoth(ctx, asked);
    const read = (language: Language) => readAll(ctx, { ...asked, language }, activity);
    // Waits for both, so that the one is kept if the other fails.
    const both = await Promise.allSettled(LANGUAGES.map(read));
    return both.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  });
  const found = await Promise.all(
    recognitions.map(async (ofLanguage) => numbered(await readingsOf(ctx, ofLanguage.map(textOf)))),
  );
  const failure = recognitions.flat().find((one) => mayPass(one));
  const isNothingFound = found.every((text) => text === '');
  if (isNothingFound && failure !== undefined) throw failure;
  const caption = await captionButtons(ctx, asked);
  if (isNothingFound) return notice(ctx, 'nothing-found-both', { keyboard: [caption], replyTo });
  ctx.session.lastText = found.filter((text) => text !== '').join('\n\n');
  const shown = LANGUAGES.map((language, index) => {
    const texts = recognitions[index]?.map((one) => textOf(one) || remarkOn(ctx, one, language)) ?? [];
    return underHeading(ctx.words(`language-${language}`), numbered(texts));
  });
  const parts = await Promise.all(
    LANGUAGES.map((language, index) => buttonsOfLanguage(ctx, language, found[index] ?? '')),
  );
  // What was read is kept, so that the repetition pays only for what failed.
  const repeat = failure === undefined ? [] : [tryAgainButton(ctx)];
  const keyboard = () => [...parts.flat(), caption, repeat];
  const remark = doubtsIn(ctx, ctx.session.lastText);
  await answer(ctx, shown.join('\n\n'), { keyboard, replyTo, remark });
}

/** Throws if the limits do not allow both, or the person has not agreed to that many calls. */
async function checkBoth(ctx: BotContext, { pictures }: Pictures): Promise<void> {
  const { interpreter } = ctx.bot;
  const pages = LANGUAGES.flatMap((language) => pictures.map(({ picture }) => ({ picture, language })));
  const kept = await Promise.all(
    pages.map(({ picture, language }) => interpreter.isRecognised(picture, language)),
  );
  const calls = kept.filter((isKept) => !isKept).map((): CallKind => 'recognition');
  if (calls.length > 0) await interpreter.check(ctx.asker, calls, []);
}

/** Buttons that name their text, which is kept for them: the message holds two. */
async function buttonsOfLanguage(ctx: BotContext, language: Language, text: string): Promise<Keyboard> {
  if (text === '') return [];
  const whole = await keptForButton(ctx.bot, ctx.person, text);
  return whole === undefined ? [] : partButtons(ctx, text, whole, ctx.words(`language-${language}`));
}
