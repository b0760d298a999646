/** PostgreSQL fails at one statement, whichever it is: what was asked is answered all the same, and paid for once. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { openBotPlace } from '../bot-place.ts';
import { connected } from '../connected.ts';
import { buttonsOf, hasTibetan, newChinese, numberOf, says, saysWithTime } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { startStatementProxy } from './statement-proxy.ts';

const server = usePostgresServer();

/** The first statement of the connection by which a process listens; the pool's connections set `statement_timeout`, too. */
const LISTENER_SETTINGS = /^(?!.*'statement_timeout').*idle_session_timeout/s;

/** A database of its own behind a proxy, and a place for the processes that use it. */
async function open() {
  const address = await server.createDatabase();
  const [proxy, place] = await Promise.all([startStatementProxy(address), openBotPlace()]);
  const { world } = place.telegram;

  /** The bot's translations in a person's chat. */
  const translationsFor = ({ chat }: Person): Message[] =>
    world.messages(chat).filter(({ from, text }) => from?.is_bot && hasTibetan(text));

  return {
    address,
    proxy,
    place,
    translationsFor,
    newcomer: () => world.addPerson({ firstName: 'Pema', languageCode: 'en' }),
    /** A process of the bot, its database by way of the proxy unless `changes` say otherwise. */
    startBot: async (changes: Record<string, string> = {}) => {
      const bot = place.start({ DATABASE_URL: proxy.url, ...changes });
      await bot.says('"ready"');
      return bot;
    },
    /** Sends a text, and waits until it is translated. */
    translated: async (person: Person): Promise<Message> => {
      const before = translationsFor(person).length;
      const asked = person.send(person.chat, { text: newChinese() });
      await world.waitUntil(() => translationsFor(person).length === before + 1, 60_000);
      return asked;
    },
    /** What a query gives, each row's `value`. */
    ask: async (query: string, values: unknown[] = []): Promise<unknown[]> => {
      const { rows } = await connected(address, (client) => client.query<{ value: unknown }>(query, values));
      return rows.map(({ value }) => value);
    },
    [Symbol.asyncDispose]: async () => {
      await place.close();
      proxy.close();
    },
  };
}

type Stand = Awaited<ReturnType<typeof open>>;

