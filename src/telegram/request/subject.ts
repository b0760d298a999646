/** What a request is about: a text, pictures or a document, its own or those replied to, and all of a text of which a message shows a part. */
import type { Document, Message, TextQuote } from 'telegraf/types';
import { readingWithoutMarks } from '../../language/page-marks.ts';
import { documentWords } from '../../language/page-range.ts';
import { parseReadingLanguage, readingLanguageIn } from '../../language/reading-language.ts';
import type { Language } from '../../language/script.ts';
import { ELLIPSIS } from '../../language/truncate.ts';
import { wholeId } from '../../store/kept/results.ts';
import { TEXT_FILE_NAME } from '../answer/posting.ts';
import { downloadFile } from '../api/files.ts';
import type { ReceivedContext } from '../context.ts';
import { repliedMessage } from './asked.ts';
import { type Known, wordsBesideCommand } from './command.ts';
import {
  isRecognised,
  readingOfShown,
  textsWithoutRemarks,
  textWithoutHeadings,
  withoutAdditions,
} from './own-text.ts';
import {
  type DocumentToRead,
  documentIn,
  type PicturesToRead,
  pictureElsewhere,
  picturesIn,
  type SentDocument,
  type SentPicture,
} from './sent-file.ts';
import { mentions, textIn, textWithoutMention } from './text-in.ts';

interface RepliedTo {
  /** Of the message replied to; unset where that one is in another chat. */
  readonly id: number | undefined;
  /** Its picture, or those of an album; empty where it has none. */
  readonly pictures: readonly SentPicture[];
  /** Its PDF or text file, unless it is one that the bot has made itself. */
  readonly document: SentDocument | undefined;
  /** In which they are to be read, as a caption says; undefined where none names one. */
  readonly language: Language | undefined;
  /** The part that was quoted, else the whole text or caption; empty when there is none. */
  readonly text: string;
}

/** A text, and the message that it stands in where that is not the one that asked: the answer goes under it. */
export interface SourceText {
  readonly text: string;
  readonly replyTo?: number | undefined;
}

type Subject =
  | ({ readonly kind: 'text' } & SourceText)
  | ({ readonly kind: 'pictures' } & PicturesToRead)
  | ({ readonly kind: 'document' } & DocumentToRead);

/**
 * What a command is about: what it replies to where the words after it, if any, just say how to read that; else these words. `usual`: the
 * language in which pictures are read where nothing names one. Undefined where there is nothing that it could be about.
 */
export async function subjectOf(
  ctx: ReceivedContext,
  words: string,
  usual: Language,
): Promise<Subject | undefined> {
  const replied = await repliedTo(ctx);
  const named = parseReadingLanguage(words);
  if (replied !== undefined && replied.pictures.length > 0 && (words === '' || named !== undefined))
    return { ...asPictures(replied, named, usual), caption: replied.text };
  if (replied?.document !== undefined && documentWords(words).areUnderstood)
    return asDocument({ ...replied, document: replied.document }, words, usual);
  if (words !== '') return { kind: 'text', text: words };
  return replied && { kind: 'text', text: replied.text, replyTo: replied.id };
}

/** What a message is replied to for, whatever the words of the reply; `named`: the language that they name. */
export function subjectReplied(
  replied: RepliedTo,
  words: string,
  named: Language | undefined,
  usual: Language,
): Subject {
  const { pictures, document, text, id: replyTo } = replied;
  if (pictures.length > 0) return asPictures(replied, named, usual);
  if (document !== undefined) return asDocument({ ...replied, document }, words, usual);
  return { kind: 'text', text, replyTo };
}

function asPictures(
  { pictures, language, id: replyTo }: RepliedTo,
  named: Language | undefined,
  usual: Language,
) {
  return { kind: 'pictures', pictures, replyTo, language: named ?? language ?? usual } as const;
}

/** As words beside it ask for it: first those of whoever asks, then its caption (`text`). */
export function asDocument(
  { document, id, text }: Pick<RepliedTo, 'id' | 'text'> & { readonly document: SentDocument },
  words: string,
  usual: Language,
) {
  const [asked, under] = [documentWords(words), documentWords(text)];
  return {
    kind: 'document',
    document,
    replyTo: id,
    language: asked.language ?? under.language ?? usual,
    isInBoth: asked.isInBoth || (asked.language === undefined && under.isInBoth),
    ranges: asked.ranges ?? under.ranges,
  } as const;
}

/** What of a message a reply means of which a person has quoted a part: `whole` is for what has no parts, a picture. */
type Meant = 'quote' | 'whole';

/**
 * What the message of this update replies to; undefined when it is no reply. A command in the caption of a photo, or of an album,
 * counts as a reply to it.
 */
