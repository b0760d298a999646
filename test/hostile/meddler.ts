/** A proxy between the bot and a server of the sandbox: passes everything on, except what a test has it answer itself. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Answers in the server's place, with whatever bytes it likes. */
export type Meddling = (response: ServerResponse, call: IncomingMessage) => unknown;

export interface Meddler {
  readonly url: string;
  /** The next call whose path (without its query) ends so is answered by `meddling`; resolves when it has begun to. */
  next(ending: string, meddling: Meddling): Promise<void>;
  /** Resolves when the next call whose path ends so has come; it is passed on. */
  comes(ending: string): Promise<void>;
  /** Answers every call whose path ends like this, until the returned function is called. */
  always(ending: string, meddling: Meddling): () => void;
  close(): Promise<void>;
}

interface Rule {
  readonly ending: string;
  readonly meddling: Meddling;
  readonly isOnce: boolean;
  readonly begun: () => void;
}

/** Listens on any free port before `target` (`http://127.0.0.1:PORT`). */
export async function startMeddler(target: string): Promise<Meddler> {
  const rules = new Set<Rule>();
  const arrivals = new EventEmitter<{ call: [path: string] }>();
  const server = createServer((call, response) => {
    // A caller that hangs up in the middle of a bomb is what the tests hope for.
    response.on('error', () => {});
    const path = call.url?.split('?', 1)[0] ?? '';
    arrivals.emit('call', path);
    const rule = [...rules].find(({ ending }) => path.endsWith(ending));
    if (rule === undefined) return passOn(target, call, response);
    if (rule.isOnce) rules.delete(rule);
    rule.begun();
    call.resume().once('end', () => rule.meddling(response, call));
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    next: (ending, meddling) =>
      new Promise((begun) => {
        rules.add({ ending, meddling, isOnce: true, begun });
      }),
    comes: (ending) =>
      new Promise((resolve) => {
        const look = (path: string): void => {
          if (!path.endsWith(ending)) return;
          arrivals.off('call', look);
          resolve();
        };
        arrivals.on('call', look);
      }),
    always: (ending, meddling) => {
      const rule = { ending, meddling, isOnce: false, begun: () => {} };
      rules.add(rule);
      return () => rules.delete(rule);
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function passOn(target: string, call: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = call;
  const onward = request(new URL(call.url ?? '/', target), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.once('error', () => response.destroy());
  });
  onward.once('error', () => response.destroy());
  response.once('close', () => onward.destroy());
  call.pipe(onward);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return port;
}
