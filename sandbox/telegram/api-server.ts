/** The HTTP side: `/bot<token>/<method>` and `/file/bot<token>/<file_path>`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpServer, listen } from '../http.ts';
import { ApiError } from './api-error.ts';
import type { Core } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { TelegramFaults } from './faults.ts';
import { errorReply, type Reply } from './reply.ts';
import { readFields } from './request-body.ts';
import { suffer } from './suffer.ts';

interface ApiServerOptions {
  token: string;
  port: number;
  core: Core;
  faults: TelegramFaults;
  dispatcher: Dispatcher;
}

/** Listens; rejects when the port is taken. */
export function startApiServer(options: ApiServerOptions): Promise<HttpServer> {
  return listen(options.port, (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    answer(options, request, gone.signal).then(
      (reply) => send(reply, response),
      () => response.destroy(),
    );
  });
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
