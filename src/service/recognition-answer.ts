/** Parses the answer of recognition into plain values (service-interface §2.4). */
import { z } from 'zod';
import { figure, id } from './answer.ts';

/** In pixels, from the top left corner of the image. */
interface Location {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** The service's confidence in one line. */
interface Probability {
  readonly average: number;
  readonly variance: number;
  readonly min: number;
}

interface RecognisedLine {
  /** Empty if the service gave no words, so that the indices in paragraphs stay right. */
  readonly text: string;
  readonly location?: Location | undefined;
  readonly probability?: Probability | undefined;
}

/** Quarter turns counterclockwise: 0 upright, 1 to 3 turned, -1 undefined. */
type Direction = -1 | 0 | 1 | 2 | 3;

export interface Recognition {
  /** The service's id for troubleshooting: a uint64 with all digits. */
  readonly logId: string | undefined;
  readonly lines: readonly RecognisedLine[];
  /** Indices into `lines`, one list per paragraph. Under development, like all that follow. */
  readonly paragraphs?: ReadonlyArray<readonly number[]> | undefined;
  readonly direction?: Direction | undefined;
  /** pages in the document */
  readonly pdfFileSize?: number | undefined;
  /** pages in the document */
  readonly ofdFileSize?: number | undefined;
}

const count = figure.pipe(z.number().int().nonnegative());

/** A field under development: unusable counts as missing, since the text beside it is paid for. */
function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}

/** An unusable line gets `null` for words, since the others are paid for. A plain string is a line, too. */
const line = z.preprocess(
  (value) => (typeof value === 'string' ? { words: value } : value),
  z
    .object({
      words: z
        .union([z.string(), z.number().transform(String)])
        .nullable()
        .default('')
        .catch(null),
      location: maybe(z.object({ top: figure, left: figure, width: figure, height: figure })),
      probability: maybe(z.object({ average: figure, variance: figure, min: figure })),
    })
    .catch({ words: null }),
);

const direction = figure.pipe(
  z.union([z.literal(-1), z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
);

const body = z.object({
  log_id: id,
  logId: id,
  words_result_num: maybe(count),
  words_result: z.array(line).nullish(),
  paragraphs_result_num: maybe(count),
  paragraphs_result: maybe(z.array(z.object({ words_result_idx: z.array(count) }))),
  pdf_file_size: maybe(count),
  ofd_file_size: maybe(count),
  direction: maybe(direction),
});

type Body = z.output<typeof body>;

/** Whether it has at least one usable line, or says that there are none. */
function isUsable({ words_result, words_result_num }: Body): boolean {
  if (words_result == null || words_result.length === 0)
    return (words_result_num ?? words_result?.length) === 0;
  return words_result.some(({ words }) => words !== null);
}

/** A successful answer. One that announces lines but has no usable ones is refused: it would pass for a page without text. */
export const recognitionAnswer = body.refine(isUsable).transform(
  (answer): Recognition => ({
    logId: answer.log_id ?? answer.logId,
    lines: (answer.words_result ?? []).map(({ words, location, probability }) => ({
      text: words ?? '',
      location,
      probability,
    })),
    paragraphs: answer.paragraphs_result?.map((paragraph) => paragraph.words_result_idx),
    direction: answer.direction,
    pdfFileSize: answer.pdf_file_size,
    ofdFileSize: answer.ofd_file_size,
  }),
);
