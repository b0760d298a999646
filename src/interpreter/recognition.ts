/** Recognises the text in a picture: fetches it, makes it fit, and makes one paid call; a picture that is too long for one piece, slice by slice. */
import { z } from 'zod';
import { type Failure, isFailure } from '../errors.ts';
import type { Layout, Page } from '../language/reading/page.ts';
import { readingsOfPages } from '../language/reading/reading.ts';
import { isVisible, type Language } from '../language/script.ts';
import { LongImage } from '../media/picture/image.ts';
import type { CallKind } from '../paid-calls.ts';
import { isLeftUndone } from '../patience.ts';
import type { Interpreter } from './interpreter.ts';
import type { Recognised } from './provider.ts';
import { layoutKey, type Payer, type Picture, type RequestOptions, recognitionKey } from './request.ts';

/** Memory charged for a picture of unknown size, in bytes: the largest file that Telegram serves. */
export const UNKNOWN_BYTES = 20 * 1024 * 1024;

/** Returns the recognised lines, joined with line breaks; empty if nothing visible was found. */
export async function recognise(
  interpreter: Interpreter,
  picture: Picture,
  language: Language,
  options: RequestOptions,
): Promise<string> {
  const { account, provider, images, results, pictureMemory, pageMemory, log } = interpreter;
  const { asker, onProgress } = options;
  const key = recognitionKey(picture.id, language);
  const buy = (signal: AbortSignal, payer: () => Payer): Promise<string> => {
    const memory = { units: picture.bytes ?? UNKNOWN_BYTES, person: asker.person, signal };
    return (picture.isPage ? pageMemory : pictureMemory).spend(memory, async () => {
      onProgress?.(0, 1);
      const bytes = await picture.load(signal);
      const image = await images.fit(bytes, signal, asker.person, picture);
      const call = { signal, meter: account.meter(payer) };
      const page = await provider.recognise({ input: { image }, language }, call);
      onProgress?.(1, 1);
      const text = page.lines
        .map((line) => line.text)
        .join('\n')
        .trim();
      const layout = ofShownLines(page);
      if (layout !== undefined)
        // It only helps to join lines: in an outage the text does not wait for it.
        await results
          .keep(layoutKey(text), payer().person, JSON.stringify(layout), key)
          .catch((error: unknown) => log.error({ error }, 'storing a layout failed'));
      return text;
    });
  };
  const text = await account.payOnce({ kind: 'recognition', key, buy }, options);
  return isVisible(text) ? text : '';
}

export interface PictureToRead {
  readonly picture: Picture;
  readonly language: Language;
}

/** Returns the recognitions that take a paid call, since their text is not kept. */
export async function unpaidOf<One extends PictureToRead>(
  { results }: Interpreter,
  recognitions: readonly One[],
): Promise<ReadonlySet<One>> {
  const keyOf = ({ picture, language }: PictureToRead) => recognitionKey(picture.id, language);
  const kept = await results.kept(recognitions.map(keyOf));
  return new Set(recognitions.filter((one) => !kept.has(keyOf(one))));
}

export function callsOf(unpaid: ReadonlySet<PictureToRead>): CallKind[] {
  return Array.from(unpaid, () => 'recognition');
}

interface Several {
  readonly atOnce: number;
  /** Those that count as progress. */
  readonly unpaid: ReadonlySet<PictureToRead>;
  /** Called for each failure; returns true if the others would fail likewise: then no more begin, and all get this failure. */
  endsAll?(failure: Failure): boolean;
}

/**
 * Returns the text or the failure of each; `cancelled` for those that were left when the person wanted no more. Throws `costly`, `database`,
 * and another `cancelled`: after these they are tried again, while the other results are kept.
 */
