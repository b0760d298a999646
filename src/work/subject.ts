/** Finds what a request acts on: a text, pictures or documents, its own or those replied to. */
import type { Document, Message } from 'telegraf/types';
import { readingsOf } from '../interpreter/recognition.ts';
import { sayHowToRead } from '../language/page-range.ts';
import { inUnicode } from '../language/private-tibetan.ts';
import { type MarkedPage, pagesByMarks, runsOfPages, textOfRuns } from '../language/reading/page-marks.ts';
import type { Language } from '../language/script.ts';
import { subtitlesIn } from '../media/document/subtitles.ts';
import { downloadFile } from '../telegram/api/files.ts';
import type { BotContext } from '../telegram/context.ts';
import { TEXT_FILE_NAME } from '../telegram/reply/answer.ts';
import {
  isRecognised,
  isRemark,
  numbered,
  showsPages,
  textsIn,
  textsWithoutRemarks,
  textWithoutHeadings,
  withoutAdditions,
} from '../telegram/request/additions.ts';
import {
  type ParsedMessage,
  parseMessage,
  quotesPart,
  repliedMessage,
} from '../telegram/request/parsed-message.ts';
import { filesIn } from './files.ts';
import { type OfDocument, type Source, textSource } from './source.ts';

export interface ShownText {
  /** The text of a message, or a quoted part of it; empty if there is none. */
  readonly text: string;
  /** Set if it is in a file of the bot, or shows a document. */
  readonly document?: OfDocument | undefined;
}

interface RepliedTo extends ShownText {
  /** The id of the message replied to; unset if that is in another chat. */
  readonly id: number | undefined;
  /** The message, or those of an album; empty for a quoted part, which has no files. */
  readonly parts: readonly ParsedMessage[];
}

/**
 * The sources of a command: if it replies to something and its words, if any, only say how to read that, then that; else its words.
 * `usual`: the language to read pictures in, if nothing names one. Empty if there is nothing to act on.
 */
export async function sourcesOf(ctx: BotContext, words: string, usual: Language): Promise<readonly Source[]> {
  const replied = await repliedTo(ctx);
  const isAbout = words === '' || (replied?.parts.some((part) => part.hasFile) && sayHowToRead(words));
  if (replied !== undefined && isAbout) return sourcesReplied(ctx, replied, usual, words);
  return words === '' ? [] : [textSource(words)];
}

/** The sources of a reply, whatever its words say: its files, else its text. */
export async function sourcesReplied(
  ctx: BotContext,
  { parts, text, id, document }: RepliedTo,
  usual: Language,
  words?: string,
): Promise<Source[]> {
  const files = await filesIn(ctx, parts, usual, words);
  return files.length > 0 ? files : [textSource(text, id, document)];
}

/** What a reply that quotes a part means: that part, or the whole message (for a picture, which has no parts). */
type Meant = 'quote' | 'whole';

/** What this request replies to; undefined if it is no reply. A command in the caption of a photo or an album counts as a reply to that. */
export async function repliedTo(ctx: BotContext, meant: Meant = 'quote'): Promise<RepliedTo | undefined> {
  const { album, intent, message } = ctx;
  if (intent.kind !== 'command' || !intent.isAboutFile) return repliedToBy(ctx, message, meant);
  return { id: album.find(({ hasFile }) => hasFile)?.message?.message_id, parts: album, text: '' };
}

type Asking = Pick<BotContext, 'bot' | 'asker' | 'signal'>;

export async function repliedToBy(
  ctx: Asking,
  message: Message | undefined,
  meant: Meant = 'quote',
): Promise<RepliedTo | undefined> {
  const { bot } = ctx;
  const replied = repliedMessage(message);
  const { quote, external_reply }: Partial<Message.CommonMessage> = message ?? {};
  if (meant === 'quote' && quote !== undefined && quotesPart(message))
    return { id: replied?.message_id, parts: [], text: inUnicode(quote.text) };
  if (external_reply !== undefined) {
    const part = parseMessage({ ...external_reply, caption: quote?.text, message_id: undefined }, bot);
    return { id: undefined, parts: [part], text: part.text };
  }
  if (replied === undefined) return undefined;
  const part = parseMessage(replied, bot);
  const isOwnFile = ownTextFile(ctx, replied) !== undefined;
  // Leave out its command, or its mention of the bot.
  const words = part.command?.text ?? (part.mentionsBot ? part.textWithoutMention : undefined);
  const shown = words === undefined ? await textOfMessage(ctx, replied) : { text: words };
  return { id: replied.message_id, parts: isOwnFile ? [] : [part], ...shown };
}

