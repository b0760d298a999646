/** A mention of the bot in a chat without it: translates the text beside it, or the text or photo that it replies to. */
import { readingsOf, recognise } from '../src/interpreter/recognition.ts';
import type { Picture } from '../src/interpreter/request.ts';
import { translateBeginning } from '../src/interpreter/translation.ts';
import { sayHowToRead } from '../src/language/page-range.ts';
import { isLikelyText } from '../src/language/reading/likely.ts';
import { readingLanguageIn } from '../src/language/reading-language.ts';
import { dominantLanguage, type Language, otherLanguage } from '../src/language/script.ts';
import { TELEGRAM_LIMIT } from '../src/language/split.ts';
import { takeVariety } from '../src/language/variety.ts';
import type { GuestAnswer, GuestQuery } from '../src/telegram/inline/guest-mode.ts';
import { parseMessage } from '../src/telegram/request/parsed-message.ts';
import { loadable } from '../src/telegram/request/sent-file.ts';
import { repliedToBy } from '../src/work/subject.ts';
import { languageFor } from '../src/work/translate.ts';

/** Answers a guest query; throws `Failure`s. */
export async function guest(query: GuestQuery): Promise<GuestAnswer> {
  const { bot, message, session } = query;
  const asking = parseMessage(message, bot);
  const replied = await repliedToBy(query, message);
  const { command, payload = '', text: own = asking.textWithoutMention } = asking.command ?? {};
  // Speech is a link to the bot's own chat: a guest's answer is a text. Any other command only names its text: everything is translated.
  const speech = command?.name === 'speak' ? takeVariety(payload) : undefined;
  const source = [asking, ...(replied?.parts ?? [])].find(({ pictures }) => pictures.length > 0);
  const [picture] = source?.pictures ?? [];
  const isOwnText = dominantLanguage(own) !== undefined;
  if (source !== undefined && picture !== undefined && (!isOwnText || sayHowToRead(own))) {
    const language = readingLanguageIn(own) ?? readingLanguageIn(source.text) ?? session.reading;
    return { ...(await read(query, loadable(bot.api, picture), language)), variety: speech?.variety };
  }
  const text = isOwnText ? own : (replied?.text ?? own);
  if (speech !== undefined && dominantLanguage(text) !== undefined)
    return { text, about: text, variety: speech.variety };
  return translated(query, text);
}

async function translated(query: GuestQuery, text: string): Promise<GuestAnswer> {
  const from = dominantLanguage(text);
  if (from === undefined) return { text: query.words('guest-how') };
  const to = languageFor(text, query.session.target) ?? otherLanguage(from);
  const { translation, unfinished } = await beginning(query, text, to, TELEGRAM_LIMIT);
  return { text: translation, about: translation, unfinished };
}

/** Translates as much as there is room for, in UTF-16 units. */
async function beginning(query: GuestQuery, text: string, to: Language, room: number) {
  const { translation, isWhole } = await translateBeginning(query.bot.interpreter, text, to, room, query);
  return { translation, unfinished: isWhole ? undefined : { text, to } };
}

/** Answers with the text of a picture above its translation, since the answer has no button to ask for that. */
async function read(query: GuestQuery, picture: Picture, language: Language): Promise<GuestAnswer> {
  const { bot, asker, signal } = query;
  const { interpreter } = bot;
  const asked = { asker, signal, callsAfter: ['translation'] as const };
  const text = await recognise(interpreter, picture, language, asked);
  if (text === '') return { text: query.words(`nothing-found-${language}`) };
  if (!isLikelyText(text)) return { text: query.words(`unlikely-${language}`) };
  const [reading = text] = await readingsOf(interpreter, [text], query);
  const to = languageFor(reading, 'auto');
  const above = `${text}\n\n`;
  const room = TELEGRAM_LIMIT - above.length;
  if (to === undefined || room <= 0) return { text, about: reading };
  const { translation, unfinished } = await beginning(query, reading, to, room);
  return { text: above + translation, about: reading, unfinished };
}
