/** Finds what a request is about: a text, pictures or a document, its own or those replied to. */
import type { Document, Message, TextQuote } from 'telegraf/types';
import { documentWords } from '../../language/page-range.ts';
import { parseReadingLanguage, readingLanguageIn } from '../../language/reading-language.ts';
import type { Language } from '../../language/script.ts';
import { ELLIPSIS } from '../../language/split.ts';
import { downloadFile } from '../api/files.ts';
import type { ReceivedContext } from '../context.ts';
import { TEXT_FILE_NAME } from '../outbox/answer.ts';
import {
  isRecognised,
  readingOfFile,
  readingOfShown,
  textsWithoutRemarks,
  textWithoutHeadings,
  withoutAdditions,
} from './additions.ts';
import { repliedMessage } from './asked.ts';
import { type Known, wordsBesideCommand } from './command.ts';
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

interface CaptionedDocument {
  readonly document: SentDocument;
  /** Without its command. */
  readonly caption: string;
}

interface RepliedTo {
  /** The id of the message replied to; unset if that is in another chat. */
  readonly id: number | undefined;
  /** Its picture, or those of an album; empty if it has none. */
  readonly pictures: readonly SentPicture[];
  /** Its PDF or text file, or those of an album; not one that the bot itself made. */
  readonly documents: readonly CaptionedDocument[];
  /** The language that a caption names to read them in. */
  readonly language: Language | undefined;
  /** The quoted part, else the whole text or caption; empty if there is none. */
  readonly text: string;
}

/** A text, and the message to reply to, if that is not the one that asked. */
export interface SourceText {
  readonly text: string;
  readonly replyTo?: number | undefined;
}

type Subject =
  | ({ readonly kind: 'text' } & SourceText)
  | ({ readonly kind: 'pictures' } & PicturesToRead)
  | ({ readonly kind: 'document' } & DocumentToRead);

/**
 * The subjects of a command, to be handled one after another: what it replies to, if the words after it, if any, only say how to read
 * that; else these words. `usual`: the language to read pictures in, if nothing names one. Empty if there is nothing that it could be about.
 */
export async function subjectsOf(
  ctx: ReceivedContext,
  words: string,
  usual: Language,
): Promise<readonly Subject[]> {
  const replied = await repliedTo(ctx);
  const { pictures = [], documents = [], text = '' } = replied ?? {};
  const named = parseReadingLanguage(words);
  const isHowToRead =
    (pictures.length > 0 && (words === '' || named !== undefined)) ||
    (documents.length > 0 && documentWords(words).areUnderstood);
  if (replied !== undefined && isHowToRead)
    return subjectsReplied(replied, words, named, usual).map((subject) =>
      subject.kind === 'pictures' ? { ...subject, caption: text } : subject,
    );
  if (words !== '') return [{ kind: 'text', text: words }];
  return replied === undefined ? [] : [{ kind: 'text', text, replyTo: replied.id }];
}

/** The subjects of a reply, whatever its words say: the pictures, then one document after another. `named`: the language that they name. */
export function subjectsReplied(
  replied: RepliedTo,
  words: string,
  named: Language | undefined,
  usual: Language,
): readonly Subject[] {
  const { pictures, documents, text, id: replyTo } = replied;
  if (pictures.length === 0 && documents.length === 0) return [{ kind: 'text', text, replyTo }];
  return [
    ...(pictures.length > 0 ? [asPictures(replied, named, usual)] : []),
    ...documents.map((document) => asDocument(document, words, usual)),
  ];
}

function asPictures(
  { pictures, language, id: replyTo }: RepliedTo,
  named: Language | undefined,
  usual: Language,
) {
  return { kind: 'pictures', pictures, replyTo, language: named ?? language ?? usual } as const;
}

/** A document with the pages and language asked for: by the asker's words first, then by its caption. */
export function asDocument({ document, caption }: CaptionedDocument, words: string, usual: Language) {
  const [asked, under] = [documentWords(words), documentWords(caption)];
  return {
    kind: 'document',
    document,
    replyTo: document.message,
    language: asked.language ?? under.language ?? usual,
    isInBoth: asked.isInBoth || (asked.language === undefined && under.isInBoth),
    ranges: asked.ranges ?? under.ranges,
  } as const;
}

/** What a reply that quotes a part means: that part, or the whole message (for a picture, which has no parts). */
type Meant = 'quote' | 'whole';

/**
 * The content that this request replies to; undefined if it is no reply. A command in the caption of a photo or an album counts as a
 * reply to it.
 */
