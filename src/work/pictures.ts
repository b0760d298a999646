/** Photos, images sent as files, and albums as sources. */
import { z } from 'zod';
import { type Failure, isFailure, mayPass } from '../errors.ts';
import {
  callsOf,
  ManyPages,
  type PictureToRead,
  recognisePictures,
  unpaidOf,
} from '../interpreter/recognition.ts';
import type { Picture, RequestOptions } from '../interpreter/request.ts';
import type { PageRange } from '../language/page-range.ts';
import { parseReadingLanguage } from '../language/reading-language.ts';
import { dominantLanguage, type Language, otherLanguage } from '../language/script.ts';
import { captionOf, isChannel, keptForButton } from '../telegram/answer/buttons.ts';
import type { BotApi } from '../telegram/api/api.ts';
import type { BotContext } from '../telegram/context.ts';
import type { ParsedMessage } from '../telegram/request/parsed-message.ts';
import { loadable, type SentFile } from '../telegram/request/sent-file.ts';
import { documentSource } from './document.ts';
import type { Page, Source } from './source.ts';

interface SentPicture {
  readonly picture: Picture;
  readonly file: SentFile;
  /** The message that it came in; undefined if that is in another chat. */
  readonly message: number | undefined;
}

interface Pictures {
  /** One picture, or those of an album. */
  readonly pictures: readonly SentPicture[];
  /** The first caption that can be translated, and its message. */
  readonly captioned: Captioned | undefined;
  readonly languages: readonly Language[];
  /** The pages to read of one that turns out to have several. */
  readonly ranges?: readonly PageRange[] | undefined;
  /** Translated or spoken if no text is found in them. */
  readonly caption?: string | undefined;
  /** The id under which they are stored for buttons. */
  readonly keptAs?: string;
}

interface Captioned {
  readonly text: string;
  readonly message: number | undefined;
}

/** The pictures of these messages, in order; the caption may be that of a video beside them. */
export function picturesSource(
  api: BotApi,
  parts: readonly ParsedMessage[],
  how: Pick<Pictures, 'languages' | 'caption' | 'ranges'>,
): Source {
  const pictures = parts.flatMap(({ picture: file, message }) =>
    file === undefined ? [] : [{ picture: loadable(api, file), file, message: message?.message_id }],
  );
  // A document has a button of its own.
  const [captioned] = parts.flatMap((part): Captioned[] => {
    const text = part.document === undefined && part.message ? captionOf(part) : undefined;
    return text === undefined ? [] : [{ text, message: part.message?.message_id }];
  });
  return sourceOf({ pictures, captioned, ...how });
}

function sourceOf({ pictures, captioned, languages, ranges, caption = '', keptAs }: Pictures): Source {
  const isText = dominantLanguage(caption) !== undefined && parseReadingLanguage(caption) === undefined;
  const replyTo = pictures[0]?.message;
  const keep = async ({ bot, person, msg }: BotContext): Promise<string | undefined> => {
    if (keptAs !== undefined) return keptAs;
    const files = pictures.map(({ file, message = msg?.message_id ?? 0 }) => {
      return { message, fileId: file.file_id, uniqueId: file.file_unique_id };
    });
    return keptForButton(bot, person, JSON.stringify({ files, caption: captioned?.text }), 'pictures');
  };
  return {
    replyTo,
    form: 'lines',
    languages,
    caption: isText ? caption : undefined,
    read: async (ctx, languages, asked) => {
      const pages = await readPictures(ctx, recognitionsOf(pictures, languages), asked);
      const [only] = pictures;
      if (pages !== undefined || only === undefined) return pages;
      const { file, message } = only;
      const [language = 'tibetan', ...others] = languages;
      const document = { kind: 'tiff', file, name: file.file_name, message } as const;
      const isCaptioned = captioned !== undefined;
      return documentSource(document, { language, isInBoth: others.length > 0, ranges, isCaptioned });
    },
    unread: async (ctx, languages) => {
      return callsOf(await unpaidOf(ctx.bot.interpreter, recognitionsOf(pictures, languages).flat()));
    },
    // The button's message replies to a single picture, so Telegram names the picture. An album, or a picture in another chat, is stored
    // for the button. An answer without its button is better than none.
    againButton: async (ctx, read) => {
      if (isChannel(ctx)) return [];
      const isToldByReply = pictures.length === 1 && replyTo !== undefined && keptAs === undefined;
      const id = isToldByReply ? undefined : await keep(ctx);
      if (id === undefined && !isToldByReply) return [];
      const language = otherLanguage(read);
      const data = id === undefined ? `read:${language}` : `read:${language}:${id}`;
      return [{ text: ctx.words(`button-read-${language}`), callback_data: data }];
    },
    captionButton: async (ctx) => {
      if (isChannel(ctx) || captioned === undefined) return [];
      const text = ctx.words('button-translate-caption');
      // Telegram delivers the message that the answer replies to.
      const isToldByReply = captioned.message === replyTo && keptAs === undefined;
      if (isToldByReply) return [{ text, callback_data: 'caption' }];
      const id = await keptForButton(ctx.bot, ctx.person, captioned.text);
      return id === undefined ? [] : [{ text, callback_data: `translate:${id}` }];
    },
  };
}

