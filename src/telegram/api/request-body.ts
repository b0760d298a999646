/** The body of a Bot API call: JSON, or a form if there is a file to upload. */
import { randomUUID } from 'node:crypto';

export interface RequestBody {
  readonly contentType: string;
  readonly content: string | Buffer;
}

interface Upload {
  readonly source: Buffer;
  readonly filename: string;
}

/**
 * Files are bytes in memory under a parameter of their own, as in `sendVoice`. Any other kind that Telegraf's types allow (a path, a
 * stream, an address) throws a TypeError: nothing here reads files or downloads anything.
 */
export function requestBody(payload: object): RequestBody {
  const parameters = Object.entries(payload).filter(([, value]) => value !== undefined && value !== null);
  if (parameters.some(([, value]) => isFile(value))) return form(parameters);
  return { contentType: 'application/json', content: JSON.stringify(Object.fromEntries(parameters)) };
}

function isFile(value: unknown): value is { readonly source: unknown; readonly filename?: unknown } {
  return typeof value === 'object' && value !== null && 'source' in value;
}

/** A multipart body as one buffer. With undici's FormData a call takes five times the CPU (60 kB: 0.5 ms instead of 0.1 ms). */
function form(parameters: readonly [string, unknown][]): RequestBody {
  const boundary = randomUUID();
  const pieces = parameters.flatMap(([name, value]) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    if (!isFile(value)) return [Buffer.from(`${head}\r\n\r\n${fieldText(value)}\r\n`)];
    const { source, filename } = uploadOf(value);
    return [Buffer.from(`${head}; filename="${escaped(filename)}"\r\n\r\n`), source, Buffer.from('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function uploadOf({ source, filename }: { source: unknown; filename?: unknown }): Upload {
  if (Buffer.isBuffer(source) && typeof filename === 'string') return { source, filename };
  throw new TypeError('a file to upload must be bytes with a name');
}

/** Telegram accepts JSON for every value that is no string. */
function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Escapes a quoted name as browsers do (HTML, multipart/form-data). */
function escaped(filename: string): string {
  return filename.replace(/["\r\n]/g, encodeURIComponent);
}