export async function repliedTo(
  ctx: ReceivedContext,
  meant: Meant = 'quote',
): Promise<RepliedTo | undefined> {
  const { album, asked, bot } = ctx;
  if (asked.kind !== 'caption-command') return repliedToBy(ctx, ctx.message, meant);
  const pictures = picturesIn(album, bot.api);
  const documents = album.flatMap((message) =>
    captioned(documentIn(message), wordsBesideCommand(message, bot) ?? textIn(message)),
  );
  return {
    id: pictures[0]?.message?.message_id ?? documents[0]?.document.message,
    pictures,
    documents,
    language: languageNamed(album, bot),
    text: '',
  };
}

/** The content that a message replies to. */
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
      documents: [],
      language: undefined,
      text: quote.text,
    };
  if (external_reply !== undefined) {
    const pictures = pictureElsewhere(external_reply, bot.api);
    const language = languageNamed([external_reply], bot);
    const document = documentIn(external_reply);
    const text = quote?.text ?? '';
    const documents = captioned(document && { ...document, message: undefined }, text);
    return { id: undefined, pictures, documents, language, text };
  }
  if (replied === undefined) return undefined;
  const pictures = picturesIn([replied], bot.api);
  const language = languageNamed([replied], bot);
  const document = ownTextFile(ctx, replied) === undefined ? documentIn(replied) : undefined;
  const text = await wordsIn(ctx, replied);
  return { id: replied.message_id, pictures, documents: captioned(document, text), language, text };
}

function captioned(document: SentDocument | undefined, caption: string): CaptionedDocument[] {
  return document === undefined ? [] : [{ document, caption }];
}

/** Whether the person chose a part to quote. Telegram also quotes by itself, to show what a reply is about. */
export function quotesPart(message: Message | undefined): boolean {
  return elsewhereIn(message).quote?.is_manual === true;
}

/** The first language that a caption names, beside its command if it has one. */
function languageNamed(messages: readonly object[], known: Known): Language | undefined {
  return messages
    .map((message) => readingLanguageIn(wordsBesideCommand(message, known) ?? textIn(message)))
    .find((language) => language !== undefined);
}

/** The fields of a quote, and of a message in another chat that this one replies to (Bot API, Message). */
interface Elsewhere {
  readonly quote?: TextQuote;
  readonly external_reply?: object;
}

export function elsewhereIn(message: object | undefined): Elsewhere {
  return message ?? {};
}

/** The text of a message replied to; without its command, or its mention of the bot. */
async function wordsIn(ctx: ReceivedContext, message: Message): Promise<string> {
  const { bot, botInfo } = ctx;
  const beside = wordsBesideCommand(message, bot);
  if (beside !== undefined) return beside;
  return mentions(message, botInfo) ? textWithoutMention(message, botInfo) : textOf(ctx, message);
}

/**
 * The text of a message, without the bot's additions. Throws `file-gone` or `file-unfetched` if it is in a file of the bot's that cannot
 * be downloaded.
 */
async function textOf(ctx: ReceivedContext, message: Message): Promise<string> {
  const file = ownTextFile(ctx, message);
  if (file !== undefined) {
    const bytes = await downloadFile(ctx.bot.api, file.file_id, ctx.signal);
    return readingOfFile(ctx, bytes.toString('utf8'));
  }
  const sound = cutSoundIn(message);
  const whole = sound && (await ctx.bot.wholes.find('voice-note', sound));
  if (whole !== undefined) return textsWithoutRemarks(whole);
  const isOwn = message.from?.id === ctx.botInfo.id;
  const text = textWithoutHeadings(isOwn ? withoutAdditions(message) : message);
  return isOwn && isRecognised(message) ? readingOfShown(ctx, text) : text;
}

/** The text that a callback query is about: the one that it names, else that of its message. Undefined if it is no longer kept. */
export async function textOfCallback(
  ctx: ReceivedContext,
  message: Message,
  whole: string | undefined,
): Promise<string | undefined> {
  if (whole === undefined) return textOf(ctx, message);
  const text = await ctx.bot.wholes.find('text', whole);
  return text === undefined ? undefined : textsWithoutRemarks(text);
}

function ownTextFile({ botInfo }: ReceivedContext, message: Message): Document | undefined {
  if (message.from?.id !== botInfo.id || !('document' in message)) return undefined;
  return message.document.file_name === TEXT_FILE_NAME ? message.document : undefined;
}

/** The key of a voice note's whole text (`media-answer.ts`), if its caption shows only the beginning. */
function cutSoundIn(message: Message): string | undefined {
  const sound = 'voice' in message ? message.voice : 'audio' in message ? message.audio : undefined;
  if (sound === undefined || !('caption' in message)) return undefined;
  return message.caption?.endsWith(ELLIPSIS) ? sound.file_unique_id : undefined;
}
