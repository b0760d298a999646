/** POST /api/v1/oauth/token: an access token for the application's keys (service-interface §4.1). */
import { documentedError, jsonAnswer } from './answers.ts';
import { type Endpoint, type Received, refusal } from './endpoint.ts';
import type { Spelling } from './spelling.ts';
import type { Tokens } from './tokens.ts';

interface TokenEndpointParts {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly tokens: Tokens;
  readonly tokenLifetimeMs: number;
  readonly spelling: Spelling;
}

/** The inputs are query parameters only; anything else than the right three is refused with error 6. */
export function createTokenEndpoint(parts: TokenEndpointParts): Endpoint {
  const { apiKey, secretKey, tokens, tokenLifetimeMs, spelling } = parts;
  return {
    kind: 'token',
    path: '/api/v1/oauth/token',
    async read({ query }: Received) {
      const parameters = { grant_type: query.get('grant_type'), client_id: query.get('client_id') };
      const allowed =
        parameters.grant_type === 'client_credentials' &&
        parameters.client_id === apiKey &&
        query.get('client_secret') === secretKey;
      if (!allowed) return refusal(documentedError('token', '6', spelling), parameters);
      return {
        parameters,
        characters: 0,
        async answer() {
          const now = Date.now();
          const body = {
            access_token: tokens.issue(now + tokenLifetimeMs, spelling.tokenIsJwt),
            [spelling.expiresField]: expiryAsSpelled(now, tokenLifetimeMs, spelling),
          };
          return jsonAnswer(JSON.stringify(body));
        },
      };
    },
  };
}

function expiryAsSpelled(now: number, lifetimeMs: number, spelling: Spelling): number {
  const ms = spelling.expiresMeaning === 'absolute' ? now + lifetimeMs : lifetimeMs;
  return spelling.expiresUnit === 'seconds' ? Math.floor(ms / 1000) : ms;
}
