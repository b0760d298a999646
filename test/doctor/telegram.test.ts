/** What the doctor says of the bot's account at Telegram, and of the webhook. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkTelegram } from '../../src/doctor/telegram.ts';
import { TOKEN } from '../bot-process.ts';
import { freePort } from '../free-port.ts';
import { type DoctorPlace, openDoctorPlace } from './doctor-place.ts';

let here: DoctorPlace;
beforeEach(async () => {
  here = await openDoctorPlace();
});
afterEach(() => here.close());

describe('Telegram', () => {
  it('a token that it does not know', async () => {
    const found = await here.examined({ TELEGRAM_BOT_TOKEN: '1000000002:another-token' });
    expect(found.line('TELEGRAM_BOT_TOKEN')).toMatch(/^✗ .* → in @BotFather: \/mybots/);
  });

  it('being out of reach', async () => {
    const found = await here.examined({ TELEGRAM_API_ROOT: `http://127.0.0.1:${await freePort()}` });
    expect(found.line('Telegram:')).toMatch(/^✗ .*unreachable.* → check that this machine reaches/);
  });

  it.each([
    ['staying silent', { mode: 'hang' }],
    ['having trouble', { status: 502, times: Number.POSITIVE_INFINITY }],
  ] as const)('%s for longer than the doctor has time', async (_, fault) => {
    here.place.telegram.faults.next('getMe', fault);
    const { apiRoot } = here.place.telegram;
    const telegram = { token: TOKEN, apiRoot, proxy: undefined, filesDir: undefined };
    const config = { telegram, webhook: undefined, access: 'open' as const, adminIds: [] };
    const texts: string[] = [];
    for await (const { text } of checkTelegram(config, 600)) texts.push(text);
    expect(texts).toEqual(['Telegram: unreachable (timed out)']);
  });

  it('the doctor names the switches that BotFather has off', async () => {
    const off = { can_join_groups: false, supports_inline_queries: false, supports_guest_queries: false };
    Object.assign(here.place.telegram.bot, off);
    const found = await here.examined();
    expect(found.line('cannot be added')).toMatch(/^– .*\/setjoingroups/);
    expect(found.line('inline mode is off')).toMatch(/^– .*\/setinline/);
    expect(found.line('guest mode is off')).toMatch(/^– .*Guest Mode/);
    expect(found.line('privacy mode is on')).toMatch(/^– .*\/setprivacy/);
    expect(found.wrong).toEqual([]);
  });
});

describe('the webhook', () => {
  const setWebhook = (url: string) =>
    fetch(`${here.place.telegram.apiRoot}/bot${TOKEN}/setWebhook?url=${encodeURIComponent(url)}`);
  const HERE = { WEBHOOK_URL: 'https://bot.example.org/telegram/secret-path', WEBHOOK_SECRET: 'secret' };

  it('one that is set though polling is configured is for the next start to end', async () => {
    await setWebhook(HERE.WEBHOOK_URL);
    const found = await here.examined();
    expect(found.line('Updates:')).toMatch(
      /^– .*another address, at bot\.example\.org → npm start changes that.*\/revoke/,
    );
    expect(found.line('Updates:')).not.toContain('secret-path');
  });

  it('one that leads elsewhere while the bot runs', async () => {
    const url = `http://127.0.0.1:${here.settings.PORT}/telegram`;
    here.settings = { ...here.settings, WEBHOOK_URL: url, WEBHOOK_SECRET: 'secret' };
    await here.startBot();
    expect((await here.examined()).line('Updates:')).toMatch(/^✓ Updates: Telegram delivers to/);
    await setWebhook(HERE.WEBHOOK_URL);
    const found = await here.examined();
    expect(found.line('Updates:')).toMatch(/^– .*another address, at bot\.example\.org → .*\/revoke/);
  });

  it('one that is configured and not set yet, and one that is', async () => {
    expect((await here.examined(HERE)).line('Telegram has no webhook')).toMatch(/^– .* → npm start changes/);
    await setWebhook(HERE.WEBHOOK_URL);
    expect((await here.examined(HERE)).line('Updates:')).toBe(
      '✓ Updates: Telegram delivers to bot.example.org',
    );
  });

  it('deliveries that fail while updates wait', async () => {
    const url = `http://127.0.0.1:${await freePort()}/telegram`;
    await setWebhook(url);
    const person = here.place.telegram.world.addPerson({ firstName: 'Pema' });
    person.send(person.chat, { text: '/start' });
    const there = { WEBHOOK_URL: url, WEBHOOK_SECRET: 'secret' };
    await expect
      .poll(async () => (await here.examined(there)).line('last failed delivery'))
      .toMatch(/^✗ .*Connection failed\); updates pending: 1 → WEBHOOK_URL must lead/);
  });
});
