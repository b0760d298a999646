/** A pooler before PostgreSQL, as pgbouncer is in transaction mode: whoever asks has a connection until the end of their transaction. */
import { connect, createServer, type Socket } from 'node:net';
import { listeningBefore } from './listening-before.ts';
import { inMessages } from './statement-proxy.ts';

export interface TransactionPooler {
  /** The server's address by way of this pooler. */
  readonly url: string;
  close(): void;
}

const READY = 'Z'.charCodeAt(0);
const GOODBYE = 'X'.charCodeAt(0);
/** In a READY: no transaction is open. */
const IDLE = 'I'.charCodeAt(0);
const STATE_AT = 5;

/** A pooler before the server at `address`. */
export async function startTransactionPooler(address: string): Promise<TransactionPooler> {
  const to = new URL(address);
  const sockets = new Set<Socket>();
  /** Connections to the server that nobody has, the last to be given back first. */
  const free: Socket[] = [];
  /** Who has a connection to the server. */
  const holders = new Map<Socket, Socket>();

  const listener = createServer((near) => {
    // Each who comes brings one more connection, over which they say who they are.
    const own = connect(Number(to.port), to.hostname);
    holders.set(own, near);
    let far: Socket | undefined = own;
    for (const socket of [near, own]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    own.on(
      'data',
      inMessages(false, (message) => {
        const holder = holders.get(own);
        if (message[0] === READY && message[STATE_AT] === IDLE) {
          holders.delete(own);
          free.push(own);
          holder?.emit('free');
        }
        holder?.write(message);
      }),
    );
    near.on('free', () => {
      far = undefined;
    });
    near.on('data', (chunk: Buffer) => {
      if (far === undefined && chunk[0] === GOODBYE) {
        near.end();
        return;
      }
      far ??= free.pop();
      if (far === undefined) throw new Error('no connection is free');
      holders.set(far, near);
      far.write(chunk);
    });
  });
  const url = await listeningBefore(listener, address);
  return {
    url,
    close: () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
