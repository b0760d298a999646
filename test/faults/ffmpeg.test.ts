/**
 * The fault matrix of ffmpeg: when it fails, no note is sent, the speech is not paid for again, and no process stays. By its exit code the
 * bot knows whether it wrote all of the note: whatever ends the real one early makes it fail (media/voice-note-failures.test.ts).
 */
import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Person } from '../../sandbox/telegram/person.ts';
import { makeBotFolder } from '../bot-process.ts';
import { isVoice, newTibetan, numberOf, says } from '../phrases.ts';
import { childrenOf, processesOf } from '../processes.ts';
import { runCell, unbroken } from './cell.ts';
import { speech } from './errands.ts';
import { useStage } from './stage.ts';

const REAL = execFileSync('which', ['ffmpeg'], { encoding: 'utf8' }).trim();

/** A process that only a wrapper around ffmpeg starts. */
const LEFTOVER = 'sleep 98765';

/** More of them than any test starts. */
const MAX_BROKEN = 9;

/** Each stand-in counts its encoders in folders of its own: a bot may start one while another takes its place. */
let standIns = 0;

/** What the stand-in does in the place of an encoder; `$@` are ffmpeg's arguments. */
const FAULTS: Record<string, string> = {
  'ends at once with an error': 'exit 1',
  'is killed halfway': 'head -c 2000 > /dev/null; kill -9 $$',
  'never stops writing': 'exec cat /dev/zero',
  'leaves behind what holds its pipes': `${LEFTOVER} & cat > /dev/null; exit 1`,
};

const BROKEN = 'cat > /dev/null; exit 1';

const tools = makeBotFolder();
const folder = tools.path;
standIn('', 0);
// One call: what was paid for comes also when none is left.
const stage = useStage({ env: { PATH: `${folder}:${process.env.PATH}`, DAILY_CALLS_PER_USER: '1' } });
afterAll(() => tools.remove());

/** The next `times` encoders do this; those after them are real. */
function standIn(instead: string, times: number): void {
  standIns += 1;
  const lines = [
    '#!/bin/sh',
    `case "$*" in -bsfs|-encoders) exec ${REAL} "$@";; esac`,
    // Whoever can make the folder is one of the first `times`.
    `for n in $(seq 1 ${times}); do if mkdir "${folder}/${standIns}-$n" 2>/dev/null; then ${instead || ':'}; exit; fi; done`,
    `exec ${REAL} "$@"`,
  ];
  // A file that a bot is just beginning to execute cannot be written to.
  const path = join(folder, 'next');
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o755 });
  renameSync(path, join(folder, 'ffmpeg'));
}

const cell = unbroken(speech);

/** Somebody has their voice note, of one call, and no process stays. */
async function isServed(): Promise<void> {
  const { told, answers, charged, account } = await runCell(stage, cell);
  await expect.poll(() => processesOf(LEFTOVER)).toEqual([]);
  // At first the bot may still ask ffmpeg what it can do.
  await expect.poll(() => childrenOf(stage.bot().pid ?? 0)).toEqual([]);
  expect([told, answers, charged]).toEqual(['answer', 1, 1]);
  expect(account).toEqual({ charged: 1, failed: 0, inDoubt: 0, begun: 0 });
}

describe('an encoder', () => {
  it.each(Object.entries(FAULTS))(
    'that %s is replaced, and nothing is paid for again',
    async (_fault, instead) => {
      standIn(instead, 1);
      await isServed();
    },
  );

  it('that is no program is answered in words, and all else goes on', async () => {
    writeFileSync(join(folder, 'ffmpeg'), '\x7fELF and nothing more');
    expect((await runCell(stage, cell)).told).toBe('failure-audio');
    await stage.servesOthers();
    standIn('', 0);
    await isServed();
  });
});

describe('while no encoder works', () => {
  const speaks = (person: Person, text: string) => stage.ask(person, `/speak amdo ${text}`);
  const chargedFor = (text: string) => stage.charged(numberOf(text) ?? '');

  it('what was paid for is kept, and comes without another call once one does', async () => {
    const person = stage.newcomer();
    const text = newTibetan();
    standIn(BROKEN, 2);
    expect((await speaks(person, text)).text).toBe(says('failure-audio'));
    await stage.atRest();
    await stage.restart('SIGKILL');
    standIn('', 0);
    expect(await speaks(person, text)).toSatisfy(isVoice);
    expect(chargedFor(text)).toBe(1);
  });

  it('nothing is paid for but what finds it out', async () => {
    const [person, other] = [stage.newcomer(), stage.newcomer()];
    const [first, second] = [newTibetan(), newTibetan()];
    const asked = [
      [person, first],
      [person, first],
      [other, second],
    ] as const;
    standIn(BROKEN, MAX_BROKEN);
    for (const each of asked) expect((await speaks(...each)).text).toBe(says('failure-audio'));
    expect([chargedFor(first), chargedFor(second)]).toEqual([1, 0]);
    standIn('', 0);
    for (const each of asked) expect(await speaks(...each)).toSatisfy(isVoice);
    expect([chargedFor(first), chargedFor(second)]).toEqual([1, 1]);
  });
});
