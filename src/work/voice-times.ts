/** The times in the caption of a long voice note at which its speakers and pages begin: Telegram makes them links (`0:20 Khampa`). */
import type { SpokenText } from '../interpreter/speech.ts';
import { PAGE_MARK } from '../language/reading/page-marks.ts';
import type { Variety } from '../language/variety.ts';
import type { ReceivedContext } from '../telegram/context.ts';
import { betweenPageMarks, textsIn } from '../telegram/request/additions.ts';
import type { Found, PageStart } from './source.ts';

/** A shorter note needs no times, in seconds. */
const MIN_LONG_S = 60;
/** The maximum number of named pages; of more, only every second, third … is named. */
const MAX_PAGES_NAMED = 30;

/** Where the pages begin that have a text; for an album, those in the text of its message. */
export function pageStartsOf({ pages, readings: ofPages, text }: Found): PageStart[] {
  const readings = pages.length > 1 ? ofPages : textsIn(text);
  const numbers = pages.length > 1 ? pages.map(({ number }) => number) : [];
  return startsOf(readings, numbers);
}

/** As `pageStartsOf`, for a text that the bot sent; undefined without page marks. */
export function pageStartsIn(text: string): PageStart[] | undefined {
  const numbers = [...text.matchAll(PAGE_MARK)].map(([mark]) => Number(/\d+/u.exec(mark)?.[0]));
  if (numbers.length === 0) return undefined;
  return startsOf(betweenPageMarks(text).slice(1), numbers);
}

function startsOf(readings: readonly string[], numbers: readonly number[]): PageStart[] {
  const total = readings.reduce((sum, { length }) => sum + length, 0);
  let before = 0;
  return readings.flatMap((reading, index) => {
    const share = before / total;
    before += reading.length;
    return reading === '' ? [] : [{ number: numbers[index] ?? index + 1, share }];
  });
}

/** The speakers, in one line; in a long note with the times of the speakers, or of the pages if there is one speaker. */
export function speakersInWords(
  ctx: ReceivedContext,
  { timeOf, durationSeconds }: SpokenText,
  varieties: readonly Variety[],
  pages: readonly PageStart[],
): string {
  const isLong = durationSeconds >= MIN_LONG_S;
  const names = varieties.map((variety) => ctx.words(variety));
  if (!isLong) return names.join(' → ');
  if (names.length > 1) return names.map((name, index) => `${clock(timeOf(index, 0))} ${name}`).join(' → ');
  const step = Math.ceil(pages.length / MAX_PAGES_NAMED);
  const named = pages.length < 2 ? [] : pages.filter((_, index) => index % step === 0);
  return [
    ...names,
    ...named.map(({ number, share }) => `${clock(timeOf(0, share))} ${ctx.words('voice-page', { number })}`),
  ].join(' · ');
}

/** `1:02:03`, or `2:03` below an hour. */
function clock(seconds: number): string {
  const inFull = new Date(seconds * 1000).toISOString().slice(11, 19);
  return inFull.replace(/^0(?:0:0?)?/, '');
}