describe('while a process runs', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await open();
    await stand.startBot();
  });
  afterEach(() => {
    stand.proxy.breakNothing();
    stand.place.service.faults.clear();
  });
  afterAll(() => stand[Symbol.asyncDispose]());

  it('it is not heard that a call was written down: it is made once, and the entry that was lost stays in doubt', async () => {
    const { proxy, newcomer, translated, ask } = stand;
    const person = newcomer();
    const begun = proxy.breakNext({ statement: /^\s*with entered/, breakage: 'cut after' });
    await translated(person);
    expect(begun.broken()).toBe(1);
    expect(stand.place.service.paid().calls).toBe(1);
    const outcomes = () =>
      ask('select outcome as value from ledger where person = $1 order by id', [person.id]);
    await expect.poll(outcomes).toEqual(['begun', 'charged']);
  });

  it('it is not heard again and again that work was taken: nobody counts that against the work, which holds nobody up', async () => {
    const { proxy, place, translationsFor, newcomer, translated } = stand;
    const [unlucky, other] = [newcomer(), newcomer()];
    const endCall = place.service.faults.hold('translation');
    const taking = {
      statement: /^\s*with next as materialized/,
      breakage: 'cut after',
      times: 3,
    } as const;
    const lost = proxy.breakNext(taking);
    unlucky.send(unlucky.chat, { text: newChinese() });
    await expect.poll(() => place.service.calls.at(-1)?.outcome).toBe('running');
    expect(lost.broken()).toBeGreaterThan(0);
    lost.end();
    await translated(other);
    expect(translationsFor(unlucky)).toEqual([]);
    endCall();
    await expect.poll(() => translationsFor(unlucky).length).toBe(1);
  });

  it('an answer cannot be kept for edits at once: its message is edited, and so is the answer', async () => {
    const { proxy, translationsFor, newcomer, translated, ask } = stand;
    const person = newcomer();
    const keeping = proxy.breakNext({
      statement: /^\s*update requests set\s+state = case/,
      breakage: { error: '53100' },
    });
    const asked = await translated(person);
    await expect.poll(keeping.broken).toBe(1);
    const kept = () =>
      ask(`select message as value from requests where lane = $1 and state = 'done'`, [String(person.id)]);
    await expect.poll(kept).toHaveLength(1);
    const text = newChinese();
    person.editText(asked, text);
    const numbers = () => translationsFor(person).map((answer) => numberOf(answer.text));
    await expect.poll(numbers).toEqual([numberOf(text)]);
  });

  it('settings cannot be read once: the answer comes, and not a word of trouble', async () => {
    const { proxy, place, newcomer, translated } = stand;
    const person = newcomer();
    const reading = proxy.breakNext({
      statement: /^select .*"telegraf-sessions"/is,
      breakage: { error: '53100' },
    });
    await translated(person);
    expect(reading.broken()).toBe(1);
    expect(place.telegram.world.messages(person.chat).filter(({ from }) => from?.is_bot)).toHaveLength(1);
  });

  it('a picture of an album cannot be written down: all are read, each paid for once', async () => {
    const { proxy, place, newcomer } = stand;
    const person = newcomer();
    const before = place.service.paid().calls;
    const writing = proxy.breakNext({ statement: /insert into "?ledger/, breakage: { error: '40P01' } });
    await person.sendAlbum(person.chat, [{ bytes: await aJpeg() }, { bytes: await aJpeg() }]);
    const answers = () =>
      place.telegram.world
        .messages(person.chat)
        .filter(({ from, text }) => from?.is_bot && /^2\.$/m.test(text ?? ''));
    await expect.poll(answers).toHaveLength(1);
    expect(writing.broken()).toBe(1);
    expect(answers()[0]?.text).not.toContain(says('failure-database'));
    expect(place.service.paid().calls).toBe(before + 2);
  });

  it('a /cancel cannot be noted at once: it stops what runs all the same', async () => {
    const { proxy, place, newcomer } = stand;
    place.service.faults.next('translation', 'hang');
    const person = newcomer();
    person.send(person.chat, { text: newChinese() });
    await expect.poll(() => place.service.calls.at(-1)?.outcome).toBe('running');
    const noting = proxy.breakNext({
      statement: /^\s*update requests set cancelled = 1/,
      breakage: { error: '53100' },
    });
    const after = person.send(person.chat, { text: '/cancel' });
    // Well before the call is given up.
    const answer = await place.telegram.world.waitForMessage(
      person.chat,
      ({ from }) => from?.is_bot === true,
      {
        after,
        timeoutMs: 20_000,
      },
    );
    expect(answer.text).toBe(says('cancelled'));
    expect(noting.broken()).toBe(1);
  });
});

