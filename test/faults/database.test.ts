/** The fault matrix of a SQLite database: no request is lost, no paid call goes unrecorded, and none is made twice. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTibetan, newChinese, numberOf, says } from '../phrases.ts';
import { type CallUnderWay, type Stage, startStage } from './stage.ts';

/** Begins the fault; gives what ends it. */
type Fault = (stage: Stage) => () => unknown;

const FAULTS: Record<string, Fault> = {
  'is locked by another process': ({ scene }) => {
    const other = new Sqlite(scene.databaseFile);
    other.exec('begin immediate');
    return () => {
      other.exec('rollback');
      other.close();
    };
  },
  /** No file may grow: a soft limit, which is lifted again. */
  'has no room on its disk': ({ scene }) => {
    const pid = String(scene.bot().pid);
    execFileSync('prlimit', ['--pid', pid, '--fsize=0:']);
    return () => {
      if (existsSync(`/proc/${pid}`)) execFileSync('prlimit', ['--pid', pid, '--fsize=unlimited:']);
    };
  },
};

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** Does the work while the fault lasts. */
async function during<T>(begin: Fault, work: () => Promise<T>, on = stage): Promise<T> {
  const end = begin(on);
  try {
    return await work();
  } finally {
    end();
  }
}

async function isAnswered({ scene } = stage): Promise<void> {
  expect((await scene.ask(scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
}

/** The call ends, and nothing of it can be written down. */
async function endsUnkept({ person, goesOn }: CallUnderWay, { scene, kept } = stage): Promise<void> {
  const ended = () => scene.log().split('"type":"try"').length;
  const before = ended();
  goesOn();
  await scene.telegram.world.waitUntil(() => ended() > before);
  expect(kept(person.id)).toBe(0);
}

async function isAnsweredAfter({ person, asked }: CallUnderWay): Promise<void> {
  await stage.scene.telegram.world.waitForMessage(person.chat, (answer) => hasTibetan(answer.text), {
    after: asked,
  });
}

/** After a restart nothing is known but what is written. */
async function isNeverBoughtAgain({ text, number }: CallUnderWay): Promise<void> {
  const { scene } = stage;
  await scene.restart();
  const answer = await scene.ask(scene.newcomer(), text, (message) => hasTibetan(message.text));
  expect(numberOf(answer.text)).toBe(number);
  expect(stage.charged(number)).toBe(1);
}

/** Sends SIGTERM, and resolves once the bot is stopping; `exit` resolves to its exit code. */
async function stopping({ scene } = stage) {
  const heard = () => scene.log().split('"stopping"').length;
  const before = heard();
  const exit = scene.bot().stop();
  await scene.telegram.world.waitUntil(() => heard() > before);
  return { exit };
}

describe.each(Object.entries(FAULTS))('a database that %s', (_name, begin) => {
  it('before a request comes: it is answered afterwards, paid for once', async () => {
    const { scene } = stage;
    const person = scene.newcomer();
    const text = newChinese();
    const asked = await during(begin, async () => {
      const failures = () => scene.log().split('polling failed').length;
      const before = failures();
      const message = person.send(person.chat, { text });
      await expect.poll(failures).toBeGreaterThan(before);
      return message;
    });
    await scene.telegram.world.waitForMessage(person.chat, (answer) => hasTibetan(answer.text), {
      after: asked,
    });
    expect(stage.charged(numberOf(text) ?? '')).toBe(1);
    await expect
      .poll(() => stage.account(person.id))
      .toEqual({ charged: 1, failed: 0, inDoubt: 0, begun: 0 });
    await isAnswered();
  });

  it('while a call is under way: it is waited for, then the answer comes, is written down, and is never bought again', async () => {
    const call = await stage.callUnderWay();
    await during(begin, () => endsUnkept(call));
    await isAnsweredAfter(call);
    await expect
      .poll(() => stage.account(call.person.id))
      .toEqual({ charged: 1, failed: 0, inDoubt: 0, begun: 0 });
    await expect.poll(() => stage.kept(call.person.id)).toBe(1);
    await isNeverBoughtAgain(call);
  });

  it('until the bot is told to stop: what waits to be written down is written before it ends', async () => {
    const call = await stage.callUnderWay();
    const stopped = await during(begin, async () => {
      await endsUnkept(call);
      return stopping();
    });
    expect(await stopped.exit).toBe(0);
    expect(stage.account(call.person.id)).toEqual({ charged: 1, failed: 0, inDoubt: 0, begun: 0 });
    expect(stage.kept(call.person.id)).toBe(1);
    await isNeverBoughtAgain(call);
  });

  it('while a call fails: what it did not cost is given back, and the person is served', async () => {
    const { scene } = stage;
    const person = scene.newcomer();
    const text = newChinese();
    const goesOn = Promise.withResolvers<void>();
    stage.base.breakNext({
      call: 'translation',
      mark: numberOf(text) ?? '',
      breakage: async ({ response }) => {
        await goesOn.promise;
        response.writeHead(200).end('{"traceId":"1","msgId":"5031001","msg":"ServiceBusy","data":null}');
      },
    });
    const asked = person.send(person.chat, { text });
    await expect.poll(() => stage.account(person.id).begun).toBe(1);
    const failed = () => scene.log().split('"type":"try"').length;
    const before = failed();
    await during(begin, async () => {
      goesOn.resolve();
      await expect.poll(failed).toBeGreaterThan(before);
    });
    const told = await scene.answerTo(asked, ({ text }) => text === says('failure-unavailable'));
    await person.press(told, says('button-try-again'));
    await scene.telegram.world.waitForMessage(person.chat, (answer) => hasTibetan(answer.text), {
      after: asked,
    });
    await expect
      .poll(() => stage.account(person.id))
      .toEqual({ charged: 1, failed: 1, inDoubt: 0, begun: 0 });
    const usage = await scene.ask(person, '/usage', (said) => said.text?.includes('today: 1\n') === true);
    expect(usage.text).not.toContain('today: 2');
  });
});

it.concurrent.each(Object.entries(FAULTS))(
  'a database that %s for longer than the bot lives: it stops all the same',
  async (_name, begin) => {
    const own = await startStage();
    const call = await own.callUnderWay();
    const work = async () => {
      await endsUnkept(call, own);
      expect(await (await stopping(own)).exit).toBe(0);
    };
    await during(begin, work, own);
    await own.scene.restart();
    await isAnswered(own);
    await own.close();
  },
);
