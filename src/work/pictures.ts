/** Photos, images sent as files, and albums as sources. */
import { type Failure, isFailure, mayPass } from '../errors.ts';
import { type Recognition, recogniseEach, unpaidOf } from '../interpreter/recognition.ts';
import type { Asked, Picture } from '../interpreter/request.ts';
import { parseReadingLanguage } from '../language/reading-language.ts';
import { dominantLanguage, type Language, otherLanguage } from '../language/script.ts';
import type { CallKind } from '../paid-calls.ts';
import { type Button, captionOf, isChannel, keptForButton } from '../telegram/answer/buttons.ts';
import type { BotApi } from '../telegram/api/api.ts';
import type { BotContext } from '../telegram/context.ts';
import { type AlbumPicture, parseAlbum } from '../telegram/request/album-picture.ts';
import { type Part, partOf } from '../telegram/request/part.ts';
import { messagesOf } from '../telegram/request/request.ts';
import { loadable, type SentFile } from '../telegram/request/sent-file.ts';
import type { Page, Source } from './source.ts';

/** A picture, and the message that it came in. */
export interface SentPicture {
  readonly picture: Picture;
  readonly file: SentFile;
  /** See `Part`. */
  readonly part: Part;
}

/** The pictures of these messages, in order; a message without one is left out. */
export function picturesIn(parts: readonly Part[], api: BotApi): SentPicture[] {
  return parts.flatMap((part) =>
    part.picture === undefined ? [] : [{ picture: loadable(api, part.picture), file: part.picture, part }],
  );
}

interface Pictures {
  /** One picture, or those of an album. */
  readonly pictures: readonly SentPicture[];
  readonly replyTo: number | undefined;
  readonly languages: readonly Language[];
  /** Translated or spoken if no text is found in them. */
  readonly caption?: string | undefined;
  /** The id under which they are already kept for buttons. */
  readonly keptAs?: string;
}

export function picturesSource({ pictures, replyTo, languages, caption = '', keptAs }: Pictures): Source {
  const isText = dominantLanguage(caption) !== undefined && parseReadingLanguage(caption) === undefined;
  return {
    replyTo,
    form: 'lines',
    languages,
    caption: isText ? caption : undefined,
    read: (ctx, languages, asked) => readPictures(ctx, recognitionsOf(pictures, languages), asked),
    unread: async (ctx, languages) => {
      const unpaid = await unpaidOf(ctx.bot.interpreter, recognitionsOf(pictures, languages).flat());
      return Array.from(unpaid, () => 'recognition');
    },
    againButton: (ctx, language) => againButton(ctx, pictures, language, keptAs),
    captionButton: (ctx) => captionButton(ctx, pictures, keptAs === undefined ? replyTo : undefined),
  };
}

function recognitionsOf(pictures: readonly SentPicture[], languages: readonly Language[]): Recognition[][] {
  return languages.map((language) => pictures.map(({ picture }) => ({ picture, language })));
}

/** If calls follow, or both languages are read, none is made unless the limits allow all. */
async function readPictures(
  ctx: BotContext,
  inEach: readonly (readonly Recognition[])[],
  { onProgress, callsAfter = [] }: Pick<Asked, 'onProgress' | 'callsAfter'>,
): Promise<Page[][]> {
  const { asker, signal } = ctx;
  const { interpreter } = ctx.bot;
  const all = inEach.flat();
  const unpaid = await unpaidOf(interpreter, all);
  const calls = Array.from(unpaid, (): CallKind => 'recognition');
  if (unpaid.size > 0 && (callsAfter.length > 0 || inEach.length > 1))
    await interpreter.account.check(asker, calls, callsAfter);
  else await interpreter.account.mustBeAgreed(asker, calls);
  const asked = { asker, signal, onProgress };
  const results = await recogniseEach(interpreter, all, { atOnce: all.length, unpaid }, asked);
  const pageOf = (one: Recognition, index: number): Page => {
    const page = { number: index + 1, text: '', isLayer: false };
    const result = results.get(one) ?? '';
    return isFailure(result) ? { ...page, failure: result } : { ...page, text: result };
  };
  const pages = inEach.map((ofLanguage) => ofLanguage.map(pageOf));
  const failure = sharedFailure(pages);
  if (failure !== undefined) throw failure;
  return pages;
}

