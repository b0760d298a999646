/** To hear the text of a source, in a Tibetan dialect or in Chinese. */
import { speakInTurn, unpaidSpeech } from '../interpreter/speech.ts';
import { translate, unpaidTranslation } from '../interpreter/translation.ts';
import { dominantLanguage, type Language } from '../language/script.ts';
import { isOnlyLinks } from '../language/spoken-text.ts';
import { DIALECTS, languageOf, speakerOf, type Variety, type Voice } from '../language/variety.ts';
import type { BotContext } from '../telegram/context.ts';
import { withoutNumbers } from '../telegram/request/additions.ts';
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
        return { notice: isOnlyLinks(given) ? 'only-links' : sentenceForNeither(given) };
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