/** Without the bot's additions. Throws `file-gone` or `file-unfetched` if the text is in a file of the bot that cannot be downloaded. */
async function textOfMessage(ctx: Asking, message: Message): Promise<ShownText> {
  const name = documentNameOf(ctx, message);
  const document = name === undefined ? undefined : { name };
  const file = ownTextFile(ctx, message);
  if (file !== undefined) {
    const bytes = await downloadFile(ctx.bot.api, file.file_id, ctx.signal);
    const text = bytes.toString('utf8');
    const subtitles = await subtitlesIn(text);
    if (subtitles !== undefined) return { text: subtitles.text, document: { name, subtitles } };
    const isMarked = pagesByMarks(text).length > 0;
    return isMarked ? textOfPages(ctx, text, name) : { text: textsWithoutRemarks(text), document };
  }
  const sound = 'voice' in message ? message.voice : 'audio' in message ? message.audio : undefined;
  // Its caption may show only the beginning (reply/media.ts).
  const whole = sound && (await ctx.bot.results.findWhole('voice-note', sound.file_unique_id));
  if (whole !== undefined) return { text: textsWithoutRemarks(whole) };
  if (!isFrom(ctx.bot.me, message)) return { text: textWithoutHeadings(message) };
  const text = textWithoutHeadings(withoutAdditions(message));
  if (showsPages(message)) return textOfPages(ctx, text, name);
  return { text: isRecognised(message) ? await readingOfShown(ctx, text) : text, document };
}

async function textOfPages(ctx: Asking, shown: string, name: string | undefined): Promise<ShownText> {
  const document = await shownPages(ctx, shown);
  return { text: textOfRuns(document.runs), document: { name, ...document } };
}

/** The name of the file that a message of the bot is, if that is named after a document, or of the document that it answers. */
function documentNameOf(ctx: Asking, message: Message): string | undefined {
  const own = ownTextFile(ctx, message);
  if (own !== undefined) return own.file_name === TEXT_FILE_NAME ? undefined : own.file_name;
  const replied = repliedMessage(message);
  return replied && parseMessage(replied, ctx.bot).document?.file.file_name;
}

/** Whether the bot wrote a message, or the original of a forwarded one. */
function isFrom({ id }: { readonly id: number }, message: Message): boolean {
  const origin = 'forward_origin' in message ? message.forward_origin : undefined;
  return message.from?.id === id || (origin?.type === 'user' && origin.sender_user.id === id);
}

/** The text that a callback query acts on: the stored one that it names, else that of its message. Undefined if it has expired. */
export async function textOfCallback(
  ctx: BotContext,
  message: Message,
  whole: string | undefined,
): Promise<ShownText | undefined> {
  if (whole === undefined) return textOfMessage(ctx, message);
  const text = await ctx.bot.results.findWhole('text', whole);
  if (text === undefined) return undefined;
  const name = documentNameOf(ctx, message);
  return { text: textsWithoutRemarks(text), document: name === undefined ? undefined : { name } };
}

function ownTextFile({ bot }: Asking, message: Message): Document | undefined {
  if (message.from?.id !== bot.me.id || !('document' in message)) return undefined;
  return message.document;
}

/** The pages in a message or a file of the bot, without remarks, and their readings; its only page where it has no marks. */
async function shownPages(
  ctx: Asking,
  text: string,
): Promise<{ pages: readonly MarkedPage[]; runs: readonly MarkedPage[] }> {
  const marked = pagesByMarks(text);
  const pages = (marked.length > 0 ? marked : [{ number: 1, text }]).map((page) => ({
    ...page,
    text: isRemark(page.text) ? '' : page.text,
  }));
  const texts = pages.map((page) => page.text);
  return { pages, runs: runsOfPages(pages, await readingsOf(ctx.bot.interpreter, texts, ctx)) };
}

/** The reading of a recognised text, given as a message shows it. */
async function readingOfShown(ctx: Asking, shown: string): Promise<string> {
  return numbered(await readingsOf(ctx.bot.interpreter, textsIn(shown), ctx));
}
