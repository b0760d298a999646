/** A mention of the bot in a chat without it: translates the text beside it, or the text or photo that it replies to. */
import { readingsOfPages } from '../src/language/reading/reading.ts';
import { readingLanguageIn } from '../src/language/reading-language.ts';
import { dominantLanguage, otherLanguage } from '../src/language/script.ts';
import type { GuestAnswer, GuestQuery } from '../src/telegram/inline/guest-mode.ts';
import { textWithoutHeadings } from '../src/telegram/request/additions.ts';
import { repliedMessage } from '../src/telegram/request/asked.ts';
import { pictureIn } from '../src/telegram/request/sent-file.ts';
import { elsewhereIn } from '../src/telegram/request/subject.ts';
import { textIn, textWithoutMention } from '../src/telegram/request/text-in.ts';
import { languageFor } from './translation.ts';

/** Answers a guest query; throws `Failure`s. */
export async function guest(query: GuestQuery): Promise<GuestAnswer> {
  const { bot, message } = query;
  const own = textWithoutMention(message, bot.me);
  const { quote, external_reply: external } = elsewhereIn(message);
  const replied = repliedMessage(message);
  if (dominantLanguage(own) !== undefined) return translated(query, own);
  if (quote?.is_manual === true) return translated(query, quote.text);
  for (const source of [message, external, replied]) {
    const picture = pictureIn(source, bot.api);
    if (picture !== undefined) return read(query, picture, own || textIn(source));
  }
  const text = quote?.text ?? (replied === undefined ? own : textWithoutHeadings(replied));
  return text.trim() === '' ? { text: query.words('guest-how') } : translated(query, text);
}

async function translated(query: GuestQuery, text: string): Promise<GuestAnswer> {
  const { bot, asker, signal, session } = query;
  const from = dominantLanguage(text);
  if (from === undefined) return { text: query.words('guest-how') };
  const to = languageFor(text, session.target) ?? otherLanguage(from);
  const translation = await bot.interpreter.translate(text, to, { asker, signal });
  return { text: translation, about: translation };
}

/** The text of a picture above its translation, since the answer has no button to ask for that. */
async function read(
  query: GuestQuery,
  picture: NonNullable<ReturnType<typeof pictureIn>>,
  caption: string,
): Promise<GuestAnswer> {
  const { bot, asker, signal, session } = query;
  const language = readingLanguageIn(caption) ?? session.reading;
  const asked = { asker, signal, callsAfter: ['translation'] as const };
  const text = await bot.interpreter.recognise(picture, language, asked);
  if (text === '') return { text: query.words(`nothing-found-${language}`) };
  const [reading = text] = readingsOfPages([await bot.interpreter.pageOf(text)]);
  const to = languageFor(reading, 'auto');
  if (to === undefined) return { text, about: reading };
  const translation = await bot.interpreter.translate(reading, to, { asker, signal });
  return { text: `${text}\n\n${translation}`, about: reading };
}