/** The stored JSON of pictures with a button. */
const keptJson = z.object({
  files: z.array(z.object({ message: z.number(), fileId: z.string(), uniqueId: z.string() })),
  caption: z.string().optional(),
});

/** The pictures stored under this id; undefined if they have expired. */
export async function keptPictures(
  { bot }: BotContext,
  id: string,
  language: Language,
): Promise<Source | undefined> {
  const whole = await bot.wholes.find('pictures', id);
  if (whole === undefined) return undefined;
  const { files, caption } = keptJson.parse(JSON.parse(whole));
  const pictures = files.map(({ message, fileId, uniqueId }) => {
    const file = { file_id: fileId, file_unique_id: uniqueId };
    return { picture: loadable(bot.api, file), file, message };
  });
  const captioned = caption === undefined ? undefined : { text: caption, message: undefined };
  return sourceOf({ pictures, captioned, languages: [language], keptAs: id });
}

function recognitionsOf(pictures: readonly SentPicture[], languages: readonly Language[]): PictureToRead[][] {
  return languages.map((language) =>
    pictures.map(({ picture }) => {
      const kinds = { mayBeSliced: true, mayHavePages: pictures.length === 1 };
      return { picture: { ...picture, ...kinds }, language };
    }),
  );
}

/** If calls follow, or both languages are read, makes no call unless the limits allow all. */
async function readPictures(
  ctx: BotContext,
  inEach: readonly (readonly PictureToRead[])[],
  { onProgress, callsAfter = [] }: Pick<RequestOptions, 'onProgress' | 'callsAfter'>,
): Promise<Page[][] | undefined> {
  const { asker, signal } = ctx;
  const { interpreter } = ctx.bot;
  const all = inEach.flat();
  const unpaid = await unpaidOf(interpreter, all);
  const calls = callsOf(unpaid);
  if (unpaid.size > 0 && (callsAfter.length > 0 || inEach.length > 1))
    await interpreter.account.check(asker, calls, callsAfter);
  else await interpreter.account.mustBeAgreed(asker, calls);
  const asked = { asker, signal, onProgress, callsAfter };
  const results = await recognisePictures(interpreter, all, unpaid, asked);
  if (results.values().some((result) => result instanceof ManyPages)) return undefined;
  const pageOf = (one: PictureToRead, index: number): Page => {
    const page = { number: index + 1, text: '', isLayer: false };
    const result = results.get(one) ?? '';
    return isFailure(result) ? { ...page, failure: result } : { ...page, text: result };
  };
  const pages = inEach.map((ofLanguage) => ofLanguage.map(pageOf));
  const failure = sharedFailure(pages);
  if (failure !== undefined) throw failure;
  return pages;
}

/** The failure that leaves nothing to show. */
function sharedFailure(inEach: readonly (readonly Page[])[]): Failure | undefined {
  const failures = inEach.flat().flatMap(({ failure }) => failure ?? []);
  const isSingle = inEach.every((pages) => pages.length === 1);
  if (isSingle && inEach.flat().every(({ text }) => text === ''))
    return failures.find(mayPass) ?? failures[0];
  return inEach.map(commonFailure).find((failure) => failure !== undefined);
}

/**
 * The failure that all pictures of an album share: it is reported once, with one button for all. `in-doubt` is not: people decide for each
 * picture whether to pay for a retry.
 */
function commonFailure(pages: readonly Page[]): Failure | undefined {
  const first = pages[0]?.failure;
  if (first === undefined || first.kind === 'in-doubt') return undefined;
  return pages.every(({ failure }) => failure?.kind === first.kind) ? first : undefined;
}
