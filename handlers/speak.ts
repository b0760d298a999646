/** /speak: a text as a voice note, in a Tibetan dialect or in Chinese. */
import { dominantLanguage } from '../src/language/script.ts';
import { DIALECTS, languageOf, speakerOf, type Variety } from '../src/language/variety.ts';
import { parseVariety, takeVariety } from '../src/language/variety-names.ts';
import { tibetanIfWylie } from '../src/language/wylie.ts';
import type { CallKind } from '../src/paid-calls.ts';
import { type Button, readAgainButtons, translationButtons } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { answer, fitsCaption, notice } from '../src/telegram/outbox/answer.ts';
import { answerWithVoice } from '../src/telegram/outbox/media.ts';
import { type Activity, whileShowing } from '../src/telegram/outbox/progress.ts';
import { firstLine, voiceCaption, withoutNumbers } from '../src/telegram/request/additions.ts';
import { type Callback, callbackMessage, noticeIfGone } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import type { DocumentToRead, PicturesToRead } from '../src/telegram/request/sent-file.ts';
import { subjectsOf, textOfCallback } from '../src/telegram/request/subject.ts';
import { readDocumentOnTheWay } from './pages.ts';
import { readOnTheWay } from './pictures.ts';
import { askAboutSeveral, type Wanted } from './several-files.ts';

/** The buttons under a text, one for each variety. The text is that of their message, or the one that they name. */
const speakButton: Callback<BotContext> = {
  data: /^speak:(\w+)(?::(?<whole>[\w-]+))?$/,
  isAboutMessage: true,
  notice: noticeIfGone('callback-too-old'),
  handle: async (ctx, [, word = '', whole]) => {
    const message = callbackMessage(ctx);
    const variety = parseVariety(word);
    if (message === undefined || variety === undefined) return;
    const text = await textOfCallback(ctx, message, whole);
    // `notice` has told the sender.
    if (text === undefined) return;
    await speakText(ctx, text, { variety, replyTo: message.message_id });
  },
};

/** A variety, or the three dialects one after another. */
type Asked = Variety | 'all';

/** Speaks the text given, or that of the message replied to (a photo is read first), or the session's last one. */
export const speak: Command<BotContext> = {
  name: 'speak',
  menu: 'everybody',
  about: ['text', 'picture'],
  textIn: (payload) => takeVariety(payload).text,
  callbacks: [speakButton],
  handle: async (ctx, payload) => {
    const { variety, text } = takeVariety(payload);
    const subjects = await subjectsOf(ctx, text, ctx.session.reading);
    if (subjects.length === 0) return speakText(ctx, lastTextFor(ctx, variety), { variety });
    await askAboutSeveral(ctx, subjects, wantedSpoken(ctx, variety));
    for (const subject of subjects) {
      if (subject.kind === 'pictures') await speakPictures(ctx, subject, variety);
      else if (subject.kind === 'document') await speakDocument(ctx, subject, variety);
      else await speakText(ctx, subject.text, { variety, replyTo: subject.replyTo });
    }
  },
};

/** What it takes to speak a text, translated first if it is in another language. */
function wantedSpoken(ctx: BotContext, asked: Asked | undefined): Wanted {
  const { interpreter } = ctx.bot;
  return {
    ofText: async (text) => {
      const voice = voiceFor(ctx, text, asked);
      if (voice === undefined) return [];
      const { language, speakers } = voice;
      if (language === dominantLanguage(text)) return interpreter.unpaidSpeech(text, speakers);
      const calls = await interpreter.unpaidTranslation(text, language);
      return calls.length > 0 ? [...calls, ...callsOf(asked)] : [];
    },
    atLeast: callsOf(asked),
  };
}

/** Who speaks a text, and in which language; undefined if it is in neither. */
function voiceFor({ session }: BotContext, text: string, asked: Asked | undefined) {
  const language = dominantLanguage(text);
  if (language === undefined) return undefined;
  const variety = asked ?? (language === 'tibetan' ? session.dialect : 'chinese');
  const varieties = variety === 'all' ? DIALECTS : [variety];
  const speakers = varieties.map((one) => speakerOf(one, session.voice));
  return { language: languageOf(variety), varieties, speakers };
}

