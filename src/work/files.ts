/** Files as sources: photos and albums, the pages of a PDF or a TIFF, and files of text. */

import { isFailure } from '../errors.ts';
import { kindOf, readPdf, readText, unpaidPages } from '../interpreter/document.ts';
import { callsOf, type PictureToRead, recognisePictures, unpaidOf } from '../interpreter/recognition.ts';
import type { RequestOptions } from '../interpreter/request.ts';
import { documentWords, type Password } from '../language/page-range.ts';
import { parseReadingLanguage, readingLanguageIn } from '../language/reading-language.ts';
import { LANGUAGES, type Language } from '../language/script.ts';
import { subtitlesIn } from '../media/document/subtitles.ts';
import type { BotApi } from '../telegram/api/api.ts';
import type { BotContext } from '../telegram/context.ts';
import { captionOf } from '../telegram/reply/buttons.ts';
import { type ParsedMessage, repliedMessage } from '../telegram/request/parsed-message.ts';
import { loadable, type SentDocument } from '../telegram/request/sent-file.ts';
import { textIn } from '../telegram/request/text-in.ts';
import { type Files, filesSchema, type Page, type Source, textSource } from './source.ts';

/**
 * The files of these messages: first the pictures, as one source, then one document after another. `usual`: the language to read them in, if
 * neither the person's words, which may also choose pages, nor a caption names one.
 */
export async function filesIn(
  ctx: BotContext,
  sent: readonly ParsedMessage[],
  usual: Language,
  words = '',
): Promise<Source[]> {
  const { bot } = ctx;
  const parts: ParsedMessage[] = [];
  // One after another: each may load a file.
  for (const part of sent) parts.push(await identified(ctx, part));
  const ofAsker = documentWords(words);
  const languagesFor = (captions: readonly string[]): readonly Language[] => {
    if (ofAsker.areUnderstood && ofAsker.isInBoth) return LANGUAGES;
    const named = [words, ...captions].flatMap(
      (one) => parseReadingLanguage(one) ?? readingLanguageIn(one) ?? [],
    );
    return [named[0] ?? usual];
  };
  const documents = parts.flatMap((part) => {
    if (part.document === undefined) return [];
    const { kind, ...sent } = part.document;
    if (kind === undefined) return [];
    const caption = textBesideCommand(part);
    const ofCaption = documentWords(caption);
    const passwords = [
      ...ofAsker.passwords.map((one) => ({ ...one, ranges: one.ranges ?? ofCaption.ranges })),
      ...ofCaption.passwords.map((one) => ({ ...one, ranges: ofAsker.ranges ?? one.ranges })),
    ];
    const files = {
      kind,
      files: [sent],
      ranges: ofAsker.ranges ?? ofCaption.ranges,
      isForced: ofAsker.isForced || ofCaption.isForced,
      captioned: ofCaption.areUnderstood ? undefined : captionedIn(part),
    };
    return sourceOfFiles(bot.api, files, languagesFor([caption]), passwords);
  });
  const files = parts.flatMap(({ pictures, message }) =>
    pictures.map((file) => ({ file, message: message?.message_id })),
  );
  if (files.length === 0) return documents;
  // A document has a button of its own.
  const [captioned] = parts.flatMap((part) => (part.document === undefined && captionedIn(part)) || []);
  const pictures = { kind: 'pictures', files, captioned } as const;
  return [picturesSource(bot.api, pictures, languagesFor(parts.map(textBesideCommand))), ...documents];
}

/** The message with its file as what that proves to be, if its type and name do not say that. */
async function identified(ctx: BotContext, part: ParsedMessage): Promise<ParsedMessage> {
  const { document } = part;
  if (document === undefined || document.kind !== undefined) return part;
  const { bot, asker, signal } = ctx;
  const { file } = document;
  const kind = await kindOf(bot.interpreter, loadable(bot.api, file), { asker, signal });
  return kind === 'picture'
    ? { ...part, document: undefined, pictures: [file] }
    : { ...part, document: { ...document, kind } };
}

function textBesideCommand({ command, textWithoutMention }: ParsedMessage): string {
  return command?.text ?? textWithoutMention;
}

/** The caption of this message, if it can be translated. */
function captionedIn(part: ParsedMessage): Files['captioned'] {
  const text = part.message && captionOf(part);
  return text === undefined ? undefined : { text, message: part.message?.message_id };
}

/** `passwords`: those that may open a PDF. */
function sourceOfFiles(
  api: BotApi,
  files: Files,
  languages: readonly Language[],
  passwords: readonly Password[],
): Source {
  const { kind } = files;
  const [sent] = files.files;
  if (kind === 'pictures' || sent === undefined) return picturesSource(api, files, languages);
  if (kind === 'pdf' || kind === 'tiff') return pagesSource(api, sent, files, languages, passwords);
  return textFileSource(api, { kind, ...sent }, files);
}

