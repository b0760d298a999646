/** The token endpoint against service-interface §2.1, §4.1 and §7.1. */
import { afterEach, expect, test } from 'vitest';
import type { LocalService } from '../../service/local-service.ts';
import { askRecognition, askToken, freshToken, rightKeys, startQuickService } from './calling.ts';

let service: LocalService;
afterEach(() => service.close());

test('the right keys get a token for 30 days with a JWT’s expiry', async () => {
  service = await startQuickService();
  const body: unknown = await (await askToken(service)).json();
  const access_token = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(body).toEqual({ access_token, expires: 30 * 24 * 60 * 60 });
  const claims = Buffer.from((await freshToken(service)).split('.')[1] ?? '', 'base64url').toString();
  expect(JSON.parse(claims)).toMatchObject({ exp: expect.any(Number) });
});

test.each([
  ['a wrong grant type', { ...rightKeys, grant_type: 'password' }],
  ['a wrong API key', { ...rightKeys, client_id: 'nobody' }],
  ['a wrong secret key', { ...rightKeys, client_secret: 'guess' }],
  ['no keys', {}],
])('%s gets error 6 in the documented shape', async (_, query) => {
  service = await startQuickService();
  const body: unknown = await (await askToken(service, query)).json();
  expect(body).toEqual({ error_code: 6, error_msg: 'No permission to access data', details: null });
  expect(service.calls).toMatchObject([{ kind: 'token', outcome: 'error', errorCode: '6', charged: false }]);
});

test('keys in the body instead of the query are not accepted', async () => {
  service = await startQuickService();
  const body = new URLSearchParams(rightKeys);
  const response = await fetch(`${service.url}/api/v1/oauth/token`, { method: 'POST', body });
  expect(await response.json()).toMatchObject({ error_code: 6 });
});

test('an unknown or expired token is refused with error 110', async () => {
  service = await startQuickService({ tokenLifetimeMs: 0 });
  const expected = { error_code: 110, error_msg: 'Access token invalid or no longer valid' };
  for (const token of ['', 'a.b.c', await freshToken(service)]) {
    expect(await (await askRecognition(service, token, {})).json()).toEqual(expected);
  }
});

test('the call log keeps no secret', async () => {
  service = await startQuickService();
  await askRecognition(service, await freshToken(service), { image: 'AAAA' });
  expect(JSON.stringify(service.calls)).not.toContain('sandbox-secret-key');
});

test('only POST to the four documented paths is served', async () => {
  service = await startQuickService();
  expect((await fetch(`${service.url}/api/v1/oauth/token`)).status).toBe(405);
  expect((await fetch(`${service.url}/api/v1/oauth/tokens`, { method: 'POST' })).status).toBe(404);
  expect(service.calls).toEqual([]);
});
