/** `@bot text` in any chat: offers the translation, and the voice notes that exist already; at most one paid call per pause in typing. */
import { translate, unpaidTranslation } from '../src/interpreter/translation.ts';
import { dominantLanguage, otherLanguage } from '../src/language/script.ts';
import { tibetanIfWylie } from '../src/language/wylie.ts';
import {
  hint,
  type InlineAnswer,
  type InlineQuery,
  offers,
  textResult,
  voiceResults,
} from '../src/telegram/inline/inline-mode.ts';

/** Answers an inline query; undefined if the person typed on. */
export async function inline(query: InlineQuery): Promise<InlineAnswer | undefined> {
  const { text, asker, signal, words } = query;
  if (text === '') return hint(query, 'inline-how');
  const from = dominantLanguage(text);
  if (from === undefined) return inLatin(query);
  const { interpreter } = query.bot;
  const to = otherLanguage(from);
  const isPaid = (await unpaidTranslation(interpreter, text, to)).length > 0;
  if (isPaid && !(await query.pause())) return undefined;
  const translation = await translate(interpreter, text, to, { asker, signal });
  const direction = `${words(`language-${from}`)} → ${words(`language-${to}`)}`;
  return offers([
    textResult(to, translation, direction),
    ...(await voiceResults(query, [translation, text])),
  ]);
}

/** Offers Tibetan typed in Wylie in its own script, at no cost. */
async function inLatin(query: InlineQuery): Promise<InlineAnswer> {
  const tibetan = tibetanIfWylie(query.text);
  if (tibetan === undefined) return hint(query, 'inline-neither');
  const written = textResult('wylie', tibetan, `Wylie → ${query.words('language-tibetan')}`);
  return offers([written, ...(await voiceResults(query, [tibetan]))]);
}
