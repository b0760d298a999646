/** POST /api/v1/oauth/token: an access token for the application's keys (service-interface §4.1). */
import { documentedError, jsonAnswer } from './answers.ts';
import { type Endpoint, type Received, refusal } from './endpoint.ts';
import type { Tokens } from './tokens.ts';

/** The inputs are query parameters only; anything else than the right three is refused with error 6. */
export function createTokenEndpoint(
  { apiKey, secretKey }: { apiKey: string; secretKey: string },
  tokens: Tokens,
  tokenLifetimeMs: number,
): Endpoint {
  return {
    kind: 'token',
    path: '/api/v1/oauth/token',
    async read({ query }: Received) {
      const parameters = { grant_type: query.get('grant_type'), client_id: query.get('client_id') };
      const allowed =
        parameters.grant_type === 'client_credentials' &&
        parameters.client_id === apiKey &&
        query.get('client_secret') === secretKey;
      if (!allowed) return refusal(documentedError('token', '6'), parameters);
      return {
        parameters,
        characters: 0,
        async answer() {
          const body = {
            access_token: tokens.issue(Date.now() + tokenLifetimeMs),
            expires: Math.floor(tokenLifetimeMs / 1000),
          };
          return jsonAnswer(JSON.stringify(body));
        },
      };
    },
  };
}
