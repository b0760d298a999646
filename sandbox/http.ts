/** What the sandbox's own servers share: listening on loopback, and reading what is sent to them. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';

const HOST = '127.0.0.1';

export interface HttpServer {
  /** `http://host:port` */
  readonly root: string;
  close(): Promise<void>;
}

/** Listens on this port, 0 for any free one; rejects when it is taken. */
export async function listen(port: number, handle: RequestListener): Promise<HttpServer> {
  const server = createServer(handle);
  // Clients re-use idle connections for longer than Node's five seconds.
  server.keepAliveTimeout = 65_000;
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject).listen(port, HOST, listening.resolve);
  await listening.promise;
  const address = server.address();
  return {
    root: `http://${HOST}:${typeof address === 'object' ? address?.port : port}`,
    close: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      return promise;
    },
  };
}

/** The whole body; undefined if it is longer than `max` bytes. Rejects when the caller leaves midway. */
export async function readBody(
  request: IncomingMessage,
  max: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= max) chunks.push(chunk);
  }
  return size <= max ? Buffer.concat(chunks) : undefined;
}

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** Whether a body of this type is a form. */
export function isForm(contentType: string): boolean {
  return FORM_TYPES.test(contentType);
}

/** The fields of a form, urlencoded or multipart; undefined for a body that is none. */
export async function readForm(
  contentType: string,
  body: Buffer<ArrayBuffer>,
): Promise<FormData | undefined> {
  if (!isForm(contentType)) return undefined;
  return new Response(body, { headers: { 'content-type': contentType } }).formData().catch(() => undefined);
}
