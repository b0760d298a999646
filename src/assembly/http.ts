/** The process as others see it over HTTP: whether it is alive and ready, its figures, and the webhook. */
import { createHealth, type Health } from '../http/health.ts';
import { createReadiness, type Readiness } from '../http/readiness.ts';
import { CannotListen, type HttpServer, startHttp } from '../http/server.ts';
import { writeAndErase } from '../store/writable.ts';
import type { OnReceived } from '../telegram/intake/intake.ts';
import { failStart } from './fail-start.ts';
import type { Parts } from './parts.ts';

interface HttpOptions
  extends Pick<Parts, 'config' | 'log' | 'metrics' | 'records' | 'api' | 'service' | 'queue'> {
  readonly onReceived: OnReceived;
  /** See createReadiness. */
  readonly intakeProblem: () => string | undefined;
}

export interface HttpSide {
  readonly server: HttpServer;
  readonly health: Health;
  readonly readiness: Readiness;
}

/** Listens; where HOST and PORT cannot be used, the reason is logged, the start fails, and undefined is given. */
export async function openHttp(options: HttpOptions): Promise<HttpSide | undefined> {
  const { config, log, metrics, records, api, service, queue, onReceived } = options;
  const health = createHealth();
  const readiness = createReadiness({
    writeDatabase: () => writeAndErase(records.database.sql),
    reachTelegram: (signal) => api.callApi('getMe', {}, { signal }),
    serviceState: service.state,
    intakeProblem: options.intakeProblem,
  });
  const webhook = config.webhook && {
    ...config.webhook,
    queue,
    onReceived: (update: unknown) => onReceived(update, false),
  };
  try {
    const server = await startHttp({ ...config.http, log, health, readiness, metrics, webhook });
    log.info({ host: config.http.host, port: server.port }, 'HTTP is served');
    return { server, health, readiness };
  } catch (error) {
    if (!(error instanceof CannotListen)) throw error;
    log.fatal(error.message);
    failStart();
    return undefined;
  }
}
