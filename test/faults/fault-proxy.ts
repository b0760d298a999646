/** A proxy between the bot and one of its servers that forwards everything, and breaks the calls that match a rule. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { request } from 'undici';
import { freePort } from '../free-port.ts';

/** What the server behind the proxy answered. */
interface TrueAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** One call on its way: its body has been read, and nothing has been answered. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Has the server do the work, and gives its answer. */
  forward(): Promise<TrueAnswer>;
}

/** One way to fail; it may also answer rightly. */
export type Breakage = (exchange: Exchange) => unknown;

interface Rule {
  /** The last part of the path: `sendMessage`, `translation`; of a file, `download`. */
  readonly call: string;
  /** Breaks only a call in whose address or body this stands; any unless given. */
  readonly mark?: string;
  readonly breakage: Breakage;
  /** How many calls break; default 1. */
  readonly times?: number | undefined;
}

export interface FaultProxy {
  readonly url: string;
  /** Breaks the next calls that the rule means; gives how many did so far, and what ends it. */
  breakNext(rule: Rule): { readonly broken: () => number; readonly end: () => void };
  /** How many calls in whose address or body this stands were passed on. */
  passedOn(mark: string): number;
  /** From now on connections are refused, and those that stand are cut. */
  refuse(): Promise<void>;
  /** Takes connections again, at the same address. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the proxy on a free port of the loopback; everything is passed on to `target` (`http://127.0.0.1:PORT`). `searchable` gives what of
 * a body is searched for marks; the body as text unless given.
 */
export async function startFaultProxy(
  target: string,
  searchable: (call: string, body: Buffer) => string | Promise<string> = (_call, body) =>
    body.toString('utf8'),
): Promise<FaultProxy> {
  const rules = new Set<{ rule: Rule; left: number }>();
  const sockets = new Set<Socket>();
  const passed: string[] = [];

  const ruleFor = (call: string, sent: string): Rule | undefined => {
    for (const entry of rules) {
      const { rule } = entry;
      if (entry.left <= 0 || rule.call !== call || !sent.includes(rule.mark ?? '')) continue;
      entry.left -= 1;
      return rule;
    }
    return undefined;
  };

  const server = createServer(async (message, response) => {
    try {
      const body = Buffer.concat(await Array.fromAsync(message));
      const path = message.url ?? '/';
      const sent = `${path}\n${await searchable(callIn(path), body)}`;
      const forward = () => {
        passed.push(sent);
        return passOn(target, message, body, response);
      };
      const rule = ruleFor(callIn(path), sent);
      if (rule === undefined) answerWith(response, await forward());
      else await rule.breakage({ response, socket: message.socket, forward });
    } catch {
      // The bot hung up, or the server behind is gone: so is this connection.
      message.socket.destroy();
    }
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  // Nothing else is given one of these: it must still be free when connections are taken again.
  const port = await freePort([12_000, 20_000]);
  const accept = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await accept();

  return {
    url: `http://127.0.0.1:${port}`,
    breakNext: (rule) => {
      const times = rule.times ?? 1;
      const entry = { rule, left: times };
      rules.add(entry);
      return { broken: () => times - entry.left, end: () => rules.delete(entry) };
    },
    passedOn: (mark) => passed.filter((sent) => sent.includes(mark)).length,
    refuse: stop,
    accept,
    close: async () => {
      if (server.listening) await stop();
    },
  };
}

/** Answers rightly. */
export function answerWith(response: ServerResponse, { status, type, body }: TrueAnswer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': body.length });
  response.end(body);
}

function callIn(path: string): string {
  const { pathname } = new URL(path, 'http://localhost');
  return pathname.startsWith('/file/') ? 'download' : (pathname.split('/').at(-1) ?? '');
}

async function passOn(
  target: string,
  message: IncomingMessage,
  sent: Buffer,
  response: ServerResponse,
): Promise<TrueAnswer> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const left = ['host', 'connection', 'transfer-encoding', 'content-length'];
  const { statusCode, headers, body } = await request(new URL(message.url ?? '/', target), {
    method: message.method === 'POST' ? 'POST' : 'GET',
    headers: Object.fromEntries(Object.entries(message.headers).filter(([name]) => !left.includes(name))),
    body: sent,
    signal: gone.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    status: statusCode,
    type: String(headers['content-type'] ?? ''),
    body: Buffer.from(await body.arrayBuffer()),
  };
}
