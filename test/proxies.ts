/** Proxies as people run them: HTTP CONNECT, the same over TLS, and SOCKS5; they record the hosts that they were asked for. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket, connect as tcp } from 'node:net';
import { type Duplex, Transform } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';

/** The certificate for NODE_EXTRA_CA_CERTS of processes that trust these servers. */
export const CERTIFICATE = fileURLToPath(new URL('fixtures/telegram.invalid.pem', import.meta.url));
const pem = readFileSync(CERTIFICATE);

export interface TestProxy {
  readonly port: number;
  /** `host:port` of every tunnel that was asked for, and refused ones too. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export type ProxyKind = 'http' | 'https' | 'socks5';

interface ProxyOptions {
  /** `name:password` */
  readonly credentials: string;
  /** Where a name leads, as only the proxy knows: `host:port` to a port of this machine. */
  readonly leads: Readonly<Record<string, number>>;
  readonly port?: number;
  /** Cuts a tunnel after so many bytes from the client; never unless given. */
  readonly longest?: number;
}

/** Starts a proxy of this kind on its `port`, or a free one. */
export function startProxy(kind: ProxyKind, options: ProxyOptions): Promise<TestProxy> {
  return kind === 'socks5' ? startSocksProxy(options) : startConnectProxy(kind, options);
}

function startConnectProxy(
  kind: 'http' | 'https',
  { credentials, leads, port, longest }: ProxyOptions,
): Promise<TestProxy> {
  const asked: string[] = [];
  const server = kind === 'http' ? createHttpServer() : createHttpsServer({ cert: pem, key: pem });
  // A proxy that forwards plain HTTP would see the token; the bot must not ask for it.
  server.on('request', ({ url }, response) => {
    asked.push(`forward ${url}`);
    response.writeHead(405).end();
  });
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Duplex) => {
    asked.push(url);
    const to = leads[url];
    if (headers['proxy-authorization'] !== `Basic ${Buffer.from(credentials).toString('base64')}`)
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    else if (to === undefined) client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    else {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      join(client, to, longest);
    }
  });
  return listening(server, asked, port);
}

/** RFC 1928, with names and passwords as RFC 1929 has them; only a host's name is taken, no address. */
function startSocksProxy({ credentials, leads, port, longest }: ProxyOptions): Promise<TestProxy> {
  const asked: string[] = [];
  const serve = async (client: Socket): Promise<void> => {
    const methods = await bytes(client, (await bytes(client, 2))[1] ?? 0);
    client.write(Buffer.of(5, methods.includes(2) ? 2 : 0xff));
    await bytes(client, 1);
    const name = await bytes(client, (await bytes(client, 1))[0] ?? 0);
    const password = await bytes(client, (await bytes(client, 1))[0] ?? 0);
    const isRight = `${name}:${password}` === credentials;
    client.write(Buffer.of(1, isRight ? 0 : 1));
    if (!isRight) return void client.end();
    const [, , , kind] = await bytes(client, 4);
    const host = kind === 3 ? await bytes(client, (await bytes(client, 1))[0] ?? 0) : 'an address';
    const target = `${host}:${(await bytes(client, 2)).readUInt16BE()}`;
    asked.push(target);
    const to = leads[target];
    client.write(Buffer.of(5, to === undefined ? 4 : 0, 0, 1, 0, 0, 0, 0, 0, 0));
    if (to === undefined) client.end();
    else join(client, to, longest);
  };
  const server = createServer((client) => {
    client.on('error', () => {});
    serve(client).catch(() => client.destroy());
  });
  return listening(server, asked, port);
}

/** TLS before a server of this machine, under the name of the certificate. */
export function startTls(to: number): Promise<TestProxy> {
  return listening(
    createTlsServer({ cert: pem, key: pem }, (client) => join(client, to)),
    [],
  );
}

function join(client: Duplex, to: number, longest = Number.POSITIVE_INFINITY): void {
  const server = tcp(to, '127.0.0.1');
  let taken = 0;
  const upTo = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      taken += chunk.length;
      if (taken > longest) client.destroy();
      else done(null, chunk);
    },
  });
  client.pipe(upTo).pipe(server).pipe(client);
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const)
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
}

async function bytes(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const read: unknown = count === 0 ? Buffer.alloc(0) : socket.read(count);
    if (Buffer.isBuffer(read)) return read;
    await once(socket, 'readable');
    if (socket.readableEnded) throw new Error('the client has gone');
  }
}

async function listening(server: Server, asked: readonly string[], port = 0): Promise<TestProxy> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    asked,
    close: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
