/** The body of a Bot API call: JSON, or a form if there is a file to upload. */
import { randomUUID } from 'node:crypto';

export interface RequestBody {
  readonly contentType: string;
  readonly content: string | Buffer;
}

/**
 * Files are bytes in memory under a parameter of their own, as in `sendVoice`. Any other kind that Telegraf's types allow (a path, a
 * stream, an address) throws a TypeError: nothing here reads files or downloads anything.
 */
export function requestBody(payload: object): RequestBody {
  if (Object.values(payload).some(isFile)) return form(payload);
  return { contentType: 'application/json', content: JSON.stringify(payload) };
}

function isFile(value: unknown): value is { readonly source: unknown; readonly filename?: unknown } {
  return typeof value === 'object' && value !== null && 'source' in value;
}

/** A multipart body as one buffer. With undici's FormData a call takes five times the CPU (60 kB: 0.5 ms instead of 0.1 ms). */
function form(payload: object): RequestBody {
  const boundary = randomUUID();
  const pieces = Object.entries(payload).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    if (!isFile(value)) {
      // Telegram accepts JSON for every value that is no string.
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [Buffer.from(`${head}\r\n\r\n${text}\r\n`)];
    }
    const { source, filename } = value;
    if (!Buffer.isBuffer(source) || typeof filename !== 'string')
      throw new TypeError('a file to upload must be bytes with a name');
    // Quoted as browsers do (HTML, multipart/form-data).
    const quoted = filename.replace(/["\r\n]/g, encodeURIComponent);
    return [Buffer.from(`${head}; filename="${quoted}"\r\n\r\n`), source, Buffer.from('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
