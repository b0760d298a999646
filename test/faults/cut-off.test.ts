/** One of two processes is cut off from PostgreSQL in the midst of a request, and comes back: the person notices a delay at most. */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Person } from '../../sandbox/telegram/person.ts';
import type { BotProcess } from '../bot-process.ts';
import { connected } from '../connected.ts';
import { hasTibetan, newChinese, numberOf, says } from '../phrases.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { useBotPlace } from '../shared-scene.ts';
import { type StatementProxy, startStatementProxy } from './statement-proxy.ts';

const server = usePostgresServer();
const place = useBotPlace();
let address: string;
let proxy: StatementProxy;
beforeAll(async () => {
  address = await server.createDatabase();
  proxy = await startStatementProxy(address);
  return () => proxy.close();
});

async function query<T>(statement: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await connected(address, (client) => client.query<{ value: T }>(statement, values));
  return rows.map(({ value }) => value);
}

/** Makes the way of the first process to the database useless; new connections, too. */
const CUTS = {
  'by resets': () => {
    proxy.take('hang up');
    proxy.leadTo(address, true);
  },
  'by silence': () => {
    proxy.take('ignore');
    proxy.fallSilent();
  },
} as const;

const calls = () => place.service.calls.filter(({ kind }) => kind === 'translation');
/** What the bot has said to a person. */
const saidTo = ({ chat }: Person) =>
  place.telegram.world.messages(chat).filter(({ from }) => from?.is_bot === true);

let person: Person;
let text: string;
/** The process that is cut off, with its number, and the other one. */
let cutOff: BotProcess;
let number: number | undefined;
let other: BotProcess;
let endCall: () => void;
beforeEach(async () => {
  const { service, telegram, start } = place;
  cutOff = start({ DATABASE_URL: proxy.url });
  await cutOff.says('"ready"');
  const before = calls().length;
  endCall = service.faults.hold('translation');
  person = telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  text = newChinese();
  person.send(person.chat, { text });
  await telegram.world.waitUntil(() => calls().length > before);
  [number] = await query<number>("select process as value from requests where state = 'waiting'");
  // Only now: either of them would take the text.
  other = start({ DATABASE_URL: address });
  await other.says('"ready"');
});

/** Ends the cut, and waits until its process is connected again. */
async function comeBack(): Promise<void> {
  proxy.take('pass');
  const alive = () =>
    query<number>('select pid as value from pg_stat_activity where application_name = $1', [
      `lotsawa ${number}`,
    ]);
  await expect.poll(async () => (await alive()).length).toBeGreaterThan(0);
}

/** Ends both processes once they have done what they had to do. */
async function ended(): Promise<void> {
  const open = () => query<number>("select id as value from requests where state = 'waiting'");
  await expect.poll(open).toEqual([]);
  expect(await cutOff.stop('SIGTERM')).toBe(0);
  expect(await other.stop('SIGTERM')).toBe(0);
}

it.each([
  ['by resets', 4, 'meanwhile'],
  ['by silence', 4, 'meanwhile'],
  ['by resets', 20, 'afterwards'],
  ['by silence', 20, 'afterwards'],
] as const)('a process cut off %s for %i s, whose call ends %s, answers once', async (cut, seconds, ends) => {
  const before = calls().length;
  const since = delay(seconds * 1000);
  CUTS[cut]();
  if (ends === 'meanwhile') endCall();
  await since;
  await comeBack();
  endCall();
  await place.telegram.world.waitUntil(() => saidTo(person).length > 0);
  await ended();
  expect(saidTo(person).map((message) => numberOf(message.text))).toEqual([numberOf(text)]);
  expect(saidTo(person)[0]?.text).toSatisfy(hasTibetan);
  expect(calls()).toHaveLength(before);
});

it('a setting changed while a process was cut off stays', async () => {
  CUTS['by resets']();
  await other.says('took over the requests');
  // As once the process has been away for longer.
  await query('delete from results where process is not null');
  person.send(person.chat, { text: '/dialect amdo' });
  await place.telegram.world.waitUntil(() => saidTo(person).length >= 2);
  await comeBack();
  endCall();
  await ended();
  const [answer, setting, ...more] = saidTo(person);
  expect(numberOf(answer?.text)).toBe(numberOf(text));
  expect([setting?.text?.includes(says('amdo')), more]).toEqual([true, []]);
  const [session = ''] = await query<string>(
    'select session as value from "telegraf-sessions" where key = $1',
    [String(person.id)],
  );
  expect(JSON.parse(session)).toMatchObject({ dialect: 'amdo' });
});
