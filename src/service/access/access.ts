/** Access to recognition: tokens for the configured credentials, and the one renewal when a token is refused. */
import { type Failure, isFailure } from '../../errors.ts';
import { withRetries } from '../calls/retrying.ts';
import { type Ending, endingOf, type OnEvent } from '../events.ts';
import { ServiceFailure } from '../failure.ts';
import type { Transport } from '../transport/transport.ts';
import { TOKEN_INVALID } from '../wire/error-body.ts';
import { exchangeToken } from '../wire/token-wire.ts';
import { createTokens, credentialsHash, type TokenStore, type Tokens } from './token.ts';

interface AccessOptions {
  readonly config: { readonly authUrl: string; readonly apiKey: string; readonly secretKey: string };
  readonly transport: Transport;
  readonly store: TokenStore;
  /** Aborts when the whole service stops. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly now: () => number;
  readonly onEvent: OnEvent;
}

/** Tokens exchanged over `transport`, retried by the policy of paid calls although an exchange costs nothing. */
export function createAccess(options: AccessOptions): Tokens {
  const { config, transport, store, signal, random, now, onEvent } = options;
  const reader = { privates: [config.apiKey, config.secretKey], now };
  return createTokens({
    credentials: credentialsHash(config),
    store,
    now,
    onEvent,
    async exchange() {
      const startedAt = now();
      const report = (outcome: Ending) => onEvent({ type: 'token', outcome, ms: now() - startedAt });
      try {
        const token = await withRetries(() => exchangeToken(transport, config, reader, signal), {
          signal,
          random,
        });
        report('ok');
        return token;
      } catch (error) {
        const failure = withoutDoubt(error);
        report(endingOf(failure));
        throw failure;
      }
    },
  });
}

/** An exchange that timed out cost nothing, so nobody is left in doubt. */
function withoutDoubt(error: unknown): unknown {
  return isFailure(error, 'in-doubt') ? new ServiceFailure('unavailable', error.message) : error;
}

/**
 * What `use` makes of a token; when that token is refused (error 110), what it makes of a new one. Throws `unavailable` where the new
 * one is refused, too: the service has accepted our credentials a moment ago, so it is out of order, which the circuit is to know.
 */
export async function withToken<T>(
  tokens: Tokens,
  signal: AbortSignal,
  use: (token: string) => Promise<T>,
): Promise<T> {
  const token = await tokens.get(signal);
  try {
    return await use(token);
  } catch (error) {
    if (!refusesToken(error)) throw error;
    tokens.reject(token);
  }
  const renewed = await tokens.get(signal);
  return use(renewed).catch((error: unknown) => {
    if (!refusesToken(error)) throw error;
    const { code = TOKEN_INVALID, traceId } = error;
    throw new ServiceFailure('unavailable', 'the service refuses a token that it has just issued', {
      code,
      traceId,
    });
  });
}

function refusesToken(error: unknown): error is Failure {
  return isFailure(error) && error.code === TOKEN_INVALID;
}
