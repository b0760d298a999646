/** A line to a server on this machine that can go dead in the ways in which networks do. */
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { listeningBefore } from './listening-before.ts';

export interface Line {
  /** The server's address by way of this line. */
  readonly url: string;
  /** Connections go on standing while nothing passes through them any more, as when a cable is pulled; new ones work. */
  fallSilent(): void;
  /** From now on whatever passes takes so long on its way, in ms. */
  delay(ms: number): void;
  /** What becomes of new connections: they are passed on, taken and closed at once, or taken and never served. */
  take(newOnes: 'pass' | 'hang up' | 'ignore'): void;
  close(): void;
}

/** A line to the server at `address`. */
export async function startLine(address: string): Promise<Line> {
  const to = Number(new URL(address).port);
  const sockets = new Set<Socket>();
  let taken: Parameters<Line['take']>[0] = 'pass';
  let delayMs = 0;
  const delaying = () =>
    new Transform({
      transform: (chunk: Buffer, _encoding, done) => setTimeout(done, delayMs, null, chunk),
    });
  const listener = createServer((near) => {
    sockets.add(near);
    near.on('error', () => near.destroy());
    if (taken === 'hang up') near.destroy();
    if (taken !== 'pass') return;
    const far = connect(to, '127.0.0.1');
    sockets.add(far);
    far.on('error', () => far.destroy());
    near.pipe(delaying()).pipe(far).pipe(delaying()).pipe(near);
  });
  const url = await listeningBefore(listener, address);
  return {
    url,
    fallSilent: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    take: (newOnes) => {
      taken = newOnes;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
