/** Reads a request's body into memory. */
import type { IncomingMessage } from 'node:http';

/** An image at its limit with every character of its base64 percent-encoded, and room for the other fields. */
const MAX_BODY_BYTES = 3 * 10 * 1024 * 1024 + 64 * 1024;

/** The whole body; `undefined` when the caller left midway or sent more than any valid request can hold (31 MB). */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) return undefined;
      length += chunk.length;
      if (length > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
