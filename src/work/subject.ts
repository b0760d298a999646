/** Finds what a request is about: a text, pictures or documents, its own or those replied to. */
import type { Document, Message, TextQuote } from 'telegraf/types';
import { documentWords } from '../language/page-range.ts';
import { parseReadingLanguage, readingLanguageIn } from '../language/reading-language.ts';
import { LANGUAGES, type Language } from '../language/script.ts';
import { ELLIPSIS } from '../language/split.ts';
import { captionOf } from '../telegram/answer/buttons.ts';
import { downloadFile } from '../telegram/api/files.ts';
import type { BotContext } from '../telegram/context.ts';
import { TEXT_FILE_NAME } from '../telegram/outbox/answer.ts';
import {
  isRecognised,
  readingOfFile,
  readingOfShown,
  textsWithoutRemarks,
  textWithoutHeadings,
  withoutAdditions,
} from '../telegram/request/additions.ts';
import { repliedMessage } from '../telegram/request/asked.ts';
import { type Part, partElsewhere, partOf } from '../telegram/request/part.ts';
import type { SentDocument } from '../telegram/request/sent-file.ts';
import { documentSource } from './document.ts';
import { picturesIn, picturesSource, type SentPicture } from './pictures.ts';
import { type Source, textSource } from './source.ts';

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

/** The files of the request itself: first its pictures, then one document after another. */
export function sourcesSent(ctx: BotContext): readonly Source[] {
  const { album, bot, session } = ctx;
  const pictures = picturesIn(album, bot.api);
  // A caption that names a language sets the reading language for this once.
  const named = album.map(({ text }) => readingLanguageIn(text)).find((language) => language !== undefined);
  const documents = album.flatMap((part) => {
    const { document, words: caption } = part;
    if (document === undefined) return [];
    const isCaptioned = !documentWords(caption).areUnderstood && captionOf(part) !== undefined;
    return [asSource({ document, caption }, '', session.reading, isCaptioned)];
  });
  if (pictures.length === 0) return documents;
  const replyTo = pictures[0]?.part.message?.message_id;
  return [picturesSource({ pictures, replyTo, languages: [named ?? session.reading] }), ...documents];
}

/**
 * The sources of a command: what it replies to, if the words after it, if any, only say how to read that; else these words. `usual`: the
 * language to read pictures in, if nothing names one. Empty if there is nothing that it could be about.
 */
export async function sourcesOf(ctx: BotContext, words: string, usual: Language): Promise<readonly Source[]> {
  const replied = await repliedTo(ctx);
  const { pictures = [], documents = [], text = '' } = replied ?? {};
  const named = parseReadingLanguage(words);
  const isHowToRead =
    (pictures.length > 0 && (words === '' || named !== undefined)) ||
    (documents.length > 0 && documentWords(words).areUnderstood);
  if (replied !== undefined && isHowToRead)
    return sourcesReplied({ ...replied, caption: text }, words, named, usual);
  if (words !== '') return [textSource(words)];
  return replied === undefined ? [] : [textSource(text, replied.id)];
}

/**
 * The sources of a reply, whatever its words say: the pictures, then one document after another. `named`: the language that the words name,
 * or both; `caption`: taken if nothing is found in the pictures.
 */
export function sourcesReplied(
  replied: RepliedTo & { readonly caption?: string },
  words: string,
  named: Language | 'both' | undefined,
  usual: Language,
): readonly Source[] {
  const { pictures, documents, text, id: replyTo, language, caption } = replied;
  if (pictures.length === 0 && documents.length === 0) return [textSource(text, replyTo)];
  const languages = named === 'both' ? LANGUAGES : [named ?? language ?? usual];
  return [
    ...(pictures.length > 0 ? [picturesSource({ pictures, replyTo, languages, caption })] : []),
    ...documents.map((document) => asSource(document, words, usual)),
  ];
}

