/** What the doctor says of the settings, and of who may use the bot and what that can cost. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DoctorPlace, openDoctorPlace, startPage } from './doctor-place.ts';

let here: DoctorPlace;
beforeEach(async () => {
  here = await openDoctorPlace();
});
afterEach(() => here.close());

describe('who may use it', () => {
  it('is told: everybody in Telegram, or whom the admins let in', async () => {
    const found = await here.examined();
    expect(found.line('Access: ACCESS=open')).toMatch(/^– .*everybody in Telegram.*→ ACCESS=members/);
    expect(found.line('ADMIN_IDS is empty')).toMatch(/^– .*ADMIN_IDS/);
    const admin = here.place.telegram.world.addPerson({ id: 4242, firstName: 'Tenzin' });
    const closed = await here.examined({ ACCESS: 'members', ADMIN_IDS: `${admin.id}` });
    expect(closed.line('Access: ACCESS=members')).toMatch(/^✓/);
    expect(closed.wrong).toEqual([]);
  });

  it('the doctor names an admin without a chat with the bot', async () => {
    const admin = here.place.telegram.world.addPerson({ id: 4242, firstName: 'Tenzin' });
    const some = await here.examined({ ACCESS: 'members', ADMIN_IDS: `${admin.id},77` });
    expect(some.line('no chat with the bot')).toMatch(/^– .*: 77 → write to the bot/);
    const none = await here.examined({ ACCESS: 'members', ADMIN_IDS: '77' });
    expect(none.wrong).toEqual([expect.stringContaining('get no alerts: 77')]);
    const missing = await here.examined({ ACCESS: 'members' });
    expect(missing.line('ADMIN_IDS is missing')).toMatch(/^✗/);
  });
});

describe('secrets from files', () => {
  it('are read, and a file that cannot be has its line', async () => {
    const { SERVICE_SECRET_KEY: secret = '', ...rest } = here.settings;
    const path = join(here.place.folder.path, 'secret-key');
    writeFileSync(path, `${secret}\n`);
    here.settings = { ...rest, SERVICE_SECRET_KEY_FILE: path };
    const found = await here.examined();
    expect(found.wrong).toEqual([]);
    expect(found.line('are accepted')).toMatch(/^✓/);
    expect(found.all.join('\n')).not.toContain(secret);
    rmSync(path);
    const without = await here.examined();
    expect(without.wrong).toEqual([
      expect.stringMatching(
        /^✗ Settings: SERVICE_SECRET_KEY_FILE .*\(ENOENT\).* → set it in .env or in the file/,
      ),
    ]);
  });
});

it.each([
  [{}, '✓ Money: a day costs at most 100 yuan (DAILY_BUDGET_YUAN; ADMIN_IDS have no limit), whoever on'],
  [{ DAILY_BUDGET_YUAN: '0' }, '– Money: there is no limit to what a day costs, whoever on Telegram asks'],
])('with %o it says what a day can cost', async (changes, line) => {
  expect((await here.examined(changes)).line('Money:')).toContain(line);
});

it('a HOST that is no address of this machine', async () => {
  const found = await here.examined({ HOST: 'nowhere.invalid' });
  expect(found.line('Bot:')).toMatch(
    /^✗ .*cannot start → HOST nowhere\.invalid is not an address of this machine/,
  );
});

it('a PORT that another program has', async () => {
  const other = await startPage('another program', Number(here.settings.PORT));
  const found = await here.examined();
  expect(found.line('Bot:')).toMatch(/^✗ .*cannot start → PORT \d+ .* is in use: choose another/);
  other.close();
});
