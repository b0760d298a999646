/** To hear the text of a source, in a Tibetan dialect or in Chinese; in a long voice note, where its speakers and pages begin. */
import { type SpokenText, speakInTurn, unpaidSpeech } from '../interpreter/speech.ts';
import { translate, unpaidTranslation } from '../interpreter/translation.ts';
import { dominantLanguage, type Language } from '../language/script.ts';
import { isOnlyLinks } from '../language/spoken-text.ts';
import { DIALECTS, languageOf, speakerOf, type Variety, type Voice } from '../language/variety.ts';
import type { BotContext } from '../telegram/context.ts';
import { textsIn, withoutNumbers } from '../telegram/request/additions.ts';
import type { Found, PageStart, Source } from './source.ts';
import { sentenceForNeither } from './translate.ts';
import type { Wish } from './wish.ts';

/** A variety, or the three dialects one after another. */
type Varieties = Variety | 'all';

interface SpeakOptions {
  /** At three quarters of the speed. */
  readonly isSlow?: boolean | undefined;
  /** The voice of Chinese, in place of the session's. */
  readonly voice?: Voice | undefined;
  /** The language that the text is read in, where that is decided: the calls to come are then counted from the beginning. */
  readonly from?: Language;
}

/** `asked`: by default the session's dialect for Tibetan, and Chinese for Chinese. */
export function toSpeak(
  asked: Varieties | undefined,
  { isSlow = false, voice: own, from }: SpeakOptions = {},
): Wish {
  const calls = (asked === 'all' ? DIALECTS : ['one']).map(() => 'speech' as const);
  const isTranslatedFirst = from !== undefined && asked !== undefined && from !== languageOf(asked);
  const atLeast = isTranslatedFirst ? (['translation', ...calls] as const) : calls;
  return {
    atLeast,
    unpaid: async (ctx, numbered) => {
      const { interpreter } = ctx.bot;
      const text = withoutNumbers(numbered);
      const voice = voiceFor(ctx, text, asked, own);
      if (voice === undefined) return [];
      const { language, speakers } = voice;
      if (language === dominantLanguage(text)) return unpaidSpeech(interpreter, text, speakers);
      const unpaid = await unpaidTranslation(interpreter, numbered, language);
      return unpaid.length > 0 ? [...unpaid, ...calls] : [];
    },
    fulfil: async (ctx, _source, numbered) => {
      const { session, signal, asker, bot } = ctx;
      const { progress } = ctx.outbox;
      const given = withoutNumbers(numbered);
      if (given.trim() === '') return { notice: 'nothing-to-speak' };
      const voice = voiceFor(ctx, given, asked, own);
      if (voice === undefined)
        return { notice: (await isOnlyLinks(given)) ? 'only-links' : await sentenceForNeither(given) };
      const { language, varieties, speakers } = voice;
      const isTranslated = language !== dominantLanguage(given);
      progress.show('record_voice');
      let text = given;
      if (isTranslated) {
        // With its numbers, as an album is translated to be read: neither pays for what the other bought.
        const translation = await translate(bot.interpreter, numbered, language, {
          asker,
          signal,
          onProgress: progress.part(speakers.length),
          callsAfter: speakers.map(() => 'speech'),
        });
        text = withoutNumbers(translation);
        session.lastText = text;
        session.lastOriginal = { text: given, translation: text };
      }
      const options = { asker, signal, onProgress: progress.part() };
      const note = await speakInTurn(bot.interpreter, text, speakers, options, isSlow);
      progress.show('upload_voice');
      return { speech: { note, varieties, isSlow, text, isTranslated } };
    },
  };
}

/** The variety and voice of a text, and its language; undefined if it is in neither. */
function voiceFor(
  { session }: BotContext,
  text: string,
  asked: Varieties | undefined,
  voice: Voice = session.voice,
) {
  const language = dominantLanguage(text);
  if (language === undefined) return undefined;
  const variety = asked ?? (language === 'tibetan' ? session.dialect : 'chinese');
  const varieties = variety === 'all' ? DIALECTS : [variety];
  const speakers = varieties.map((one) => speakerOf(one, voice));
  return { language: languageOf(variety), varieties, speakers };
}

/** The session has a translated text in both languages: it is spoken as written in the variety's language, not translated back. */
export function asWritten({ session }: BotContext, text: string, asked: Varieties | undefined): string {
  const { lastOriginal } = session;
  if (asked === undefined || lastOriginal?.translation !== text) return text;
  return dominantLanguage(lastOriginal.text) === languageOf(asked) ? lastOriginal.text : text;
}

/** A shorter note needs no times, in seconds. */
const MIN_LONG_S = 60;
/** The maximum number of named pages; of more, only every second, third … is named. */
const MAX_PAGES_NAMED = 30;

/** Where the pages begin that have a text; for an album, those in the text of its message. */
export function pageStartsOf({ document }: Source, found: Found): PageStart[] {
  const readings = found.pages.length > 1 ? found.readings : textsIn(found.text);
  const pages = document?.pages ?? found.pages;
  const isPaged = pages.length > 1;
  const texts = document?.pages && isPaged ? pages.map(({ text }) => text) : readings;
  return startsOf(texts, isPaged ? pages.map(({ number }) => number) : []);
}

function startsOf(readings: readonly string[], numbers: readonly number[]): PageStart[] {
  const total = readings.reduce((sum, { length }) => sum + length, 0);
  let before = 0;
  return readings.flatMap((reading, index) => {
    const share = before / total;
    before += reading.length;
    return reading === '' ? [] : [{ number: numbers[index] ?? index + 1, share }];
  });
}

/**
 * The speakers, in one line; in a long note with the times of the speakers, or of the pages if there is one speaker. Telegram makes times
 * links (`0:20 Khampa`).
 */
export function speakersInWords(
  ctx: BotContext,
  { timeOf, durationSeconds }: SpokenText,
  varieties: readonly Variety[],
  pages: readonly PageStart[],
): string {
  const isLong = durationSeconds >= MIN_LONG_S;
  const names = varieties.map((variety) => ctx.words(variety));
  if (!isLong) return names.join(' → ');
  if (names.length > 1) return names.map((name, index) => `${clock(timeOf(index, 0))} ${name}`).join(' → ');
  const step = Math.ceil(pages.length / MAX_PAGES_NAMED);
  const named = pages.length < 2 ? [] : pages.filter((_, index) => index % step === 0);
  return [
    ...names,
    ...named.map(({ number, share }) => `${clock(timeOf(0, share))} ${ctx.words('voice-page', { number })}`),
  ].join(' · ');
}

/** `1:02:03`, or `2:03` below an hour. */
function clock(seconds: number): string {
  const inFull = new Date(seconds * 1000).toISOString().slice(11, 19);
  return inFull.replace(/^0(?:0:0?)?/, '');
}
