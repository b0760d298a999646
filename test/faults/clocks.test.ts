/** The clock is set back while the bot runs: nothing is paid for that should not be, held up, or lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Person } from '../../sandbox/telegram/person.ts';
import { hasTibetan, isAnswer, newChinese } from '../phrases.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { useBotPlace } from '../shared-scene.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const server = usePostgresServer();

describe.each(['sqlite', 'postgres'])('on %s', (engine) => {
  const place = useBotPlace();

  /** Whether a text is translated. */
  async function isTranslated(person: Person): Promise<boolean> {
    const after = person.send(person.chat, { text: newChinese() });
    const { text } = await place.telegram.world.waitForMessage(person.chat, isAnswer, { after });
    return hasTibetan(text);
  }

  it('a clock set back to the day’s beginning keeps what was spent', async () => {
    const clock = join(place.folder.path, 'clock');
    const setAhead = (ms: number) => writeFileSync(clock, String(ms));
    setAhead(0);
    const bot = place.start({
      ...(engine === 'postgres' ? { DATABASE_URL: await server.createDatabase() } : {}),
      DAILY_CALLS_PER_USER: '3',
      CLOCK_AHEAD: clock,
      NODE_OPTIONS: `--import=${new URL('shifted-clock.mjs', import.meta.url).href}`,
    });
    await bot.says('"ready"');
    const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
    expect(await isTranslated(person)).toBe(true);
    const endCall = place.service.faults.hold('translation');
    const second = isTranslated(person);
    await expect.poll(() => place.service.calls.at(-1)?.outcome).toBe('running');
    setAhead(-(Date.now() % DAY_MS));
    endCall();
    expect(await second).toBe(true);
    expect(await isTranslated(person)).toBe(true);
    expect(await isTranslated(person)).toBe(false);
    setAhead(0);
    expect(await isTranslated(person)).toBe(false);
    expect(place.service.paid().calls).toBe(3);
    expect(await bot.stop()).toBe(0);
  });
});
