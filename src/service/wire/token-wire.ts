/** The token endpoint on the wire (service-interface §4.1, §2.1): query parameters in, JSON out. */
import { z } from 'zod';
import { expiryOf } from '../access/token-lifetime.ts';
import { textBody } from '../transport/request-body.ts';
import type { Transport } from '../transport/transport.ts';
import { type Reader, readResult } from './answer.ts';

interface Credentials {
  readonly authUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** What a URL can carry as it is, and servers still read. Anything else would be refused with the call, as if the call were wrong. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

const tokenAnswer = z.object({
  access_token: z.string().trim().regex(TOKEN),
  expires: z.unknown().optional(),
  expires_in: z.unknown().optional(),
});

/**
 * One exchange of the credentials for a token; `expiresAt` in ms since the epoch.
 * Throws `auth` for code 6, else what any broken or unintelligible answer throws.
 */
export async function exchangeToken(
  transport: Transport,
  { authUrl, apiKey, secretKey }: Credentials,
  reader: Reader,
  signal: AbortSignal,
): Promise<{ token: string; expiresAt: number }> {
  const url = new URL(`${authUrl}/api/v1/oauth/token`);
  url.search = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: apiKey,
    client_secret: secretKey,
  }).toString();
  const answer = await transport.post({
    url,
    headers: { accept: 'application/json' },
    body: textBody(''),
    signal,
  });
  const { access_token, expires, expires_in } = await readResult(answer, tokenAnswer, reader);
  return { token: access_token, expiresAt: expiryOf(access_token, expires ?? expires_in, reader.now()) };
}
