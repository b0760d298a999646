/** The fault matrix of a SQLite database: no request is lost, no paid call goes unrecorded, and none is made twice. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import { hasTibetan, newChinese, numberOf, says } from '../phrases.ts';
import { instead } from './breakages.ts';
import { type CallUnderWay, type Stage, useStage } from './stage.ts';

/** Begins the fault; gives what ends it. */
type Fault = (stage: Stage) => () => unknown;

const isLocked: Fault = ({ databaseFile }) => {
  const other = new Sqlite(databaseFile);
  other.exec('begin immediate');
  return () => {
    other.exec('rollback');
    other.close();
  };
};

const FAULTS: Record<string, Fault> = {
  'is locked by another process': isLocked,
  /** No file may grow: a soft limit, which is lifted again. */
  'has no room on its disk': ({ bot }) => {
    const pid = String(bot().pid);
    execFileSync('prlimit', ['--pid', pid, '--fsize=0:']);
    return () => {
      if (existsSync(`/proc/${pid}`)) execFileSync('prlimit', ['--pid', pid, '--fsize=unlimited:']);
    };
  },
};

const stage = useStage();

/** Does the work while the fault lasts. */
async function during<T>(begin: Fault, work: () => Promise<T>): Promise<T> {
  const end = begin(stage);
  try {
    return await work();
  } finally {
    end();
  }
}

/** The call ends, and nothing of it can be written down. */
async function endsUnkept({ person, goesOn }: CallUnderWay): Promise<void> {
  await stage.logsMore('"type":"try"', goesOn);
  expect(stage.kept(person.id)).toBe(0);
}

const isTranslated = ({ text }: Message) => hasTibetan(text);

/** After a restart nothing is known but what is written. */
async function isNeverBoughtAgain({ text, number }: CallUnderWay): Promise<void> {
  await stage.restart();
  const answer = await stage.ask(stage.newcomer(), text, isTranslated);
  expect(numberOf(answer.text)).toBe(number);
  expect(stage.charged(number)).toBe(1);
}

/** Sends SIGTERM, and resolves once the bot is stopping; `exit` resolves to its exit code. */
const stopping = () => stage.logsMore('"stopping"', () => ({ exit: stage.bot().stop() }));

const PAID_ONCE = { charged: 1, failed: 0, inDoubt: 0, begun: 0 };

describe.each(Object.entries(FAULTS))('a database that %s', (_name, begin) => {
  it('before a request comes: it is answered afterwards, paid for once', async () => {
    const person = stage.newcomer();
    const text = newChinese();
    await during(begin, () => stage.logsMore('polling failed', () => person.send(person.chat, { text })));
    await stage.telegram.world.waitForMessage(person.chat, isTranslated);
    expect(stage.charged(numberOf(text) ?? '')).toBe(1);
    await expect.poll(() => stage.account(person.id)).toEqual(PAID_ONCE);
  });

  it('a database lost during a call: its answer comes, and once', async () => {
    const call = await stage.callUnderWay();
    await during(begin, () => endsUnkept(call));
    await stage.answerTo(call.asked, isTranslated);
    await expect.poll(() => stage.account(call.person.id)).toEqual(PAID_ONCE);
    await expect.poll(() => stage.kept(call.person.id)).toBe(1);
    await isNeverBoughtAgain(call);
  });

  it('a database lost until the stop: the write ends before it', async () => {
    const call = await stage.callUnderWay();
    const stopped = await during(begin, async () => {
      await endsUnkept(call);
      return stopping();
    });
    expect(await stopped.exit).toBe(0);
    expect(stage.account(call.person.id)).toEqual(PAID_ONCE);
    expect(stage.kept(call.person.id)).toBe(1);
    await isNeverBoughtAgain(call);
  });

  it('a database lost as a call fails: nothing is charged', async () => {
    const busy = '{"traceId":"1","msgId":"5031001","msg":"ServiceBusy","data":null}';
    const { person, asked, goesOn } = await stage.callUnderWay(instead(200, busy));
    await during(begin, () => stage.logsMore('"type":"try"', goesOn));
    const told = await stage.answerTo(asked, ({ text }) => text === says('failure-unavailable'));
    await person.press(told, says('button-try-again'));
    await stage.answerTo(asked, isTranslated);
    await expect.poll(() => stage.account(person.id)).toEqual({ ...PAID_ONCE, failed: 1 });
    const usage = await stage.ask(person, '/usage', (said) => said.text?.includes('today: 1\n') === true);
    expect(usage.text).not.toContain('today: 2');
  });
});

it('a database locked for good: the bot stops all the same', async () => {
  const call = await stage.callUnderWay();
  await during(isLocked, async () => {
    await endsUnkept(call);
    expect(await (await stopping()).exit).toBe(0);
  });
  await stage.restart();
  await stage.servesOthers();
});