export async function recogniseEach<One extends PictureToRead>(
  interpreter: Interpreter,
  recognitions: readonly One[],
  { atOnce, unpaid, endsAll }: Several,
  { asker, signal, onProgress }: RequestOptions,
): Promise<ReadonlyMap<One, string | Failure>> {
  const results = new Map<One, string | Failure>();
  let done = 0;
  let end: Failure | undefined;
  onProgress?.(done, unpaid.size);
  await interpreter.account.buyEach('recognition', recognitions, atOnce, async (one) => {
    const read = async () => recognise(interpreter, one.picture, one.language, { asker, signal });
    const result = end ?? (await read().catch((error: unknown) => failureOfOne(error, signal)));
    results.set(one, result);
    if (end !== undefined) return;
    if (unpaid.has(one)) done += 1;
    onProgress?.(done, unpaid.size);
    if (isFailure(result) && (result.kind === 'cancelled' || endsAll?.(result))) end ??= result;
  });
  return results;
}

function failureOfOne(error: unknown, signal: AbortSignal): Failure {
  const isForLater = isLeftUndone(signal) || isFailure(error, 'costly') || isFailure(error, 'database');
  if (isFailure(error) && !isForLater) return error;
  throw error;
}

/** Leaves out the empty lines above and below, which are not shown; undefined if the provider gave no layout. */
function ofShownLines({ lines, paragraphs = [] }: Recognised): Layout | undefined {
  const isWritten = lines.map(({ text }) => text.trim() !== '');
  const [top, end] = [isWritten.indexOf(true), isWritten.lastIndexOf(true) + 1];
  const shown = paragraphs.map((indices) =>
    indices.map((index) => index - top).filter((index) => index >= 0 && index < end - top),
  );
  if (shown.some((indices) => indices.length > 0)) return { paragraphs: shown };
  const boxes = lines.slice(top, end).flatMap(({ location }) => location ?? []);
  return boxes.length > 0 && boxes.length === end - top ? { boxes } : undefined;
}

const box = z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() });
const keptLayout = z.object({
  paragraphs: z.array(z.array(z.number().int().nonnegative())).optional(),
  boxes: z.array(box).optional(),
});

/** Returns the readings of pages with these texts (from `recognise`), with each page's layout if it is kept. */
export async function readingsOf(
  { results }: Interpreter,
  texts: readonly string[],
  { signal }: Pick<RequestOptions, 'signal'>,
): Promise<string[]> {
  const pages = texts.map(async (text): Promise<Page> => {
    const layout = await results.text(layoutKey(text));
    return { lines: text.split('\n'), ...(layout && keptLayout.parse(JSON.parse(layout))) };
  });
  return readingsOfPages(await Promise.all(pages), signal);
}

/** Slices at once: each is drawn and held in memory. */
const SLICES_AT_ONCE = 3;

function slicesOf(picture: Picture, { bytes, regions }: LongImage): Picture[] {
  const load = async () => bytes;
  return regions.map((region) => {
    const id = `${picture.id}/${region.top}+${region.height}`;
    return { ...picture, id, load, region, mayBeSliced: false };
  });
}

/** Like `recogniseEach`; slices of pictures that prove long are counted before any is paid for. Throws like `Account.check`. */
export async function recognisePictures(
  interpreter: Interpreter,
  recognitions: readonly PictureToRead[],
  several: Several,
  options: RequestOptions,
): Promise<ReadonlyMap<PictureToRead, string | Failure>> {
  const { account, results } = interpreter;
  const { asker, callsAfter } = options;
  const found = new Map(await recogniseEach(interpreter, recognitions, several, options));
  const long = recognitions.flatMap((one) => {
    const result = found.get(one);
    if (!(result instanceof LongImage)) return [];
    const slices = slicesOf(one.picture, result);
    return [{ one, slices: slices.map((picture) => ({ picture, language: one.language })) }];
  });
  if (long.length === 0) return found;
  const all = long.flatMap(({ slices }) => slices);
  const unpaid = await unpaidOf(interpreter, all);
  await account.check(asker, callsOf(unpaid), callsAfter);
  const read = await recogniseEach(interpreter, all, { ...several, atOnce: SLICES_AT_ONCE, unpaid }, options);
  for (const { one, slices } of long) {
    const parts = slices.map((slice) => read.get(slice) ?? '');
    const failure = parts.find((part) => isFailure(part));
    const text = parts.filter((part) => part !== '').join('\n');
    found.set(one, failure ?? text);
    // Next time it need not be opened to know its slices.
    if (failure === undefined)
      await results.keep(recognitionKey(one.picture.id, one.language), asker.person, text);
  }
  return found;
}