describe.concurrent('with processes of its own', () => {
  it('a process is stopped in the middle of a transaction: another takes over what that has locked', async ({
    expect,
  }) => {
    await using stand = await open();
    const { address, proxy, place, translationsFor, newcomer, startBot } = stand;
    const bot = await startBot();
    // It has taken the text, and not committed.
    const taking = proxy.breakNext({ statement: /^\s*with next as materialized/, breakage: 'hold' });
    const person = newcomer();
    person.send(person.chat, { text: newChinese() });
    await expect.poll(taking.broken).toBe(1);
    if (bot.pid === undefined) throw new Error('the bot has no process');
    process.kill(bot.pid, 'SIGSTOP');
    const other = place.start({ DATABASE_URL: address });
    await other.says('"ready"');
    await expect.poll(() => translationsFor(person).length).toBe(1);
    process.kill(bot.pid, 'SIGCONT');
    person.send(person.chat, { text: newChinese() });
    await expect.poll(() => translationsFor(person).length).toBe(2);
    expect(place.service.paid().calls).toBe(2);
  });

  it('a request in doubt cannot be put into the queue when its sender has it repeated: it is repeated all the same, once', async ({
    expect,
  }) => {
    await using stand = await open();
    const { proxy, place, translationsFor, newcomer, startBot } = stand;
    await startBot({ SERVICE_TIMEOUT_MS: '3000' });
    const person = newcomer();
    place.service.faults.next('translation', 'hang');
    const question = await place.telegram.world.waitForMessage(
      person.chat,
      ({ text }) => text === says('failure-in-doubt'),
      { after: person.send(person.chat, { text: newChinese() }) },
    );
    const before = place.service.paid().calls;
    // Not the callback query, of which it is looked first whether it is under way.
    const queuing = {
      statement: /^\s*select pg_advisory_xact_lock\(hashtextextended\(lane/,
      after: /^begin/,
    };
    const full = proxy.breakNext({ ...queuing, breakage: { error: '53100' } });
    const [again = ''] = buttonsOf(question);
    await person.press(question, again);
    await expect.poll(() => translationsFor(person).length).toBe(1);
    expect(full.broken()).toBe(1);
    expect(place.service.paid().calls).toBe(before + 1);
  });

  it('the end of a pause cannot be written down: the answer of the call that ended it is given, and paid for once', async ({
    expect,
  }) => {
    await using stand = await open();
    const { proxy, place, newcomer, startBot, translated, ask } = stand;
    await startBot();
    place.service.faults.next('translation', 'quota');
    const refused = newcomer();
    refused.send(refused.chat, { text: newChinese() });
    await place.telegram.world.waitForMessage(refused.chat, ({ text }) =>
      saysWithTime('failure-quota-until').test(text ?? ''),
    );
    await ask('update pauses set until = 0');
    const ending = proxy.breakNext({ statement: /^delete from "pauses"/, breakage: { error: '53100' } });
    const before = place.service.paid().calls;
    await translated(newcomer());
    expect(ending.broken()).toBe(1);
    expect(place.service.paid().calls).toBe(before + 1);
    await expect.poll(() => ask('select reason as value from pauses')).toEqual([]);
  });

  it('the connection by which a process listens cannot come back for a while: it lives, and nobody takes its work over', async ({
    expect,
  }) => {
    await using stand = await open();
    const { address, proxy, place, translationsFor, newcomer, startBot, translated } = stand;
    await startBot();
    const endCall = place.service.faults.hold('translation');
    const person = newcomer();
    person.send(person.chat, { text: newChinese() });
    await expect.poll(() => place.service.calls.length).toBe(1);
    const other = place.start({ DATABASE_URL: address });
    await other.says('"ready"');
    // It is retried four times a second; a process not seen for three seconds counts as dead.
    const coming = proxy.breakNext({
      // Not the pool's connections: without them the answer is recorded too late, and given twice.
      statement: LISTENER_SETTINGS,
      after: /^$/,
      breakage: { error: '53300' },
      times: 24,
    });
    // Only the listening connection is checked like this.
    proxy.breakNext({ statement: /^select$/, breakage: 'cut before' });
    await expect.poll(coming.broken).toBe(24);
    endCall();
    await expect.poll(() => translationsFor(person).length).toBe(1);
    await translated(person);
    expect(translationsFor(person)).toHaveLength(2);
    expect(place.service.paid().calls).toBe(2);
  });

  it('the connection is cut in the middle of a start, wherever that is: the server is waited for', async ({
    expect,
  }) => {
    await using stand = await open();
    const { proxy, startBot } = stand;
    const first = await startBot();
    expect(await first.stop()).toBe(0);
    const steps = [/^select name from "kysely_migration"/, LISTENER_SETTINGS];
    for (const statement of steps) {
      const cut = proxy.breakNext({ statement, breakage: 'cut before' });
      const bot = await startBot();
      expect(cut.broken()).toBe(1);
      await expect.poll(() => bot.output()).toContain('the database is unreachable');
      expect(await bot.stop()).toBe(0);
    }
  });
});
