/** Connections to Telegram through a proxy (spec §1, `TELEGRAM_PROXY`): HTTP CONNECT, also over TLS, and SOCKS5. */
import { Socket } from 'node:net';
import type * as Undici from 'undici';
import { codeOf } from '../../errors.ts';
import { NetworkError } from './http-exchange.ts';

/** Asks the proxy for a tunnel to a host, whose name the proxy resolves. Throws undici's errors and `ProxyRefusal`. */
type Dial = (host: string, port: string) => Promise<Socket>;

interface ProxyOptions {
  /** `http:`, `https:` or `socks5:`, with or without a name and a password. */
  readonly proxy: URL;
  /** Opens a TCP connection, or TLS on one that is there. */
  readonly connect: Undici.buildConnector.connector;
  /** For each step of a tunnel, in ms. */
  readonly timeoutMs: number;
  /** Called after each attempt at a tunnel with its error's code; undefined for a success. */
  readonly onDialled: (problem: string | undefined) => void;
}

/**
 * A connector that reaches every host through the proxy only. Failures of the proxy become a `NetworkError` whose code begins with
 * `PROXY_`, without the proxy's address and credentials.
 */
export function createProxyConnector(
  undici: typeof Undici,
  { proxy, connect, timeoutMs, onDialled }: ProxyOptions,
): Undici.buildConnector.connector {
  const dial =
    proxy.protocol === 'socks5:'
      ? socksDial(undici, proxy, connect, timeoutMs)
      : httpDial(undici, proxy, connect, timeoutMs);
  return (options, callback) => {
    const isSecure = options.protocol === 'https:';
    dial(options.hostname, options.port || (isSecure ? '443' : '80')).then(
      (socket) => {
        onDialled(undefined);
        if (isSecure) connect({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: unknown) => {
        const code = (codeOf(error) ?? 'FAILED').replace(/^UND_ERR_/, '');
        onDialled(code);
        callback(new NetworkError(`PROXY_${code}`), null);
      },
    );
  };
}

class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';
  /** The status of its response. */
  readonly code: string;

  constructor(status: number) {
    super('the proxy makes no tunnel');
    this.code = String(status);
  }
}

/** The decoded name and password of a URL. */
function credentialsIn({ username, password }: URL): { username: string; password: string } {
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Uses CONNECT (RFC 9110 §9.3.6) for plain HTTP, too: a forwarding proxy would see the token. */
function httpDial(
  { Pool }: typeof Undici,
  proxy: URL,
  connect: Undici.buildConnector.connector,
  timeoutMs: number,
): Dial {
  // Each tunnel takes a whole connection.
  const toProxy = new Pool(proxy.origin, { connect, allowH2: false, headersTimeout: timeoutMs });
  const { username, password } = credentialsIn(proxy);
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  const authorization = username === '' ? {} : { 'proxy-authorization': `Basic ${basic}` };
  return async (hostname, port) => {
    const path = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
    const { statusCode, socket } = await toProxy.connect({ path, headers: { host: path, ...authorization } });
    if (statusCode === 200 && socket instanceof Socket) return socket;
    socket.on('error', () => {}).destroy();
    throw new ProxyRefusal(statusCode);
  };
}

/** Undici's agent opens the tunnels only: its pools would not know our bounds and keep-alive. */
function socksDial(
  { Socks5ProxyAgent }: typeof Undici,
  proxy: URL,
  connect: Undici.buildConnector.connector,
  timeoutMs: number,
): Dial {
  class Dialler extends Socks5ProxyAgent {
    /** Its pools connect with it; undici's types do not have it. */
    declare readonly createSocks5Connection: (host: string, port: number) => Promise<Socket>;
  }
  const hostname = proxy.hostname.replace(/^\[(.*)\]$/, '$1');
  const options: Undici.Socks5ProxyAgent.Options & { connectTimeout: number } = {
    connectTimeout: timeoutMs,
    connect: (given, callback) =>
      connect({ ...given, hostname, host: hostname, protocol: 'http:' }, callback),
  };
  const dialler = new Dialler(proxy, options);
  return (host, port) => dialler.createSocks5Connection(host, Number(port));
}
