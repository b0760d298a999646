/** Recognises pictures; those that are too long for one piece slice by slice. */
import { type Failure, isFailure } from '../errors.ts';
import type { Interpreter } from './interpreter.ts';
import { callsOf, LongPicture, type PictureToRead, recogniseEach, unpaidOf } from './recognition.ts';
import { type RequestOptions, recognitionKey } from './request.ts';

/** Slices at once: each is drawn and held in memory. */
const SLICES_AT_ONCE = 3;

/**
 * As `recogniseEach`, all at once. That a picture is long is known only once it is there: then its slices are counted, before any is paid for.
 * Throws like `Account.check`.
 */
export async function recognisePictures(
  interpreter: Interpreter,
  recognitions: readonly PictureToRead[],
  unpaid: ReadonlySet<PictureToRead>,
  options: RequestOptions,
): Promise<ReadonlyMap<PictureToRead, string | Failure>> {
  const atOnce = recognitions.length;
  const found = new Map(await recogniseEach(interpreter, recognitions, { atOnce, unpaid }, options));
  const long = recognitions.flatMap((one) => {
    const { language } = one;
    const result = found.get(one);
    if (!(result instanceof LongPicture)) return [];
    return [{ one, slices: result.slices.map((picture) => ({ picture, language })) }];
  });
  if (long.length > 0) await recogniseLong(interpreter, long, found, options);
  return found;
}

async function recogniseLong(
  interpreter: Interpreter,
  long: readonly { readonly one: PictureToRead; readonly slices: readonly PictureToRead[] }[],
  found: Map<PictureToRead, string | Failure>,
  options: RequestOptions,
): Promise<void> {
  const { account, results } = interpreter;
  const { asker, callsAfter } = options;
  const all = long.flatMap(({ slices }) => slices);
  const unpaid = await unpaidOf(interpreter, all);
  await account.check(asker, callsOf(unpaid), callsAfter);
  const read = await recogniseEach(interpreter, all, { atOnce: SLICES_AT_ONCE, unpaid }, options);
  for (const { one, slices } of long) {
    const parts = slices.map((slice) => read.get(slice) ?? '');
    const failure = parts.find((part) => isFailure(part));
    const text = parts.filter((part) => part !== '').join('\n');
    found.set(one, failure ?? text);
    // Next time it need not be opened to know its slices.
    if (failure === undefined)
      await results.keepText(recognitionKey(one.picture.id, one.language), asker.person, text);
  }
}
