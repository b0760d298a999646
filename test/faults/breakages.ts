/** The ways in which an HTTP call can fail, by name. */
import { once } from 'node:events';
import type { Breakage, Exchange } from './fault-proxy.ts';

/** The head of the real answer, then half of its body. */
async function begin({ response, forward }: Exchange): Promise<void> {
  const { status, type, body } = await forward();
  response.writeHead(status, { 'content-type': type, 'content-length': body.length });
  response.flushHeaders();
  await new Promise((written) => response.write(body.subarray(0, Math.ceil(body.length / 2)), written));
}

/** An answer of the proxy's own; the work is not done. */
export function instead(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Breakage {
  return ({ response }) => response.writeHead(status, headers).end(body);
}

/** Answers with `opening`, then with this number of megabytes of the filler, as fast as the bot reads. */
export function pouring(megabytes: number, opening = '', filler: string | number = '0') {
  return async ({ response }: Pick<Exchange, 'response'>): Promise<void> => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(opening);
    const closed = once(response, 'close');
    for (let left = megabytes; left > 0 && !response.destroyed; left -= 1) {
      if (!response.write(Buffer.alloc(1024 * 1024, filler)))
        await Promise.race([once(response, 'drain'), closed]);
    }
    response.end();
  };
}

export const FAULTS = {
  'reset before the work': ({ socket }) => socket.resetAndDestroy(),
  'reset after the work': async ({ socket, forward }) => {
    await forward();
    socket.resetAndDestroy();
  },
  'cut short of its length': async (exchange) => {
    await begin(exchange);
    exchange.socket.end();
  },
  // Each silence ends only by a time limit of the bot's.
  'silent, and the work not done': () => {},
  'silent, and the work done': ({ forward }) => forward(),
  'silent within the answer': begin,
  'a web page with 200': instead(200, '<!doctype html><p>Sign in</p>', { 'content-type': 'text/html' }),
  'a web page with 502': instead(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' }),
} as const satisfies Record<string, Breakage>;