/** Reads a document, and speaks all of it in one voice note. */
async function speakDocument(
  ctx: BotContext,
  asked: DocumentToRead,
  variety: Asked | undefined,
): Promise<void> {
  const { replyTo } = asked;
  await whileShowing(ctx, 'typing', async (activity) => {
    const found = await readDocumentOnTheWay(ctx, asked, activity, callsOf(variety));
    if (found === undefined) return;
    await answerWithSpeech(ctx, found.reading, { variety, replyTo, answerBefore: found.answer }, activity);
  });
}

/** Reads pictures, and speaks all of an album in one voice note. */
async function speakPictures(
  ctx: BotContext,
  asked: PicturesToRead,
  variety: Asked | undefined,
): Promise<void> {
  const { replyTo } = asked;
  await whileShowing(ctx, 'typing', async (activity) => {
    const found = await readOnTheWay(ctx, asked, activity, callsOf(variety));
    if (found === undefined) return;
    const text = found.readings.filter((one) => one !== '').join('\n\n');
    const again = await readAgainButtons(ctx, asked);
    await answerWithSpeech(ctx, text, { variety, replyTo, again }, activity);
  });
}

/**
 * The last text of the session. After a translation the session has it in both languages: the text is spoken in the variety's language as
 * it was written, not translated back.
 */
function lastTextFor({ session }: BotContext, variety: Asked | undefined): string {
  const { lastText = '', lastOriginal } = session;
  if (variety === undefined || lastOriginal?.translation !== lastText) return lastText;
  return dominantLanguage(lastOriginal.text) === languageOf(variety) ? lastOriginal.text : lastText;
}

interface SpeakOptions {
  /** Unset: the session's dialect for Tibetan, Chinese for Chinese. */
  readonly variety: Asked | undefined;
  readonly replyTo?: number | undefined;
  /** Set if the text was read in pictures, so that the person has not seen it: the buttons to read them again. */
  readonly again?: readonly Button[];
  /** Sends an answer before the voice note, once that is paid for. */
  answerBefore?(): Promise<void>;
}

/** The paid calls that speaking needs at least. */
function callsOf(variety: Asked | undefined): CallKind[] {
  return variety === 'all' ? DIALECTS.map(() => 'speech') : ['speech'];
}

/** Answers with a voice note of a text, or says why there is none. */
export async function speakText(ctx: BotContext, text: string, options: SpeakOptions): Promise<void> {
  if (text.trim() === '') return notice(ctx, 'nothing-to-speak');
  if (dominantLanguage(text) === undefined)
    return notice(ctx, tibetanIfWylie(text) === undefined ? 'neither-script' : 'neither-script-nor-wylie');
  await whileShowing(ctx, 'record_voice', (activity) => answerWithSpeech(ctx, text, options, activity));
}

/**
 * Answers with a voice note, without the photo numbers of an album. Translates the text first, and shows the translation, if it is not in
 * the variety's language.
 */
export async function answerWithSpeech(
  ctx: BotContext,
  numbered: string,
  options: SpeakOptions,
  { part, change }: Activity,
): Promise<void> {
  const text = withoutNumbers(numbered);
  const voice = voiceFor(ctx, text, options.variety);
  const { replyTo, again } = options;
  if (voice === undefined) return notice(ctx, 'neither-script', { keyboard: [again ?? []], replyTo });
  ctx.session.lastText = numbered;
  const { language: spokenLanguage, varieties, speakers } = voice;
  const translates = spokenLanguage !== dominantLanguage(text);
  const { interpreter } = ctx.bot;
  const asked = { asker: ctx.asker, signal: ctx.signal };

  change('record_voice');
  const spoken = translates
    ? await interpreter.translate(text, spokenLanguage, {
        ...asked,
        onProgress: part(),
        callsAfter: speakers.map(() => 'speech'),
      })
    : text;
  if (translates) ctx.session.lastText = spoken;
  const voiceNote = await interpreter.speakInTurn(spoken, speakers, { ...asked, onProgress: part() });
  change('upload_voice');
  await options.answerBefore?.();
  // Shows a text that the person has not seen in the caption, or in a message of its own if it is too long.
  const isNew = translates || again !== undefined;
  const names = varieties.map((one) => ctx.words(one)).join(' → ');
  const isInCaption = isNew && fitsCaption(voiceCaption(names, spoken));
  if (isNew && !isInCaption) await answer(ctx, spoken, { keyboard: translationButtons(ctx), replyTo });
  const keyboard = [again ?? []];
  const caption = voiceCaption(names, isInCaption ? spoken : firstLine(spoken));
  await answerWithVoice(ctx, voiceNote, { caption, text: spoken, keyboard, replyTo });
}