/** The files stored under this id, to be read in this language; undefined if they have expired. */
export async function keptFiles(
  ctx: BotContext,
  id: string,
  language: Language,
): Promise<Source | undefined> {
  const { api, results } = ctx.bot;
  const kept = await results.findWhole('files', id);
  if (kept === undefined) return undefined;
  // A password is in the caption that the button's message replies to.
  const ofCaption = documentWords(textIn(repliedMessage(ctx.pressed)));
  const files = filesSchema.parse(JSON.parse(kept));
  // Whoever asked may have chosen other pages than the caption.
  const areOther = JSON.stringify(files.ranges) !== JSON.stringify(ofCaption.ranges);
  const passwords = ofCaption.passwords.map((one) => (areOther ? { ...one, ranges: files.ranges } : one));
  return sourceOfFiles(api, files, [language], passwords);
}

function picturesSource(api: BotApi, pictures: Files, languages: readonly Language[]): Source {
  const inEach = (asked: readonly Language[]): PictureToRead[][] =>
    asked.map((language) =>
      pictures.files.map(({ file }) => {
        return { picture: { ...loadable(api, file), mayBeSliced: true }, language };
      }),
    );
  return {
    replyTo: pictures.files[0]?.message,
    form: 'lines',
    languages,
    files: pictures,
    read: (ctx, asked, options) => readPictures(ctx, inEach(asked), options),
    unread: async ({ bot }, asked) => callsOf(await unpaidOf(bot.interpreter, inEach(asked).flat())),
  };
}

/** If calls follow, or both languages are read, makes no call unless the limits allow all. */
async function readPictures(
  ctx: BotContext,
  inEach: readonly (readonly PictureToRead[])[],
  { onProgress, callsAfter = [] }: Pick<RequestOptions, 'onProgress' | 'callsAfter'>,
): Promise<Page[][]> {
  const { asker, signal } = ctx;
  const { interpreter } = ctx.bot;
  const all = inEach.flat();
  const unpaid = await unpaidOf(interpreter, all);
  const calls = callsOf(unpaid);
  if (unpaid.size > 0 && (callsAfter.length > 0 || inEach.length > 1))
    await interpreter.account.check(asker, calls, callsAfter);
  else await interpreter.account.mustBeAgreed(asker, calls);
  const asked = { asker, signal, onProgress, callsAfter };
  const results = await recognisePictures(interpreter, all, { atOnce: all.length, unpaid }, asked);
  const pageOf = (one: PictureToRead, index: number): Page => {
    const page = { number: index + 1, text: '', isLayer: false };
    const result = results.get(one) ?? '';
    return isFailure(result) ? { ...page, failure: result } : { ...page, text: result };
  };
  return inEach.map((ofLanguage) => ofLanguage.map(pageOf));
}

function textFileSource(api: BotApi, document: SentDocument, files: Files): Source {
  return {
    ...textSource('', document.message, { name: document.file.file_name }),
    files,
    read: async ({ bot, asker, signal }) => {
      const file = { ...loadable(api, document.file), isWord: document.kind === 'docx' };
      const text = await readText(bot.interpreter, file, { asker, signal });
      const subtitles = document.kind === 'srt' ? await subtitlesIn(text) : undefined;
      return [[{ number: 1, text: subtitles?.text ?? text, isLayer: true, subtitles }]];
    },
  };
}

/** A PDF, or a TIFF, whose pages are pictures. */
function pagesSource(
  api: BotApi,
  { file, message: replyTo }: Files['files'][number],
  files: Files,
  languages: readonly Language[],
  passwords: readonly Password[],
): Source {
  const { ranges, isForced } = files;
  const pdf = { pdf: loadable(api, file), ranges, isForced, passwords };
  return {
    replyTo,
    files,
    form: 'file',
    languages,
    read: async (ctx, asked, options) => {
      const { bot, asker, signal } = ctx;
      const how = { asker, signal, ...options };
      const inEach = await readPdf(bot.interpreter, { ...pdf, languages: asked }, how);
      // Pages with a text layer have the same text in both languages.
      const isDrawn = inEach[0]?.some(({ isLayer }) => !isLayer) === true;
      return isDrawn ? inEach : inEach.slice(0, 1);
    },
    unread: ({ bot, asker, signal }, asked) =>
      unpaidPages(bot.interpreter, { ...pdf, languages: asked }, { asker, signal }),
  };
}