/** A document with the pages and language asked for: by the asker's words first, then by its caption. */
function asSource(
  { document, caption }: CaptionedDocument,
  words: string,
  usual: Language,
  isCaptioned = false,
): Source {
  const [asked, under] = [documentWords(words), documentWords(caption)];
  return documentSource(document, {
    language: asked.language ?? under.language ?? usual,
    isInBoth: asked.isInBoth || (asked.language === undefined && under.isInBoth),
    ranges: asked.ranges ?? under.ranges,
    isCaptioned,
  });
}

/** What a reply that quotes a part means: that part, or the whole message (for a picture, which has no parts). */
type Meant = 'quote' | 'whole';

/**
 * The content that this request replies to; undefined if it is no reply. A command in the caption of a photo or an album counts as a
 * reply to it.
 */
export async function repliedTo(ctx: BotContext, meant: Meant = 'quote'): Promise<RepliedTo | undefined> {
  const { album, asked, bot } = ctx;
  if (asked.kind !== 'caption-command') return repliedToBy(ctx, ctx.message, meant);
  const pictures = picturesIn(album, bot.api);
  const documents = album.flatMap((part) => captioned(part.document, textBesideCommand(part)));
  return {
    id: pictures[0]?.part.message?.message_id ?? documents[0]?.document.message,
    pictures,
    documents,
    language: languageNamed(album),
    text: '',
  };
}

/** The content that a message replies to. */
export async function repliedToBy(
  ctx: BotContext,
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
    const part = partElsewhere(external_reply, bot);
    const pictures = picturesIn([part], bot.api);
    const language = languageNamed([part]);
    const { document } = part;
    const text = quote?.text ?? '';
    const documents = captioned(document && { ...document, message: undefined }, text);
    return { id: undefined, pictures, documents, language, text };
  }
  if (replied === undefined) return undefined;
  const part = partOf(replied, bot);
  const pictures = picturesIn([part], bot.api);
  const language = languageNamed([part]);
  const document = ownTextFile(ctx, replied) === undefined ? part.document : undefined;
  // Without its command, or its mention of the bot.
  const text = part.command?.words ?? (part.mentionsBot ? part.words : await textOf(ctx, replied));
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
function languageNamed(parts: readonly Part[]): Language | undefined {
  return parts
    .map((part) => readingLanguageIn(textBesideCommand(part)))
    .find((language) => language !== undefined);
}

function textBesideCommand({ command, text }: Part): string {
  return command?.words ?? text;
}

/** The fields of a quote, and of a message in another chat that this one replies to (Bot API, Message). */
interface Elsewhere {
  readonly quote?: TextQuote;
  readonly external_reply?: object;
}

export function elsewhereIn(message: object | undefined): Elsewhere {
  return message ?? {};
}

/**
 * The text of a message, without the bot's additions. Throws `file-gone` or `file-unfetched` if it is in a file of the bot's that cannot
 * be downloaded.
 */
async function textOf(ctx: BotContext, message: Message): Promise<string> {
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
  ctx: BotContext,
  message: Message,
  whole: string | undefined,
): Promise<string | undefined> {
  if (whole === undefined) return textOf(ctx, message);
  const text = await ctx.bot.wholes.find('text', whole);
  return text === undefined ? undefined : textsWithoutRemarks(text);
}

function ownTextFile({ botInfo }: BotContext, message: Message): Document | undefined {
  if (message.from?.id !== botInfo.id || !('document' in message)) return undefined;
  return message.document.file_name === TEXT_FILE_NAME ? message.document : undefined;
}

/** The key of a voice note's whole text (`media-answer.ts`), if its caption shows only the beginning. */
function cutSoundIn(message: Message): string | undefined {
  const sound = 'voice' in message ? message.voice : 'audio' in message ? message.audio : undefined;
  if (sound === undefined || !('caption' in message)) return undefined;
  return message.caption?.endsWith(ELLIPSIS) ? sound.file_unique_id : undefined;
}
