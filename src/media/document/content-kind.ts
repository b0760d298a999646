/** What a file is by its content, where its name and type say nothing: a copy out of another program often has neither. */
import { imageFormat } from '../picture/image-header.ts';
import { subtitlesIn } from './subtitles.ts';
import { decodeText } from './text-file.ts';

/** The header of a PDF may stand within its first kilobyte (ISO 32000-1, implementation note 13). */
const PDF_HEADER_BYTES = 1024;
const ZIP_OPENING = 'PK\x03\x04';
/** A zip archive names its parts as they are. */
const WORD_FOLDER = 'word/';
/** Enough to tell a text, and whether it has times. */
const SAMPLE_BYTES = 8000;
/** Formats of text that show something else than what they hold. */
const MARKUP = /^\s*(?:\{\\rtf|<(?:!doctype|html|\?xml))/iu;

export function isZip(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, ZIP_OPENING.length) === ZIP_OPENING;
}

/** Undefined if it is of no kind that is read. */
export async function contentKind(
  bytes: Buffer,
): Promise<'picture' | 'tiff' | 'pdf' | 'docx' | 'text' | 'srt' | undefined> {
  const format = imageFormat(bytes);
  if (format !== undefined) return format === 'tiff' ? format : 'picture';
  if (bytes.subarray(0, PDF_HEADER_BYTES).includes('%PDF-')) return 'pdf';
  if (isZip(bytes)) return bytes.includes(WORD_FOLDER) ? 'docx' : undefined;
  const text = await decodeText(bytes.subarray(0, SAMPLE_BYTES));
  if (text === undefined || MARKUP.test(text)) return undefined;
  return (await subtitlesIn(text)) === undefined ? 'text' : 'srt';
}
