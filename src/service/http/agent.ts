/** The connection pool for the service. */
import { Agent, buildConnector } from 'undici';

/** In ms, shorter than any server keeps a connection: a POST on a connection that its server is closing is a paid call in doubt. */
const KEEP_ALIVE_MS = 2_000;
/** In ms: a host that is up accepts a connection within this time, even if a few packets are lost. */
const LONGEST_CONNECT_MS = 10_000;

/** Creates a pool of connections that give up after `timeoutMs` without a byte from the service. */
export function createAgent(timeoutMs: number): Agent {
  return new Agent({
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: ownConnector(timeoutMs),
  });
}

/**
 * undici takes a reset (ECONNRESET) for the regular end of a body that has neither a length nor chunks. Speech cut short would pass for
 * complete, so the reset gets another name before undici sees it.
 */
function ownConnector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: Math.min(timeoutMs, LONGEST_CONNECT_MS), allowH2: false });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      socket.prependListener('error', (reason: NodeJS.ErrnoException) => {
        if (reason.code === 'ECONNRESET') reason.code = 'CONNECTION_RESET';
      });
      callback(null, socket);
    });
}
