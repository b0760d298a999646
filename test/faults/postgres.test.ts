/** The fault matrix of PostgreSQL: away, or with its connections cut, at every moment of a request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connected } from '../connected.ts';
import { hasTibetan, newChinese, numberOf } from '../phrases.ts';
import { useOwnPostgresServer } from '../shared-postgres-server.ts';
import { type Stage, startStage } from './stage.ts';

const answers = z.array(z.object({ value: z.string() }));

const server = useOwnPostgresServer();
let address: string;
let stage: Stage;
beforeAll(async () => {
  address = await server.createDatabase();
  stage = await startStage({ env: { DATABASE_URL: address, SERVICE_TIMEOUT_MS: '30000' } });
});
afterAll(async () => {
  await stage.close();
});

/** What a query gives, each row's `value`. */
async function ask(query: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await connected(address, (client) => client.query(query, values));
  return answers.parse(rows).map(({ value }) => value);
}

/** How the tries of a person's calls ended. */
function outcomes(person: number): Promise<string[]> {
  const query = 'select outcome as value from ledger where person = $1';
  return ask(query, [String(person)]);
}

/** Begins the fault; gives what ends it. */
const FAULTS: Record<string, () => Promise<() => Promise<void>>> = {
  'is stopped': async () => {
    await server.stop();
    return () => server.start();
  },
  'cuts every connection': async () => {
    await ask(
      `select pg_terminate_backend(pid)::text as value from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return async () => {};
  },
};

describe.each(Object.entries(FAULTS))('a PostgreSQL that %s', (_name, begin) => {
  it('before a request comes: it is answered afterwards, paid for once', async () => {
    const { scene } = stage;
    const person = scene.newcomer();
    const text = newChinese();
    const end = await begin();
    const asked = person.send(person.chat, { text });
    await end();
    await scene.telegram.world.waitForMessage(person.chat, (answer) => hasTibetan(answer.text), {
      after: asked,
    });
    expect(stage.charged(numberOf(text) ?? '')).toBe(1);
    await expect.poll(() => outcomes(person.id)).toEqual(['charged']);
  });

  it('while a call is under way: its answer is given, kept, and never bought again', async () => {
    const { scene } = stage;
    const { person, text, number, asked, goesOn } = await stage.callUnderWay();
    const end = await begin();
    goesOn();
    await end();
    const answer = await scene.telegram.world.waitForMessage(
      person.chat,
      ({ text: said }) => hasTibetan(said),
      { after: asked },
    );
    await expect.poll(() => outcomes(person.id).catch(() => [])).toEqual(['charged']);
    const kept = () => ask('select text as value from results where person = $1', [String(person.id)]);
    await expect.poll(kept).toEqual([answer.text]);
    expect((await scene.ask(scene.newcomer(), text, (said) => hasTibetan(said.text))).text).toBe(answer.text);
    expect(stage.charged(number)).toBe(1);
  });

  it('all goes on, and nothing is left behind', async () => {
    expect((await stage.scene.ask(stage.scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
    await expect.poll(() => stage.residue()).toMatchObject({ children: 0, temporaryFiles: 0 });
    expect(stage.scene.log()).not.toMatch(/uncaught|unhandled/i);
  });
});
