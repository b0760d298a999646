/** The wire of recognition: takes an image or a document, returns its lines of text (service-interface §4.2). */
import { z } from 'zod';
import type { RecognitionRequest } from '../interpreter/provider.ts';
import type { Language } from '../language/script.ts';
import { ServiceFailure } from './calls/failure.ts';
import type { FormField } from './http/http.ts';
import { figure, id } from './response.ts';

/** Limits of one call (service-interface §8) on a picture's shortest and longest side, in pixels. */
const MIN_SIDE = 15;
const MAX_SIDE = 8192;
/** Bytes of a file in base64, padding included: 10 MB. The interface does not define MB; this is the smaller reading. */
const MAX_BASE64_BYTES = 10_000_000;

/** Bytes are counted before base64, which makes 4 out of 3. */
export const PICTURE_LIMITS = { bytes: (MAX_BASE64_BYTES / 4) * 3, minSide: MIN_SIDE, maxSide: MAX_SIDE };

/** Exactly one input; all but `image` are "under development" at the service. Pages count from 1, which is the default. */
export type RecognitionInput =
  | RecognitionRequest['input']
  | { readonly url: string }
  | { readonly pdfFile: Uint8Array; readonly pdfFileNum?: number | undefined }
  | { readonly ofdFile: Uint8Array; readonly ofdFileNum?: number | undefined };

export interface FullRecognitionRequest {
  readonly input: RecognitionInput;
  /** Tibetan by default. */
  readonly language?: Language | undefined;
  /** Under development: `small` also locates single characters. */
  readonly recognizeGranularity?: 'big' | 'small' | undefined;
  /** Under development: tells how the image is turned. */
  readonly detectDirection?: boolean | undefined;
  /** Under development: gives the outer polygon of the text. */
  readonly vertexesLocation?: boolean | undefined;
  /** Under development: groups lines into paragraphs. */
  readonly paragraph?: boolean | undefined;
  /** Under development: gives a confidence for each line. */
  readonly probability?: boolean | undefined;
}

const LANGUAGE_TYPE: Readonly<Record<Language, string>> = { tibetan: '0', chinese: '1' };

/** Leaves out options that were not requested. */
export function recognitionFields({ input, language, ...options }: FullRecognitionRequest): FormField[] {
  const fields: Readonly<Record<string, string | number | boolean | Uint8Array | undefined>> = {
    ...inputFields(input),
    language_type: language && LANGUAGE_TYPE[language],
    recognize_granularity: options.recognizeGranularity,
    detect_direction: options.detectDirection,
    vertexes_location: options.vertexesLocation,
    paragraph: options.paragraph,
    probability: options.probability,
  };
  return Object.entries(fields).flatMap(([name, value]): FormField[] =>
    value === undefined ? [] : [[name, value instanceof Uint8Array ? value : String(value)]],
  );
}

function inputFields(input: RecognitionInput) {
  if ('image' in input) return { image: input.image.bytes };
  if ('url' in input) return { url: input.url };
  if ('pdfFile' in input) return { pdf_file: input.pdfFile, pdf_file_num: input.pdfFileNum };
  return { ofd_file: input.ofdFile, ofd_file_num: input.ofdFileNum };
}

const MAX_URL_BYTES = 1024;

/** Throws `bad-request` for an input that breaks a documented limit. */
export function checkRecognition({ input }: FullRecognitionRequest): void {
  if ('url' in input) {
    demand(Buffer.byteLength(input.url) <= MAX_URL_BYTES, 'the address is above 1024 bytes');
  } else if ('image' in input) {
    const { bytes, width, height } = input.image;
    checkSize(bytes);
    demand(Math.min(width, height) >= MIN_SIDE, `the shortest side is below ${MIN_SIDE} pixels`);
    demand(Math.max(width, height) <= MAX_SIDE, `the longest side is above ${MAX_SIDE} pixels`);
  } else checkSize('pdfFile' in input ? input.pdfFile : input.ofdFile);
}

function checkSize(bytes: Uint8Array): void {
  demand(bytes.length <= PICTURE_LIMITS.bytes, 'the content is above 10 MB in base64');
}

function demand(met: boolean, fault: string): void {
  if (!met) throw new ServiceFailure('bad-request', `not sent: ${fault}`);
}

const count = figure.pipe(z.number().int().nonnegative());

/** A field under development: an unusable one counts as missing, since the text beside it is paid for. */
function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}

/** Its text is empty if the service gave no words: the indices of paragraphs must stay right. */
const line = z.object({
  words: z.string().default(''),
  location: maybe(z.object({ top: figure, left: figure, width: figure, height: figure })),
  probability: maybe(z.object({ average: figure, variance: figure, min: figure })),
});

/** Quarter turns counterclockwise: 0 upright, 1 to 3 turned, -1 undefined. */
const direction = figure.pipe(
  z.union([z.literal(-1), z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
);

/** A successful answer (service-interface §2.4). */
export const recognitionAnswer = z
  .object({
    log_id: id,
    logId: id,
    words_result: z.array(line),
    paragraphs_result: maybe(z.array(z.object({ words_result_idx: z.array(count) }))),
    pdf_file_size: maybe(count),
    ofd_file_size: maybe(count),
    direction: maybe(direction),
  })
  .transform((answer) => ({
    /** The service's id for troubleshooting: a uint64 with all digits. */
    logId: answer.log_id ?? answer.logId,
    lines: answer.words_result.map(({ words, ...more }) => ({ text: words, ...more })),
    paragraphs: answer.paragraphs_result?.map((paragraph) => paragraph.words_result_idx),
    direction: answer.direction,
    /** Pages in the document. */
    pdfFileSize: answer.pdf_file_size,
    ofdFileSize: answer.ofd_file_size,
  }));

/** The result of the service; everything but the lines is under development. */
export type RecognitionResult = z.output<typeof recognitionAnswer>;
