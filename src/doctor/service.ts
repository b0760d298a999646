/** Checks the paid service as far as it is free: the token exchange, and whether the other address answers. */
import type { Config } from '../app/config.ts';
import { isFailure } from '../errors.ts';
import { createTransport } from '../service/http/transport.ts';
import { createTokens, type TokenStore } from '../service/token.ts';
import { errorCode, type Finding, open, well, wrong } from './finding.ts';

/** How long to wait for an answer, in ms. */
const PATIENCE_MS = 10_000;

/** Exchanges the credentials for a token; `store` keeps it, since it may have ended the one before. */
export async function checkToken(config: Config['service'], store: TokenStore): Promise<Finding> {
  const transport = createTransport(Math.min(config.timeoutMs, PATIENCE_MS));
  const tokens = createTokens({
    config,
    transport,
    // A stored token would prove nothing.
    store: { load: async () => undefined, save: store.save },
    signal: AbortSignal.timeout(3 * PATIENCE_MS),
    random: Math.random,
    now: Date.now,
    onEvent: () => {},
  });
  try {
    await tokens.get(new AbortController().signal);
    return well('Service: SERVICE_API_KEY and SERVICE_SECRET_KEY get a token');
  } catch (error) {
    const [reason, remedy] = tokenProblem(error);
    return wrong(`Service: no token from SERVICE_AUTH_URL (${reason})`, remedy);
  } finally {
    await transport.close();
  }
}

function tokenProblem(error: unknown): [string, string] {
  if (isFailure(error, 'auth')) {
    return ['refused', 'copy SERVICE_API_KEY and SERVICE_SECRET_KEY once more from the provider'];
  }
  if (isFailure(error, 'malformed')) {
    return [
      'that is not what the service answers',
      'see that SERVICE_AUTH_URL is the address that the provider gave',
    ];
  }
  const reason = isFailure(error) ? error.message : errorCode(error);
  return [reason, 'see that this machine reaches SERVICE_AUTH_URL; if it does, ask the provider'];
}

/** Requests `{base_url}` itself, which costs nothing; any HTTP answer will do. */
export async function checkReach({ baseUrl }: Config['service']): Promise<Finding> {
  try {
    await fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    return well('Service: SERVICE_BASE_URL answers');
  } catch (error) {
    const remedy = 'see that the address is the one that the provider gave, and that this machine reaches it';
    return wrong(`Service: SERVICE_BASE_URL does not answer (${errorCode(error)})`, remedy);
  }
}

/** Only a paid call shows whether the X-Secret is right. */
export function secretUnproven(): Finding {
  return open(
    'Service: whether SERVICE_X_SECRET is right, only a paid call shows',
    'npm run doctor -- --paid (three calls)',
  );
}
