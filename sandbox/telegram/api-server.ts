/** The HTTP side: `/bot<token>/<method>` and `/file/bot<token>/<file_path>`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ApiError } from './api-error.ts';
import type { Core } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { TelegramFaults } from './faults.ts';
import { errorReply, type Reply } from './reply.ts';
import { readFields } from './request-body.ts';
import { suffer } from './suffer.ts';

const HOST = '127.0.0.1';

interface ApiServerOptions {
  token: string;
  port: number;
  core: Core;
  faults: TelegramFaults;
  dispatcher: Dispatcher;
}

interface ApiServer {
  /** `http://host:port` */
  readonly root: string;
  close(): Promise<void>;
}

/** Listens; rejects when the port is taken. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const server = createServer((request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    answer(options, request, gone.signal).then(
      (reply) => send(reply, response),
      () => response.destroy(),
    );
  });
  // Clients re-use idle connections for longer than Node's five seconds.
  server.keepAliveTimeout = 65_000;
  const port = await listen(server, options.port);
  return {
    root: `http://${HOST}:${port}`,
    close: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      return promise;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(port, HOST, () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') resolve(address.port);
  });
  return promise;
}

async function answer(
  options: ApiServerOptions,
  request: IncomingMessage,
  gone: AbortSignal,
): Promise<Reply> {
  const { token, core, faults, dispatcher } = options;
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, file, given, rest] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(url.pathname) ?? [];
  if (given === undefined || rest === undefined) return errorReply(new ApiError(404, 'Not Found'));
  if (decodeURIComponent(given) !== token) return errorReply(new ApiError(401, 'Unauthorized'));
  if (file !== undefined) return suffer(faults, 'downloadFile', async () => download(core, rest));
  try {
    return await dispatcher.call(rest, await readFields(request, url.searchParams), gone);
  } catch (error) {
    return errorReply(error);
  }
}

function download(core: Core, filePath: string): Reply {
  const body = core.files.atPath(filePath);
  return body
    ? { status: 200, type: 'application/octet-stream', body }
    : errorReply(new ApiError(404, 'Not Found'));
}

function send(reply: Reply, response: ServerResponse): void {
  if (reply === 'silence') return;
  if (reply === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(reply.status, {
    'content-type': reply.type,
    'content-length': Buffer.byteLength(reply.body),
  });
  response.end(reply.body);
}