/** The failure for which there is no answer. */
function sharedFailure(inEach: readonly (readonly Page[])[]): Failure | undefined {
  const failures = inEach.flat().flatMap(({ failure }) => failure ?? []);
  const isSingle = inEach.every((pages) => pages.length === 1);
  if (isSingle && inEach.flat().every(({ text }) => text === ''))
    return failures.find(mayPass) ?? failures[0];
  return inEach.map(commonFailure).find((failure) => failure !== undefined);
}

/**
 * The failure of all pictures of an album: it is said once, with one button for all. `in-doubt` is not: people decide for each picture
 * whether to pay for another try.
 */
function commonFailure(pages: readonly Page[]): Failure | undefined {
  const first = pages[0]?.failure;
  if (first === undefined || first.kind === 'in-doubt') return undefined;
  return pages.every(({ failure }) => failure?.kind === first.kind) ? first : undefined;
}

/**
 * For a single picture the button's message replies to it, so Telegram tells the bot which picture is meant. An album, or a picture in
 * another chat, is kept for the button. Empty in a channel, and if keeping fails: an answer without its button is better than none.
 */
async function againButton(
  ctx: BotContext,
  pictures: readonly SentPicture[],
  read: Language,
  keptAs: string | undefined,
): Promise<Button[]> {
  if (isChannel(ctx)) return [];
  const [first, ...more] = pictures;
  const isToldByReply = more.length === 0 && first?.part.message !== undefined && keptAs === undefined;
  const id = isToldByReply ? undefined : (keptAs ?? (await keep(ctx, pictures)));
  if (id === undefined && !isToldByReply) return [];
  const language = otherLanguage(read);
  const data = id === undefined ? `read:${language}` : `read:${language}:${id}`;
  return [{ text: ctx.words(`button-read-${language}`), callback_data: data }];
}

/** "Translate caption", if the pictures have one in Tibetan or Chinese that says more than the reading language. None in a channel. */
async function captionButton(
  ctx: BotContext,
  pictures: readonly SentPicture[],
  replyTo: number | undefined,
): Promise<Button[]> {
  if (isChannel(ctx)) return [];
  const captioned = captionedOf(ctx, pictures);
  if (captioned === undefined) return [];
  const text = ctx.words('button-translate-caption');
  // Telegram delivers the message that the answer replies to.
  if (captioned.message?.message_id === replyTo) return [{ text, callback_data: 'caption' }];
  const id = await keptForButton(ctx.bot, ctx.person, captioned.caption);
  return id === undefined ? [] : [{ text, callback_data: `translate:${id}` }];
}

/** The first message of pictures, or of a film in their album, with a caption to translate. A document has a button of its own. */
function captionedOf(ctx: BotContext, pictures: readonly SentPicture[]) {
  const own = pictures.map(({ part }): Part => part).filter(({ message }) => message !== undefined);
  const parts = ctx.album.some((part) => own.includes(part))
    ? ctx.album.filter(({ document }) => document === undefined)
    : own;
  for (const part of parts) {
    const caption = captionOf(part);
    if (caption !== undefined) return { message: part.message, caption };
  }
  return undefined;
}

function keep(ctx: BotContext, pictures: readonly SentPicture[]): Promise<string | undefined> {
  const asker = ctx.msg?.message_id ?? 0;
  const caption = captionedOf(ctx, pictures)?.caption;
  const kept = pictures.map(({ file, part: { message } }, index): AlbumPicture => {
    const picture = { fileId: file.file_id, uniqueId: file.file_unique_id };
    // The caption to translate is the album's: it does not matter under which picture it is kept.
    return { message: message?.message_id ?? asker, ...picture, ...(index === 0 && caption && { caption }) };
  });
  return keptForButton(ctx.bot, ctx.person, JSON.stringify(kept), 'pictures');
}

/** The pictures kept under this id; undefined if they are no longer kept. */
export async function keptPictures(
  ctx: BotContext,
  id: string,
  language: Language,
): Promise<Source | undefined> {
  const whole = await ctx.bot.wholes.find('pictures', id);
  if (whole === undefined) return undefined;
  const { chat, from } = ctx;
  const date = ctx.callbackQuery?.message?.date ?? 0;
  const messages = messagesOf(parseAlbum(whole), { date, chat, from });
  const parts = messages.map((message) => partOf(message, ctx.bot));
  const pictures = picturesIn(parts, ctx.bot.api);
  return picturesSource({
    pictures,
    replyTo: messages[0]?.message_id,
    languages: [language],
    keptAs: id,
  });
}
