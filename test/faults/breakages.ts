/** The ways in which an HTTP call can fail, by name. */
import { setTimeout as delay } from 'node:timers/promises';
import { answerWith, type Breakage, type Exchange } from './fault-proxy.ts';

const HUGE_BYTES = 16 * 1024 * 1024;
const DRIPS = 12;
/** Shorter than any time limit between two bytes, and together longer than the service's in these tests. */
const DRIP_MS = 120;

/** The head of the real answer, then this share of its body. */
async function begin({ response, forward }: Exchange, part: number, withLength: boolean): Promise<void> {
  const { status, type, body } = await forward();
  const length = withLength ? { 'content-length': body.length } : { connection: 'close' };
  response.writeHead(status, { 'content-type': type, ...length });
  response.flushHeaders();
  const bytes = body.subarray(0, Math.ceil(body.length * part));
  await new Promise((written) => response.write(bytes, written));
  // In a packet of its own, before whatever follows.
  await delay(20);
}

/** An answer of the proxy's own; the work is not done. */
export function instead(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Breakage {
  return ({ response }) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Bytes that are no HTTP at all. */
const noHttp: Breakage = ({ socket }) => {
  socket.end('220 mail.example ESMTP\r\n');
};

/** Lost on the way, so that the answer, if there is one, never arrives whole. */
export const BROKEN_CONNECTIONS = {
  'reset before the work': ({ socket }) => {
    socket.resetAndDestroy();
  },
  'hung up before the work': ({ socket }) => {
    socket.end();
  },
  'reset after the work': async ({ socket, forward }) => {
    await forward();
    socket.resetAndDestroy();
  },
  'reset within the head': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-ty', () => socket.resetAndDestroy());
  },
  'reset within the answer': async (exchange) => {
    await begin(exchange, 0.5, true);
    exchange.socket.resetAndDestroy();
  },
  'cut short of its length': async (exchange) => {
    await begin(exchange, 0.5, true);
    exchange.socket.end();
  },
  'cut short, with no length told': async (exchange) => {
    await begin(exchange, 0.5, false);
    exchange.socket.end();
  },
  'not HTTP': noHttp,
} as const satisfies Record<string, Breakage>;

/** Nothing comes, or nothing more; each ends only by a time limit of the bot's. */
export const SILENCES = {
  'silent, and the work not done': () => {},
  'silent, and the work done': async ({ forward }) => {
    await forward();
  },
  'silent within the answer': (exchange) => begin(exchange, 0.5, true),
} as const satisfies Record<string, Breakage>;

/** The real answer, in an undocumented form. */
export const ODD_BUT_TRUE = {
  'a slow drip': async ({ response, forward }) => {
    const { status, type, body } = await forward();
    response.writeHead(status, { 'content-type': type, 'content-length': body.length });
    const step = Math.ceil(body.length / DRIPS);
    for (let at = 0; at < body.length; at += step) {
      response.write(body.subarray(at, at + step));
      await delay(DRIP_MS);
    }
    response.end();
  },
  'the wrong content type': async ({ response, forward }) => {
    answerWith(response, { ...(await forward()), type: 'text/html' });
  },
  'under status 500': async ({ response, forward }) => {
    answerWith(response, { ...(await forward()), status: 500 });
  },
} as const satisfies Record<string, Breakage>;

/** A complete answer, but not the server's. */
export const NO_ANSWERS = {
  'an empty body': instead(200, ''),
  'a web page with 200': instead(200, '<!doctype html><p>Sign in</p>', { 'content-type': 'text/html' }),
  'a web page with 502': instead(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' }),
  'broken JSON': instead(200, '{"ok":tru'),
  '16 MB': ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': HUGE_BYTES });
    response.end(Buffer.alloc(HUGE_BYTES, ' '));
  },
  'status 503': instead(503, ''),
} as const satisfies Record<string, Breakage>;
