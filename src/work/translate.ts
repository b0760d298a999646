/** The wish to see the translation of a source. */
import { translate, unpaidTranslation } from '../interpreter/translation.ts';
import { dominantLanguage, type Language, otherLanguage } from '../language/script.ts';
import { tibetanIfWylie } from '../language/wylie.ts';
import { isForLater, type Result, type Wish } from './wish.ts';

/** `auto`: the other language than the text's. */
export type Target = Language | 'auto';

interface TranslateOptions {
  /** The translation comes from a setting: a text that needs none is shown without a notice, any other with its original above. */
  readonly isBySetting?: boolean;
  /** The wish for the translation, or for a text that needs none. */
  readonly then?: Wish | undefined;
}

export function toTranslate(target: Target, { isBySetting = false, then }: TranslateOptions = {}): Wish {
  const callsAfter = then?.atLeast ?? [];
  return {
    atLeast: ['translation', ...callsAfter],
    then,
    unpaid: async ({ bot }, text) => {
      const to = languageFor(text, target);
      const calls = to === undefined ? [] : await unpaidTranslation(bot.interpreter, text, to);
      return calls.length > 0 ? [...calls, ...callsAfter] : [];
    },
    fulfil: async ({ bot, asker, signal, session, outbox }, source, given) => {
      // Latin letters count as Tibetan in Wylie only for a translation into Chinese.
      const isWylie = target === 'chinese' && source.form === 'text' && dominantLanguage(given) === undefined;
      const tibetan = isWylie ? await tibetanIfWylie(given) : undefined;
      const text = tibetan ?? given;
      const from = dominantLanguage(text);
      const needsNone = (notice: string): Result => (isBySetting && source.form !== 'text' ? {} : { notice });
      if (from === undefined)
        return needsNone(isWylie ? 'neither-script-nor-wylie' : await sentenceForNeither(text));
      const to = target === 'auto' ? otherLanguage(from) : target;
      if (to === from) return needsNone(`already-${from}`);
      const onProgress = outbox.progress.part(callsAfter.length);
      let beginning = '';
      const onGrowth = (grown: string): void => {
        beginning = grown;
      };
      const asked = { asker, signal, onProgress, onGrowth, callsAfter };
      let end: Result['end'];
      const translation = await translate(bot.interpreter, text, to, asked).catch((error: unknown) => {
        if (beginning.trim() === '' || !isForLater(error, signal)) throw error;
        end = error;
        return beginning;
      });
      session.lastText = translation;
      if (end === undefined) session.lastOriginal = { text, translation };
      return { tibetan, translation, isOriginalShown: isBySetting && source.form === 'lines', end };
    },
  };
}

/** The language to translate into; undefined if the text is in neither language, or already in that one. */
export function languageFor(text: string, target: Target): Language | undefined {
  const from = dominantLanguage(text);
  if (from === undefined) return undefined;
  const to = target === 'auto' ? otherLanguage(from) : target;
  return to === from ? undefined : to;
}

/** The sentence for a text in neither language, as a key of `locales/`; with a hint if it may be Tibetan in Wylie. */
export async function sentenceForNeither(text: string): Promise<string> {
  return (await tibetanIfWylie(text)) === undefined ? 'neither-script' : 'neither-script-nor-wylie';
}
