/** Photos, images sent as files, and albums as sources. */
import { isFailure } from '../errors.ts';
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
  return inEach.map((ofLanguage) => ofLanguage.map(pageOf));
}
