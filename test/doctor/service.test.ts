/** What the doctor says of the service, and of paid calls. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { type DoctorPlace, openDoctorPlace, startPage } from './doctor-place.ts';

let here: DoctorPlace;
beforeEach(async () => {
  here = await openDoctorPlace();
});
afterEach(() => here.close());

describe('the service', () => {
  it('credentials that it refuses', async () => {
    const found = await here.examined({ SERVICE_SECRET_KEY: 'another-secret' });
    expect(found.line('no token')).toMatch(/^✗ .*refused.*\) → copy SERVICE_API_KEY and SERVICE_SECRET_KEY/);
  });

  it('an address that leads to something else', async () => {
    const page = await startPage('<html>Welcome!</html>');
    const found = await here.examined({ SERVICE_AUTH_URL: page.url });
    expect(found.line('no token')).toMatch(
      /^✗ .*the answer did not come from the service.*\) → check that SERVICE_AUTH_URL/,
    );
    page.close();
  });

  it('addresses that lead nowhere', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const found = await here.examined({ SERVICE_AUTH_URL: nowhere, SERVICE_BASE_URL: nowhere });
    expect(found.line('no token')).toMatch(
      /^✗ .*ECONNREFUSED.* → check that this machine reaches SERVICE_AUTH_URL/,
    );
    expect(found.line('SERVICE_BASE_URL')).toMatch(
      /^✗ .*SERVICE_BASE_URL.*ECONNREFUSED\) → check that this machine reaches SERVICE_BASE_URL/,
    );
  });
});

describe('paid calls', () => {
  it('what is refused is named, and what was not charged is not counted', async () => {
    const found = await here.examined({ SERVICE_X_SECRET: 'another-secret' }, { mayPay: true });
    expect(found.line('translation failed')).toMatch(/^✗ .*refused, code 4011001\) → copy SERVICE_X_SECRET/);
    expect(found.line('speech failed')).toMatch(/^✗ /);
    expect(found.line('these calls cost')).toContain('cost 0.40 yuan');
  });

  it('a quota that is used up', async () => {
    here.place.service.faults.set('speech', 'quota');
    const found = await here.examined({}, { mayPay: true });
    expect(found.line('speech failed')).toMatch(/^✗ .* → the quota for speech is used up/);
  });
});
