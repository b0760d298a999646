/** The fault matrix of ffmpeg: a voice note is whole or is not sent, the speech is not paid for again, and no process stays. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { hasTibetan, isVoice, newChinese, newTibetan, numberOf, says } from '../phrases.ts';
import { childrenOf, processesOf } from '../processes.ts';
import { startScene } from '../scene.ts';
import { type Outcome, runCell, unbroken } from './cell.ts';
import { speech } from './errands.ts';
import { type Stage, startStage } from './stage.ts';

const REAL = execFileSync('which', ['ffmpeg'], { encoding: 'utf8' }).trim();

/** A process that only a wrapper around ffmpeg starts. */
const LEFTOVER = 'sleep 98765';

/** More of them than any test starts. */
const MAX_BROKEN = 9;

/** What the stand-in does in the place of an encoder; `$@` are ffmpeg's arguments. */
const FAULTS: Record<string, string> = {
  'ends at once with an error': 'exit 1',
  'is killed halfway': 'head -c 2000 > /dev/null; kill -9 $$',
  'writes garbage': 'cat > /dev/null; head -c 5000 /dev/urandom; exit 0',
  'closes its input early, and makes a shorter file': `head -c 6400 | ${REAL} "$@"`,
  'writes half of its file': `${REAL} "$@" | head -c 800`,
  'never stops writing': 'exec cat /dev/zero',
  'leaves behind what holds its pipes': `${LEFTOVER} & cat > /dev/null; exit 0`,
  'leaves behind what holds nothing': `${LEFTOVER} < /dev/null > /dev/null 2>&1 & ${REAL} "$@"`,
};

/** Each ends only by a time limit. */
const HANGS = [
  // In what it has started, deaf to SIGTERM.
  `trap '' TERM; ${LEFTOVER}`,
  // Without reading; stopped; after its input.
  'exec sleep 1000',
  'kill -STOP $$',
  'cat > /dev/null; exec sleep 1000',
];

let folder: string;
let stage: Stage;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lotsawa-ffmpeg-'));
  standIn('', 0);
  stage = await startStage({ env: { PATH: `${folder}:${process.env.PATH}` } });
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

/** The next `times` encoders do this; those after them are real. */
function standIn(instead: string, times: number): void {
  const lines = [
    '#!/bin/sh',
    `case "$*" in -formats|-encoders) exec ${REAL} "$@";; esac`,
    // Whoever can make the folder is one of the first `times`.
    `for n in $(seq 1 ${times}); do if mkdir "${folder}/$n" 2>/dev/null; then ${instead || ':'}; exit; fi; done`,
    `exec ${REAL} "$@"`,
  ];
  for (let n = 1; n <= MAX_BROKEN; n += 1) rmSync(join(folder, String(n)), { recursive: true, force: true });
  // A file that a bot is just beginning to execute cannot be written to.
  const path = join(folder, 'next');
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o755 });
  renameSync(path, join(folder, 'ffmpeg'));
}

const cell = unbroken(speech);

async function outcomeOf(instead: string, times: number): Promise<Outcome> {
  standIn(instead, times);
  const [outcome] = await outcomesOf(1);
  if (outcome === undefined) throw new Error('the cell was not run');
  return outcome;
}

/** Runs this number of cells at once. */
async function outcomesOf(count: number): Promise<Outcome[]> {
  const outcomes = await Promise.all(Array.from({ length: count }, () => runCell(stage, cell)));
  await expect.poll(() => processesOf(LEFTOVER)).toEqual([]);
  // At first the bot may still ask ffmpeg what it can do.
  await expect.poll(() => childrenOf(stage.scene.bot().pid ?? 0)).toEqual([]);
  for (const { charged, account } of outcomes) {
    expect(charged).toBe(1);
    expect(account).toEqual({ charged: 1, failed: 0, inDoubt: 0, begun: 0 });
  }
  return outcomes;
}

describe('an encoder', () => {
  it.each(Object.entries(FAULTS))(
    'that %s is replaced, and nothing is paid for again',
    async (_fault, instead) => {
      const { told, answers } = await outcomeOf(instead, 1);
      expect([told, answers]).toEqual(['answer', 1]);
    },
  );

  it('that hangs, in whatever way, is replaced, and nothing is paid for again', async () => {
    const ways = HANGS.map((instead, index) => `${index + 1}) ${instead};;`);
    standIn(`case $n in ${ways.join(' ')} esac`, HANGS.length);
    for (const { told, answers } of await outcomesOf(HANGS.length)) {
      expect([told, answers]).toEqual(['answer', 1]);
    }
  });

  it.each(Object.entries(FAULTS).filter(([fault]) => /at once|never stops/.test(fault)))(
    'that %s again and again is answered in words, and no voice note is sent',
    async (_fault, instead) => {
      const { told, answers } = await outcomeOf(instead, 2);
      expect([told, answers]).toEqual(['failure-audio', 0]);
      // The next one shows that encoders work again.
      expect((await outcomeOf('', 0)).told).toBe('answer');
    },
  );

  it('that is no program is answered in words, and all else goes on', async () => {
    writeFileSync(join(folder, 'ffmpeg'), '\x7fELF and nothing more');
    expect((await runCell(stage, cell)).told).toBe('failure-audio');
    expect((await stage.scene.ask(stage.scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
    expect((await outcomeOf('', 0)).told).toBe('answer');
    expect((await stage.residue()).temporaryFiles).toBe(0);
    expect(stage.scene.log()).not.toMatch(/uncaught|unhandled/i);
  });
});

describe('while no encoder works', () => {
  const BROKEN = 'cat > /dev/null; exit 1';

  function speaks(person: Person, text: string): Promise<Message> {
    return stage.scene.ask(person, `/speak amdo ${text}`);
  }
  const chargedFor = (text: string) => stage.charged(numberOf(text) ?? '');

  it('what was paid for is kept, and comes without another call once one does', async () => {
    const person = stage.scene.newcomer();
    const text = newTibetan();
    standIn(BROKEN, 2);
    expect((await speaks(person, text)).text).toBe(says('failure-audio'));
    await stage.scene.restart('SIGKILL');
    standIn('', 0);
    expect(await speaks(person, text)).toSatisfy(isVoice);
    expect(chargedFor(text)).toBe(1);
  });

  it('what was paid for comes though no call is left', async () => {
    const scene = await startScene({
      env: { PATH: `${folder}:${process.env.PATH}`, DAILY_CALLS_PER_USER: '1' },
    });
    onTestFinished(() => scene.close());
    const command = `/speak amdo ${newTibetan()}`;
    standIn(BROKEN, 2);
    expect((await scene.ask(scene.anna, command)).text).toBe(says('failure-audio'));
    standIn('', 0);
    expect(await scene.ask(scene.anna, command)).toSatisfy(isVoice);
  });

  it('nothing is paid for but what finds it out', async () => {
    const person = stage.scene.newcomer();
    const [first, other] = [newTibetan(), newTibetan()];
    standIn(BROKEN, MAX_BROKEN);
    for (const text of [first, first, other]) {
      expect((await speaks(person, text)).text).toBe(says('failure-audio'));
    }
    expect([chargedFor(first), chargedFor(other)]).toEqual([1, 0]);
    standIn('', 0);
    for (const text of [other, first]) expect(await speaks(person, text)).toSatisfy(isVoice);
    expect([chargedFor(first), chargedFor(other)]).toEqual([1, 1]);
  });
});
