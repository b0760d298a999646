/** A loopback HTTP server that answers by a script, one step for each request, and keeps what it was asked. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** What the server does with one request, whose body has been read. */
export type Step = (response: ServerResponse, request: Recorded) => void | Promise<void>;

export interface ScriptedServer {
  readonly url: string;
  /** Requests in the order in which their bodies were complete. */
  readonly requests: readonly Recorded[];
  requestsTo(path: string): Recorded[];
  /** The most requests that were under way at once. */
  readonly busiest: number;
  /** Resolves when at least `count` requests have come. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Answers each request by the next step for its path; the last step of a path answers all that follow.
 * A path without steps gets 404 and an empty body.
 */
export async function startScriptedServer(
  script: Readonly<Record<string, readonly Step[]>>,
): Promise<ScriptedServer> {
  const requests: Recorded[] = [];
  const taken = new Map<string, number>();
  const waiting = new Set<() => void>();
  const sockets = new Set<Socket>();
  let underWay = 0;
  let busiest = 0;

  const server = createServer(async (message, response) => {
    underWay += 1;
    busiest = Math.max(busiest, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const body = await Array.fromAsync(message).catch(() => undefined);
    if (body === undefined) return;
    const url = new URL(message.url ?? '', 'http://localhost');
    const request = {
      method: message.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: message.headers,
      body: Buffer.concat(body),
    };
    requests.push(request);
    for (const check of waiting) check();
    const steps = script[url.pathname] ?? [];
    const index = taken.get(url.pathname) ?? 0;
    taken.set(url.pathname, index + 1);
    const step = steps[Math.min(index, steps.length - 1)];
    if (step === undefined) response.writeHead(404).end();
    else await step(response, request);
  });
  // Idle connections are the client's to close.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    requestsTo: (path) => requests.filter((request) => request.path === path),
    get busiest() {
      return busiest;
    },
    async received(count) {
      const came = Promise.withResolvers<void>();
      const check = () => requests.length >= count && came.resolve();
      waiting.add(check);
      check();
      await came.promise;
      waiting.delete(check);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with a value as JSON. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Step {
  return raw(JSON.stringify(value), status, { 'content-type': 'application/json', ...headers });
}

/** Answers with exactly this body. */
export function raw(body: string | Uint8Array, status = 200, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Answers with these chunks, each in a packet of its own, and then does `finish` instead of ending well. */
export function chunks(parts: readonly Uint8Array[], finish?: (response: ServerResponse) => void): Step {
  return async (response) => {
    response.writeHead(200);
    response.flushHeaders();
    for (const part of parts) {
      await new Promise<void>((written) => response.write(part, () => setImmediate(written)));
    }
    if (finish === undefined) response.end();
    else finish(response);
  };
}

/** Answers by `step` once it may. */
export function held(step: Step): { step: Step; release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const holding: Step = async (response, request) => {
    await promise;
    await step(response, request);
  };
  return { step: holding, release: resolve };
}

/** Never answers. */
export const hang: Step = () => {};

/** Resets the connection. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** Closes the connection in an orderly way. */
export function hangUp(response: ServerResponse): void {
  response.socket?.end();
}

/** Leaves the connection open and silent. */
export function fallSilent(): void {}
