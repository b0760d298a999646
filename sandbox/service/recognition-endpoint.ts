/** POST /api/v1/ocr/general: the text in a picture, line by line (service-interface §4.2). */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isForm, readForm } from '../http.ts';
import { documentedError, errorAnswer, jsonAnswer, type ServiceAnswer } from './answers.ts';
import { type Endpoint, type Received, refusal } from './endpoint.ts';
import type { Engines, ReadPage } from './engines.ts';
import { base64Length, isWithinPixelLimits, MAX_BASE64_BYTES, readImageHeader } from './image-limits.ts';
import type { Tokens } from './tokens.ts';

/** Where the interface leaves the answer open: what of it comes. */
export interface Spelling {
  /** §2.4: `location` is under development; the sample has none. */
  locations: boolean;
  /** §2.4: `paragraphs_result` comes with `paragraph=true`; true: unasked, too. */
  paragraphsUnasked: boolean;
}

/** §7.1 names no code for a broken limit: these have the documented shape and numbers of our own choice. */
const BAD_PARAMETER = { code: '216100', message: 'invalid param' };
const NO_INPUT = { code: '216101', message: 'not enough param' };
const BAD_FORMAT = { code: '216201', message: 'image format error' };
const BAD_SIZE = { code: '216202', message: 'image size error' };
const UNREADABLE = { code: '216630', message: 'recognize error' };

const flag = z.enum(['true', 'false']).optional();
const pageNumber = z.string().regex(/^\d+$/).optional();
const formSchema = z.strictObject({
  image: z.union([z.string(), z.instanceof(Buffer)]).optional(),
  url: z.string().max(1024).optional(),
  pdf_file: z.string().optional(),
  ofd_file: z.string().optional(),
  language_type: z.enum(['0', '1']).default('0'),
  pdf_file_num: pageNumber,
  ofd_file_num: pageNumber,
  recognize_granularity: z.enum(['big', 'small']).optional(),
  detect_direction: flag,
  vertexes_location: flag,
  paragraph: flag,
  probability: flag,
});
type Form = z.infer<typeof formSchema>;

/** Reads images only: `url`, `pdf_file` and `ofd_file` are "under development", and refused. */
export function createRecognitionEndpoint(
  recognise: Engines['recognise'],
  tokens: Tokens,
  spelling: Spelling,
): Endpoint {
  const refuse = (error: { code: string; message: string }, parameters = {}) =>
    refusal(errorAnswer('recognition', error.code, error.message), parameters);

  return {
    kind: 'recognition',
    path: '/api/v1/ocr/general',
    async read({ query, headers, body }: Received) {
      const fields = await readFields(headers['content-type'] ?? '', body);
      const parameters = { ...(fields && describe(fields)) };
      if (!tokens.accepts(query.get('access_token') ?? '')) {
        return refusal(documentedError('recognition', '110'), parameters);
      }
      const form = formSchema.safeParse(Object.fromEntries(fields ?? [])).data;
      if (fields === undefined || form === undefined) return refuse(BAD_PARAMETER, parameters);
      if (form.image === undefined) return refuse(NO_INPUT, parameters);

      const image = imageBytes(form.image);
      if (image === undefined) return refuse(BAD_FORMAT, parameters);
      const header = await readImageHeader(image);
      const described = { ...parameters, image: { bytes: image.length, ...header } };
      if (header === undefined) return refuse(BAD_FORMAT, described);
      const fits = base64Length(image.length) <= MAX_BASE64_BYTES && isWithinPixelLimits(header);
      if (!fits) return refuse(BAD_SIZE, described);

      return {
        parameters: described,
        characters: 0,
        async answer() {
          try {
            const page = await recognise(image, form.language_type === '0' ? 'bo' : 'zh');
            return recognitionResult(page, form, spelling);
          } catch {
            return errorAnswer('recognition', UNREADABLE.code, UNREADABLE.message);
          }
        },
      };
    },
  };
}

/** A field's text, or the bytes of an attached file. */
type FormFields = ReadonlyMap<string, string | Buffer>;

/** Undefined if the body is no form, or a field comes twice. */
async function readFields(contentType: string, body: Received['body']): Promise<FormFields | undefined> {
  const fields = new Map<string, string | Buffer>();
  for (const [name, value] of (await readForm(contentType, body)) ?? []) {
    if (fields.has(name)) return undefined;
    fields.set(name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()));
  }
  return isForm(contentType) ? fields : undefined;
}

function describe(fields: FormFields): Record<string, unknown> {
  const entries = [...fields].map(([name, value]) => [
    name,
    typeof value === 'string' && name !== 'image' ? value : { bytes: value.length },
  ]);
  return Object.fromEntries(entries);
}

/** A text field holds base64, complete to its padding; an attached file (multipart) is the picture itself. */
function imageBytes(field: string | Buffer): Buffer | undefined {
  if (typeof field !== 'string') return field;
  const bytes = Buffer.from(field, 'base64');
  return bytes.toString('base64') === field ? bytes : undefined;
}

/** §2.4. The log id is a uint64 beyond 2^53, written as a bare number: `JSON.stringify` could not. */
function recognitionResult(page: ReadPage, form: Form, spelling: Spelling): ServiceAnswer {
  const paragraphs = page.paragraphs ?? [];
  const result = {
    words_result_num: page.lines.length,
    words_result: page.lines.map(({ words, location, probability }) => ({
      words,
      ...(spelling.locations && location ? { location } : {}),
      ...(form.probability === 'true' && probability ? { probability } : {}),
    })),
    ...(form.paragraph === 'true' || spelling.paragraphsUnasked
      ? { paragraphs_result: paragraphs.map((lines) => ({ words_result_idx: lines })) }
      : {}),
    // Undefined: the engine has no model of orientation.
    ...(form.detect_direction === 'true' ? { direction: -1 } : {}),
  };
  const logId = randomBytes(8).readBigUInt64BE() | (1n << 63n);
  return jsonAnswer(`{"logId":${logId},${JSON.stringify(result).slice(1)}`);
}
