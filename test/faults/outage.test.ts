/** The fault matrix of whole hosts: out of reach, or without an address, at the start and later. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTibetan, newChinese } from '../phrases.ts';
import { runCell, unbroken } from './cell.ts';
import { recognition, speech, translation } from './errands.ts';
import { type Stage, startStage } from './stage.ts';

type Host = 'telegram' | 'auth' | 'base';

let folder: string;
let lostNames: string;
let stage: Stage;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lotsawa-names-'));
  lostNames = join(folder, 'lost');
  writeFileSync(lostNames, '');
  const preload = new URL('names.mjs', import.meta.url).href;
  stage = await startStage({
    named: true,
    env: { NODE_OPTIONS: `--import=${preload}`, LOST_NAMES: lostNames },
  });
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

/** Ways in which a host is unreachable; each returns what makes it reachable again. */
const AWAY: Record<string, (host: Host) => Promise<() => Promise<void>>> = {
  'refuses connections': async (host) => {
    await stage[host].refuse();
    return () => stage[host].accept();
  },
  'has no address': async (host) => {
    writeFileSync(lostNames, `${host}.test ENOTFOUND`);
    await stage[host].refuse();
    await stage[host].accept();
    return async () => writeFileSync(lostNames, '');
  },
};

const ERRANDS = [
  ['translation', 'base', translation],
  ['speech', 'base', speech],
  ['recognition and its token', 'auth', recognition],
] as const;

describe.each(Object.entries(AWAY))('a host that %s', (_fault, leave) => {
  it.each(ERRANDS)(
    'for %s: the person hears it, unpaid, and is served when it is back',
    async (_call, host, errand) => {
      const cell = unbroken(errand);
      const comeBack = await leave(host);
      const outcome = await runCell(stage, { ...cell, person: { languageCode: 'bo' } });
      await comeBack();
      expect(outcome.told).toBe('failure-unavailable');
      expect(outcome.charged).toBe(0);
      expect(outcome.account).toMatchObject({ charged: 0, inDoubt: 0, begun: 0 });
      expect(await runCell(stage, cell)).toMatchObject({
        told: 'answer',
        charged: 1,
        account: { charged: 1 },
      });
    },
  );

  it('for Telegram: what was asked meanwhile is answered when it is back', async () => {
    const { scene } = stage;
    const comeBack = await leave('telegram');
    const person = scene.newcomer();
    const asked = person.send(person.chat, { text: newChinese() });
    const polls = () => scene.log().split('polling failed').length;
    const before = polls();
    await expect.poll(polls).toBeGreaterThan(before + 1);
    await comeBack();
    expect((await scene.answerTo(asked)).text).toSatisfy(hasTibetan);
  });

  it('for Telegram at the start: the bot waits for it', async () => {
    const { scene } = stage;
    await scene.bot().stop();
    const comeBack = await leave('telegram');
    const restarted = scene.restart();
    const waits = () => scene.log().split('Telegram is unreachable: retrying').length;
    const before = waits();
    await expect.poll(waits).toBeGreaterThan(before);
    await comeBack();
    await restarted;
    expect((await scene.ask(scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
  });
});

it('all that is left of it is what was there before', async () => {
  await expect.poll(() => stage.residue()).toMatchObject({ children: 0, temporaryFiles: 0 });
  expect(stage.scene.log()).not.toMatch(/uncaught|unhandled/i);
});
