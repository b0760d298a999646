/** Photos, images sent as files, and albums as sources. */
import { type Failure, isFailure, mayPass } from '../errors.ts';
import { callsOf, type PictureToRead, recognisePictures, unpaidOf } from '../interpreter/recognition.ts';
import type { RequestOptions } from '../interpreter/request.ts';
import { parseReadingLanguage } from '../language/reading-language.ts';
import { dominantLanguage, type Language } from '../language/script.ts';
import type { BotApi } from '../telegram/api/api.ts';
import type { BotContext } from '../telegram/context.ts';
import { loadable } from '../telegram/request/sent-file.ts';
import type { Files, Page, ReadingOptions, Source } from './source.ts';

/** One picture, or those of an album, in order. */
export function picturesSource(
  api: BotApi,
  pictures: Files,
  { languages, caption = '' }: ReadingOptions,
): Source {
  const isText = dominantLanguage(caption) !== undefined && parseReadingLanguage(caption) === undefined;
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
    caption: isText ? caption : undefined,
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
  const results = await recognisePictures(interpreter, all, unpaid, asked);
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