export async function repliedTo(
  ctx: ReceivedContext,
  meant: Meant = 'quote',
): Promise<RepliedTo | undefined> {
  const { album, asked, bot } = ctx;
  if (asked.kind !== 'caption-command') return repliedToBy(ctx, ctx.message, meant);
  const pictures = picturesIn(album, bot.api);
  const document = album.map(documentIn).find((one) => one !== undefined);
  return {
    id: pictures[0]?.message?.message_id ?? document?.message,
    pictures,
    document,
    language: languageNamed(album, bot),
    text: '',
  };
}

/** What a message replies to. */
export async function repliedToBy(
  ctx: ReceivedContext,
  message: Message | undefined,
  meant: Meant = 'quote',
): Promise<RepliedTo | undefined> {
  const { bot } = ctx;
  const replied = repliedMessage(message);
  const { quote, external_reply } = elsewhereIn(message);
  if (meant === 'quote' && quote !== undefined && quotesPart(message))
    return {
      id: replied?.message_id,
      pictures: [],
      document: undefined,
      language: undefined,
      text: quote.text,
    };
  if (external_reply !== undefined) {
    const pictures = pictureElsewhere(external_reply, bot.api);
    const language = languageNamed([external_reply], bot);
    const document = documentIn(external_reply);
    return { id: undefined, pictures, document, language, text: quote?.text ?? '' };
  }
  if (replied === undefined) return undefined;
  const pictures = picturesIn([replied], bot.api);
  const language = languageNamed([replied], bot);
  const document = ownTextFile(ctx, replied) === undefined ? documentIn(replied) : undefined;
  return { id: replied.message_id, pictures, document, language, text: await wordsIn(ctx, replied) };
}

/** Whether a person has chosen a part of what they reply to. Telegram quotes by itself, too, to show what a reply is about. */
export function quotesPart(message: Message | undefined): boolean {
  return elsewhereIn(message).quote?.is_manual === true;
}

/** The first language that a caption names, beside its command where it has one. */
function languageNamed(messages: readonly object[], known: Known): Language | undefined {
  return messages
    .map((message) => readingLanguageIn(wordsBesideCommand(message, known) ?? textIn(message)))
    .find((language) => language !== undefined);
}

/** What tells of a quote, and of a message in another chat that this one replies to (Bot API, Message). */
interface Elsewhere {
  readonly quote?: TextQuote;
  readonly external_reply?: object;
}

/** What a message tells of a quote, and of a message in another chat. */
export function elsewhereIn(message: object | undefined): Elsewhere {
  return message ?? {};
}

/** Of a message that asked a bot for something neither its command nor its mention of this bot is meant. */
async function wordsIn(ctx: ReceivedContext, message: Message): Promise<string> {
  const { bot, botInfo } = ctx;
  const beside = wordsBesideCommand(message, bot);
  if (beside !== undefined) return beside;
  return mentions(message, botInfo) ? textWithoutMention(message, botInfo) : textOf(ctx, message);
}

/**
 * Without what the bot has put around it. Throws `file-gone` or `file-unfetched` where it is in a file of the bot's that could not be had.
 */
async function textOf(ctx: ReceivedContext, message: Message): Promise<string> {
  const file = ownTextFile(ctx, message);
  const sound = cutSoundIn(message);
  const whole =
    file !== undefined
      ? readingWithoutMarks((await downloadFile(ctx.bot.api, file.file_id, ctx.signal)).toString('utf8'))
      : sound && (await ctx.bot.wholes.find(wholeId(sound)));
  if (whole !== undefined) return textsWithoutRemarks(whole);
  const isOwn = message.from?.id === ctx.botInfo.id;
  const text = textWithoutHeadings(isOwn ? withoutAdditions(message) : message);
  return isOwn && isRecognised(message) ? readingOfShown(ctx, text) : text;
}

/** The text that a callback query is about: the whole that it names, else that of its message; undefined where the whole is kept no more. */
export async function textOfCallback(
  ctx: ReceivedContext,
  message: Message,
  whole: string | undefined,
): Promise<string | undefined> {
  if (whole === undefined) return textOf(ctx, message);
  const text = await ctx.bot.wholes.find(whole);
  return text === undefined ? undefined : textsWithoutRemarks(text);
}

function ownTextFile({ botInfo }: ReceivedContext, message: Message): Document | undefined {
  if (message.from?.id !== botInfo.id || !('document' in message)) return undefined;
  return message.document.file_name === TEXT_FILE_NAME ? message.document : undefined;
}

/** Which sound stands for its text (`media-answer.ts`), where its caption shows only the beginning. */
function cutSoundIn(message: Message): string | undefined {
  const sound = 'voice' in message ? message.voice : 'audio' in message ? message.audio : undefined;
  if (sound === undefined || !('caption' in message)) return undefined;
  return message.caption?.endsWith(ELLIPSIS) ? sound.file_unique_id : undefined;
}
