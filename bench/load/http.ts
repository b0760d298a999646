/** A bare HTTP server on loopback, whose own share of a measured time is as small as it can be. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface BareServer {
  readonly url: string;
  close(): Promise<void>;
}

export type Handle = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

/** Serves with `handle`; a connection that breaks is the other side's business. */
export async function serve(handle: Handle): Promise<BareServer> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response, new URL(request.url ?? '/', 'http://127.0.0.1')).catch(() =>
      response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** All of it; throws where the connection breaks. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Answers 200. */
export function sendJson(response: ServerResponse, body: unknown): void {
  const text = Buffer.from(JSON.stringify(body));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.end(text);
}
