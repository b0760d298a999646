/** PostgreSQL as a whole: away at every moment of a request, out of reach over the network, or gone over to another server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { connected } from '../connected.ts';
import { freePort } from '../free-port.ts';
import { hasTibetan, newChinese, numberOf } from '../phrases.ts';
import type { Standby } from '../postgres-server.ts';
import { useOwnPostgresServer } from '../shared-postgres-server.ts';
import { useBotPlace } from '../shared-scene.ts';
import { useStage } from './stage.ts';
import { type StatementProxy, startStatementProxy } from './statement-proxy.ts';

const server = useOwnPostgresServer();
let address: string;
let proxy: StatementProxy;
/** A database for all tests of the `describe` that calls this, and the way to it. */
function useDatabase(): void {
  beforeAll(async () => {
    address = await server.createDatabase();
    proxy = await startStatementProxy(address);
  });
  afterAll(() => proxy.close());
}

/** What a query gives, each row's `value`. */
async function query(sql: string, values: unknown[] = []): Promise<unknown[]> {
  const { rows } = await connected(address, (client) => client.query<{ value: unknown }>(sql, values));
  return rows.map(({ value }) => value);
}

describe('a bot on a PostgreSQL', () => {
  useDatabase();
  const stage = useStage(async () => ({ env: { DATABASE_URL: proxy.url, SERVICE_TIMEOUT_MS: '30000' } }));
  const isTranslated = ({ text }: Message) => hasTibetan(text);

  /** Begins the fault; gives what ends it. */
  const FAULTS: Record<string, () => Promise<() => unknown>> = {
    'that is stopped': async () => {
      await server.stop();
      return server.start;
    },
    'that cuts every connection': async () => {
      await query(
        `select pg_terminate_backend(pid) as value from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      return () => {};
    },
    'to which the network falls silent': async () => {
      proxy.fallSilent();
      return () => {};
    },
  };

  it.each(Object.entries(FAULTS))(
    '%s: what comes, and what is under way, is answered, written down, and never bought again',
    async (_, begin) => {
      const { person, text, number, asked, goesOn } = await stage.callUnderWay();
      const end = await begin();
      const others = Array.from({ length: 8 }, () => stage.newcomer());
      const late = others.map((other) => other.send(other.chat, { text: newChinese() }));
      goesOn();
      await end();
      const answer = await stage.answerTo(asked, isTranslated);
      expect(await stage.everythingAfter(asked, person)).toEqual([answer]);
      for (const [index, message] of late.entries()) {
        const said = await stage.everythingAfter(message, others[index] ?? person);
        expect(said.map((one) => numberOf(one.text))).toEqual([numberOf(message.text)]);
        expect(stage.charged(numberOf(message.text) ?? '')).toBe(1);
      }
      const outcomes = () => query('select outcome as value from ledger where person = $1', [person.id]);
      await expect.poll(outcomes).toEqual(['charged']);
      const kept = () => query('select text as value from results where person = $1', [String(person.id)]);
      await expect.poll(kept).toEqual([answer.text]);
      expect((await stage.ask(stage.newcomer(), text, isTranslated)).text).toBe(answer.text);
      expect(stage.charged(number)).toBe(1);
    },
  );
});

describe('a bot with processes of its own', () => {
  useDatabase();
  const place = useBotPlace();
  let port: string;
  beforeAll(async () => {
    port = String(await freePort());
  });
  const start = (more: Record<string, string> = {}) => place.start({ DATABASE_URL: proxy.url, ...more });
  const newcomer = () => place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  /** The numbers of its translations for a person, in their order. */
  const answersFor = ({ chat }: Person) =>
    place.telegram.world
      .messages(chat)
      .filter(({ from, text }) => from?.is_bot && hasTibetan(text))
      .map(({ text }) => numberOf(text));
  let standby: Standby;

  it('a start waits until PostgreSQL is there, or until it is stopped', async () => {
    proxy.take('hang up');
    const patient = start();
    await patient.says('the database is unreachable');
    proxy.take('ignore');
    const stopped = start();
    await stopped.says('the database is unreachable');
    expect(await stopped.stop()).toBe(0);
    proxy.take('pass');
    await patient.says('"ready"');
    expect(await patient.stop()).toBe(0);
  });

  it('a bot led to a standby waits until the primary is back', async () => {
    standby = await server.startStandby();
    const standbyUrl = address.replace(/:\d+\//, `:${standby.port}/`);
    proxy.leadTo(standbyUrl);
    const bot = start({ PORT: port });
    await bot.says('the database is unreachable');
    proxy.leadTo(address);
    await bot.says('"ready"');

    proxy.leadTo(standbyUrl, true);
    const person = newcomer();
    person.send(person.chat, { text: newChinese() });
    const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).text();
    await expect.poll(readiness).toContain('"database":"failing"');
    // The connections that stand go on standing.
    proxy.leadTo(address);
    await expect.poll(() => answersFor(person)).toHaveLength(1);
    await expect.poll(readiness).toContain('"ready":true');
    expect(place.service.paid().calls).toBe(1);
  });

  it('a failover under load loses, reorders and doubles nothing', async () => {
    const other = start();
    await other.says('"ready"');
    const { service, telegram } = place;
    const people = Array.from({ length: 6 }, newcomer);
    const ask = (texts: number) =>
      people.flatMap((person) =>
        Array.from({ length: texts }, () => numberOf(person.send(person.chat, { text: newChinese() }).text)),
      );
    const answers = () => people.flatMap(answersFor);
    const asked = ask(1);
    await telegram.world.waitUntil(() => answers().length === people.length);
    const endCalls = service.faults.hold('translation', people.length);
    asked.push(...ask(3));
    const running = () => service.calls.filter(({ outcome }) => outcome === 'running');
    await telegram.world.waitUntil(() => running().length === people.length);
    await server.kill();
    const answeredThen = answers();
    await standby.promote();
    address = address.replace(/:\d+\//, `:${standby.port}/`);
    proxy.leadTo(address, true);
    endCalls();
    await expect.poll(() => new Set(answers()).size).toBe(asked.length);

    for (const person of people) {
      const said = answersFor(person);
      const once = said.filter((number, index) => said.indexOf(number) === index);
      expect(once).toEqual(once.toSorted());
      // Only what was recorded last before the end of the primary may be lost.
      expect(said.length - once.length).toBeLessThanOrEqual(1);
    }
    const charged = service.calls
      .filter(({ kind, charged }) => kind === 'translation' && charged)
      .map(({ parameters }) => numberOf(String(parameters.inputText)));
    expect(charged).toEqual(expect.arrayContaining(asked));
    const twice = charged.filter((number, index) => charged.indexOf(number) !== index);
    // A person's texts are translated one after the other.
    expect(twice.length).toBeLessThanOrEqual(people.length);
    expect(twice.filter((number) => answeredThen.includes(number))).toEqual([]);
    const [calls] = await query("select count(*)::int as value from ledger where outcome <> 'failed'");
    // The entry of a call waits for no disk (store/money/ledger.ts): of a person's call in flight it may be lost, with its result.
    expect(calls).toBeGreaterThanOrEqual(service.paid().calls - people.length);
  });
});
