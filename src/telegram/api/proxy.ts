/** The way to Telegram through a proxy (spec §1, `TELEGRAM_PROXY`): HTTP CONNECT, also over TLS, and SOCKS5. */
import type { Socket } from 'node:net';
import type * as Undici from 'undici';
import { codeOf } from '../../errors.ts';

type Connector = Undici.buildConnector.connector;

interface AgentOptions extends Omit<Undici.Agent.Options, 'tls' | 'connect'> {
  /** How to connect, to the proxy and to Telegram. */
  readonly tls: Undici.buildConnector.BuildOptions & { readonly timeout: number };
}

/** An agent that reaches every host through the proxy only, which resolves its name. */
export function openProxyAgent(undici: typeof Undici, proxy: URL, { tls, ...options }: AgentOptions) {
  if (proxy.protocol === 'socks5:') {
    return new undici.Agent({ ...options, connect: socksConnector(undici, proxy, tls) });
  }
  return new undici.ProxyAgent({
    ...options,
    uri: proxy.href,
    // A forwarding proxy would see the token, which is in the address.
    proxyTunnel: true,
    connectTimeout: tls.timeout,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (origin, given) => new undici.Pool(origin, { ...given, headersTimeout: tls.timeout }),
  });
}

/** Undici's SOCKS5 agent opens the tunnels only: its pools know neither our bounds nor our keep-alive. */
function socksConnector(
  { Socks5ProxyAgent, buildConnector }: typeof Undici,
  proxy: URL,
  tls: AgentOptions['tls'],
): Connector {
  class Tunnels extends Socks5ProxyAgent {
    /** Its pools connect with it; undici's types do not have it. */
    declare readonly createSocks5Connection: (host: string, port: number) => Promise<Socket>;
  }
  const connect = buildConnector(tls);
  const hostname = proxy.hostname.replace(/^\[(.*)\]$/, '$1');
  const given: Undici.Socks5ProxyAgent.Options & { connectTimeout: number } = {
    connectTimeout: tls.timeout,
    connect: (options, callback) =>
      connect({ ...options, hostname, host: hostname, protocol: 'http:' }, callback),
  };
  const tunnels = new Tunnels(proxy, given);
  return (options, callback) => {
    const isSecure = options.protocol === 'https:';
    tunnels.createSocks5Connection(options.hostname, Number(options.port || (isSecure ? 443 : 80))).then(
      (socket) => {
        if (isSecure) connect({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** Codes of errors that come before a tunnel stands. */
const NO_TUNNEL =
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_(?:CONNECT_TIMEOUT|HEADERS_TIMEOUT|PRX_.*|SOCKS5.*))$/;

/** Why a proxy let a call not through (`ECONNREFUSED`, `407`, `SOCKS5_AUTH_FAILED`); undefined if the error is none of the proxy's. */
export function proxyProblemIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // ProxyAgent tells the status only in words.
  const status = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
  const code = codeOf(error) ?? '';
  return status ?? (NO_TUNNEL.test(code) ? code.replace(/^UND_ERR_/, '') : undefined);
}
