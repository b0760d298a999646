/** A pooler before PostgreSQL, as pgbouncer 1.18 is: a client keeps a connection, or has one per transaction. */
import { connect, createServer, type Socket } from 'node:net';
import { inMessages, listeningBefore } from './statement-proxy.ts';

interface Pooler extends Disposable {
  /** The server's address by way of this pooler. */
  readonly url: string;
}

const READY = 'Z'.charCodeAt(0);
const GOODBYE = 'X'.charCodeAt(0);
/** In a READY: no transaction is open. */
const IDLE = 'I'.charCodeAt(0);
const STATE_AT = 5;
/** Before the names and values of a connection's first message: its length, and the version of the protocol. */
const FIRST_HEADER = 8;
/** A connection that brings along anything else is refused. */
const TAKEN_ALONG: ReadonlySet<string> = new Set([
  ...['user', 'database', 'application_name', 'client_encoding'],
  ...['DateStyle', 'TimeZone', 'standard_conforming_strings'],
]);

/** A pooler in this mode (pgbouncer's `pool_mode`) before the server at `address`. */
export async function startPooler(mode: 'session' | 'transaction', address: string): Promise<Pooler> {
  const to = new URL(address);
  const sockets = new Set<Socket>();
  /** Idle connections to the server, the latest first. */
  const free: Socket[] = [];
  /** Who has a connection to the server. */
  const holders = new Map<Socket, Socket>();

  const listener = createServer((near) => {
    // Each who comes brings one more connection, over which they say who they are.
    const own = connect(Number(to.port), to.hostname);
    holders.set(own, near);
    let far: Socket | undefined = own;
    let isKnown = false;
    for (const socket of [near, own]) {
      sockets.add(socket);
      // It writes message by message.
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    own.on(
      'data',
      inMessages(false, (message) => {
        const holder = holders.get(own);
        if (mode === 'transaction' && message[0] === READY && message[STATE_AT] === IDLE) {
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
      const refused = isKnown ? undefined : namesIn(chunk).find((name) => !TAKEN_ALONG.has(name));
      isKnown = true;
      if (refused !== undefined) {
        near.end(fatal('08P01', `unsupported startup parameter: ${refused}`));
        own.destroy();
        return;
      }
      if (far === undefined && chunk[0] === GOODBYE) {
        near.end();
        return;
      }
      far ??= free.pop();
      if (far === undefined) throw new Error('no connection is free');
      holders.set(far, near);
      far.write(chunk);
    });
    if (mode === 'session') {
      near.on('close', () => own.destroy());
      own.on('close', () => near.end());
    }
  });
  const url = await listeningBefore(listener, address);
  return {
    url,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}

/** What a connection's first message names, from user on; each name is followed by its value. */
function namesIn(message: Buffer): string[] {
  const words = message.toString('utf8', FIRST_HEADER).split('\0');
  return words.filter((name, index) => index % 2 === 0 && name !== '');
}

/** An ErrorResponse: its fields are the severity (S), the SQLSTATE (C) and the message (M). */
function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
