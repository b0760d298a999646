/** Reaches Telegram through a proxy (spec §1, `TELEGRAM_PROXY`): HTTP CONNECT, also over TLS, and SOCKS5. */
import type { Socket } from 'node:net';
import type * as Undici from 'undici';
import { codeOf } from '../../errors.ts';

type Connector = Undici.buildConnector.connector;

interface AgentOptions extends Omit<Undici.Agent.Options, 'tls' | 'connect'> {
  /** How to connect, to the proxy and to Telegram. */
  readonly tls: Undici.buildConnector.BuildOptions & { readonly timeout: number };
}

/** An agent that reaches every host only through the proxy, which resolves the names. */
export function openProxyAgent(undici: typeof Undici, proxy: URL, { tls, ...options }: AgentOptions) {
  if (proxy.protocol === 'socks5:') {
    return new undici.Agent({ ...options, connect: socksConnector(undici, proxy, tls) });
  }
  return new undici.ProxyAgent({
    ...options,
    uri: proxy.href,
    // A forwarding proxy would see the token, which is in the URL.
    proxyTunnel: true,
    connectTimeout: tls.timeout,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (origin, given) => new undici.Pool(origin, { ...given, headersTimeout: tls.timeout }),
  });
}

/** Uses undici's SOCKS5 agent only to open tunnels: its own pools have neither our bounds nor our keep-alive. */
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
  const tunnels = new Tunnels(proxy, { connectTimeout: tls.timeout });
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

/** Codes of errors before a tunnel is established. */
const NO_TUNNEL =
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_(?:CONNECT_TIMEOUT|HEADERS_TIMEOUT|PRX_.*|SOCKS5.*))$/;

/** Why the proxy failed a call (`ECONNREFUSED`, `407`, `SOCKS5_AUTH_FAILED`); undefined for any other error. */
export function proxyProblemIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // ProxyAgent gives the status only in its message.
  const status = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
  const code = codeOf(error) ?? '';
  return status ?? (NO_TUNNEL.test(code) ? code.replace(/^UND_ERR_/, '') : undefined);
}
