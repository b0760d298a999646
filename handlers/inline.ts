/** `@bot text` in any chat: offers the translation, and the voice notes that exist already; at most one paid call per pause in typing. */
import { translate, unpaidTranslation } from '../src/interpreter/translation.ts';
import { LANGUAGES, type Language, otherLanguage, scriptCounts } from '../src/language/script.ts';
import { tibetanIfWylie } from '../src/language/wylie.ts';
import {
  hint,
  type InlineAnswer,
  type InlineQuery,
  offers,
  textResult,
  voiceResults,
} from '../src/telegram/inline/inline-mode.ts';

/** A script with at least this share of the other's characters counts as a text of its own, not as a word or name within the other. */
const OWN_TEXT = 0.5;

/** Answers an inline query; undefined if the person typed on. */
export async function inline(query: InlineQuery): Promise<InlineAnswer | undefined> {
  const { text } = query;
  if (text === '') return hint(query, 'inline-how');
  const targets = targetsOf(text);
  if (targets.length === 0) return inLatin(query);
  const { interpreter } = query.bot;
  const unpaid = await Promise.all(targets.map((to) => unpaidTranslation(interpreter, text, to)));
  const missing = targets.filter((_, index) => unpaid[index]?.length !== 0);
  if (missing.length > 0 && !(await query.pause())) return undefined;

  // Make one paid call per pause: if the same text is asked for again, it is offered in the other direction, too.
  const later = missing.slice(1);
  const offered = targets.filter((to) => !later.includes(to));
  const asked = { asker: query.asker, signal: query.signal };
  const outcomes = await Promise.allSettled(offered.map((to) => translate(interpreter, text, to, asked)));
  const results = outcomes.flatMap((outcome, index) => {
    const to = offered[index];
    if (outcome.status === 'rejected' || to === undefined) return [];
    return [textResult(to, outcome.value, direction(query, to))];
  });
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined && results.length === 0) throw failed.reason;
  const translations = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [] : outcome.value));
  const voices = await voiceResults(query, [...translations, text]);
  return offers([...results, ...voices], results.length === targets.length);
}

/** The languages to translate into: both, the likelier first, if the text has enough of each script. */
function targetsOf(text: string): Language[] {
  const counts = scriptCounts(text);
  const most = Math.max(counts.tibetan, counts.chinese);
  return LANGUAGES.filter((language) => counts[language] > 0 && counts[language] >= most * OWN_TEXT)
    .sort((one, other) => counts[other] - counts[one])
    .map(otherLanguage);
}

function direction({ words }: InlineQuery, to: Language): string {
  return `${words(`language-${otherLanguage(to)}`)} → ${words(`language-${to}`)}`;
}

/** Offers Tibetan typed in Wylie in its own script, at no cost. */
async function inLatin(query: InlineQuery): Promise<InlineAnswer> {
  const tibetan = await tibetanIfWylie(query.text);
  if (tibetan === undefined) return hint(query, 'inline-neither');
  const written = textResult('wylie', tibetan, `Wylie → ${query.words('language-tibetan')}`);
  return offers([written, ...(await voiceResults(query, [tibetan]))]);
}
