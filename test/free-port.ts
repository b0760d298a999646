/** Ports for what a test starts in a process of its own. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections of their own: one of these could be taken before the process listens. */
const RANGE = [20_000, 32_000] as const;

/** Returns a free port of 127.0.0.1. */
export async function freePort([first, end]: readonly [number, number] = RANGE): Promise<number> {
  for (;;) {
    const port = randomInt(first, end);
    const server = createServer();
    const isFree = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await isFree)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
