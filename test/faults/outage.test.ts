/** The fault matrix of whole hosts: out of reach, or without an address. */
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { makeBotFolder } from '../bot-process.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { runCell, unbroken } from './cell.ts';
import { recognition, speech, translation } from './errands.ts';
import { useStage } from './stage.ts';

type Host = 'toTelegram' | 'toAuth' | 'toBase';

const folder = makeBotFolder();
const lostNames = `${folder.path}/lost`;
afterAll(() => folder.remove());
const lose = (names: string) => writeFileSync(lostNames, names);
lose('');
const stage = useStage({
  named: true,
  env: { NODE_OPTIONS: `--import=${new URL('names.mjs', import.meta.url).href}`, LOST_NAMES: lostNames },
});

/** Ways in which a host is unreachable; each returns what makes it reachable again. */
const AWAY: Record<string, (host: Host) => Promise<() => unknown>> = {
  'refuses connections': async (host) => {
    await stage[host].refuse();
    return stage[host].accept;
  },
  'has no address': async (host) => {
    lose(`${host.slice(2).toLowerCase()}.test`);
    // Ends the connections that stand.
    await stage[host].refuse();
    await stage[host].accept();
    return () => lose('');
  },
};

describe.each(Object.entries(AWAY))('a host that %s', (_fault, leave) => {
  it.each([
    ['translation', 'toBase', translation],
    ['speech', 'toBase', speech],
    ['recognition and its token', 'toAuth', recognition],
  ] as const)(
    'for %s: the person hears it, unpaid, and is served when it is back',
    async (_call, host, errand) => {
      const cell = unbroken(errand);
      const comeBack = await leave(host);
      const outcome = await runCell(stage, { ...cell, person: { languageCode: 'bo' } });
      await comeBack();
      expect(outcome.told).toBe('failure-unavailable');
      expect(outcome.charged).toBe(0);
      expect(outcome.account).toMatchObject({ charged: 0, inDoubt: 0, begun: 0 });
      const next = await runCell(stage, cell);
      expect(next).toMatchObject({ told: 'answer', charged: 1, account: { charged: 1 } });
    },
  );

  it('for Telegram: what was asked meanwhile is answered when it is back', async () => {
    const comeBack = await leave('toTelegram');
    const person = stage.newcomer();
    const asked = await stage.logsMore('polling failed', () =>
      person.send(person.chat, { text: newChinese() }),
    );
    await comeBack();
    expect((await stage.answerTo(asked)).text).toSatisfy(hasTibetan);
  });
});
