/** PostgreSQL fails at one statement, whichever it is: what was asked is answered all the same, and paid for once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { openBotPlace } from '../bot-place.ts';
import { connected } from '../connected.ts';
import { hasTibetan, newChinese, numberOf } from '../phrases.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { type StatementBreakage, startStatementProxy } from './statement-proxy.ts';

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
      await world.waitUntil(() => translationsFor(person).length === before + 1);
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

/** What fails once: a statement, and how. */
const FAULTS: Record<string, [RegExp, StatementBreakage]> = {
  'the beginning of a call is written down, and that is not heard': [/^\s*with entered/, 'cut after'],
  'the beginning of a call cannot be written down': [/insert into "?ledger/, { error: '40P01' }],
  'work is taken, and that is not heard': [/^\s*with next as materialized/, 'cut after'],
  'an answer cannot be kept for edits': [
    /^\s*update requests set\s+state = \$1, consent/,
    { error: '53100' },
  ],
  'settings cannot be read': [/^select .*"telegraf-sessions"/is, { error: '53100' }],
};

describe('what is asked is answered once, paid for once, and can be edited, though once', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await open();
    await stand.startBot();
  });
  afterAll(() => stand[Symbol.asyncDispose]());

  it.each(Object.entries(FAULTS))('%s', async (_, [statement, breakage]) => {
    const { proxy, place, translationsFor, newcomer, translated, ask } = stand;
    const person = newcomer();
    const paid = place.service.paid().calls;
    const fault = proxy.breakNext({ statement, breakage });
    const asked = await translated(person);
    await expect.poll(fault.broken).toBe(1);
    const done = () =>
      ask(`select message as value from requests where lane = $1 and state = 'done'`, [String(person.id)]);
    await expect.poll(done).toHaveLength(1);
    expect(place.service.paid().calls).toBe(paid + 1);
    const outcomes = () => ask('select outcome as value from ledger where person = $1', [person.id]);
    await expect
      .poll(async () => (await outcomes()).filter((outcome) => outcome !== 'begun'))
      .toEqual(['charged']);
    const text = newChinese();
    person.editText(asked, text);
    const numbers = () => translationsFor(person).map((answer) => numberOf(answer.text));
    await expect.poll(numbers).toEqual([numberOf(text)]);
    expect(place.telegram.world.messages(person.chat).filter(({ from }) => from?.is_bot)).toHaveLength(1);
  });
});

describe.concurrent('with processes of its own', () => {
  it('a process stopped in a transaction is succeeded by another', async ({ expect }) => {
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

  it('a process that cannot listen for a while keeps its work', async ({ expect }) => {
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
});
