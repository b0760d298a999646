/** What can be asked of recognition, and how it goes on the wire (service-interface §4.2). */
import type { Language } from '../../language/script.ts';
import type { FormField } from '../transport/request-body.ts';

/** An image made to fit; sides in pixels as it is stored. */
export interface RecognitionImage {
  readonly bytes: Uint8Array;
  readonly format: 'jpeg' | 'png' | 'bmp';
  readonly width: number;
  readonly height: number;
}

/** Exactly one input; all but `image` are "under development" at the service. Pages count from 1, the first by default. */
export type RecognitionInput =
  | { readonly image: RecognitionImage }
  | { readonly url: string }
  | { readonly pdfFile: Uint8Array; readonly pdfFileNum?: number | undefined }
  | { readonly ofdFile: Uint8Array; readonly ofdFileNum?: number | undefined };

export interface RecognitionRequest {
  readonly input: RecognitionInput;
  /** Tibetan by default. */
  readonly language?: Language | undefined;
  /** Under development: `small` also locates single characters. */
  readonly recognizeGranularity?: 'big' | 'small' | undefined;
  /** Under development: tell how the image is turned. */
  readonly detectDirection?: boolean | undefined;
  /** Under development: the outer polygon of the text. */
  readonly vertexesLocation?: boolean | undefined;
  /** Under development: tell which lines make a paragraph. */
  readonly paragraph?: boolean | undefined;
  /** Under development: tell how sure each line is. */
  readonly probability?: boolean | undefined;
}

const LANGUAGE_TYPE: Readonly<Record<Language, string>> = { tibetan: '0', chinese: '1' };

/** The form fields of a recognition call; what was not asked for is not sent. */
export function recognitionFields(request: RecognitionRequest): FormField[] {
  const options: ReadonlyArray<readonly [string, string | boolean | undefined]> = [
    ['language_type', request.language && LANGUAGE_TYPE[request.language]],
    ['recognize_granularity', request.recognizeGranularity],
    ['detect_direction', request.detectDirection],
    ['vertexes_location', request.vertexesLocation],
    ['paragraph', request.paragraph],
    ['probability', request.probability],
  ];
  const asked = options.flatMap(([name, value]): FormField[] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return [...inputFields(request.input), ...asked];
}

function inputFields(input: RecognitionInput): FormField[] {
  if ('image' in input) return [['image', input.image.bytes]];
  if ('url' in input) return [['url', input.url]];
  if ('pdfFile' in input)
    return [['pdf_file', input.pdfFile], ...pageField('pdf_file_num', input.pdfFileNum)];
  return [['ofd_file', input.ofdFile], ...pageField('ofd_file_num', input.ofdFileNum)];
}

function pageField(name: string, page: number | undefined): FormField[] {
  return page === undefined ? [] : [[name, String(page)]];
}
