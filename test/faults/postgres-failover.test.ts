/** A failover of PostgreSQL: the address leads to a server that takes no writes, the primary is killed: the bot moves on by itself. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import { connected } from '../connected.ts';
import { freePort } from '../free-port.ts';
import { hasTibetan, newChinese, numberOf } from '../phrases.ts';
import type { Standby } from '../postgres-server.ts';
import { useOwnPostgresServer } from '../shared-postgres-server.ts';
import { type StatementProxy, startStatementProxy } from './statement-proxy.ts';

const PEOPLE = 6;
const TEXTS_EACH = 4;

const server = useOwnPostgresServer();
let proxy: StatementProxy;
let place: BotPlace;
let standby: Standby;
let standbyUrl: string;
beforeAll(async () => {
  place = await openBotPlace();
});
afterAll(async () => {
  await place.close();
  proxy.close();
});

it('a bot that is led to a standby waits, says that it is ill, and goes on where the address leads then', async () => {
  const primary = await server.createDatabase();
  proxy = await startStatementProxy(primary);
  const port = String(await freePort());
  const settings = { DATABASE_URL: proxy.url, PORT: port };
  const first = place.start(settings);
  await first.says('"ready"');
  expect(await first.stop()).toBe(0);
  standby = await server.startStandby();
  standbyUrl = primary.replace(/:\d+\//, `:${standby.port}/`);

  proxy.leadTo(standbyUrl);
  const bot = place.start(settings);
  await bot.says('the database is unreachable');
  proxy.leadTo(primary);
  await bot.says('"ready"');

  proxy.leadTo(standbyUrl, true);
  const { world } = place.telegram;
  const person = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: newChinese() });
  const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).text();
  await expect.poll(readiness).toContain('"database":"failing"');
  // The connections that stand go on standing.
  proxy.leadTo(primary);
  const answers = () =>
    world.messages(person.chat).filter(({ from, text }) => from?.is_bot && hasTibetan(text));
  await expect.poll(answers).toHaveLength(1);
  await expect.poll(readiness).toContain('"ready":true');
  expect(place.service.paid().calls).toBe(1);
}, 150_000);

it('the primary is killed under load and its replica promoted: nothing is lost, said out of order, or paid twice that was answered', async () => {
  const other = place.start({ DATABASE_URL: proxy.url });
  await other.says('"ready"');
  const { service, telegram } = place;
  service.faults.latency.translation = 60;
  const people = Array.from({ length: PEOPLE }, () =>
    telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' }),
  );
  const asked = people.flatMap((person) =>
    Array.from({ length: TEXTS_EACH }, () => person.send(person.chat, { text: newChinese() })),
  );
  const answers = () =>
    people.flatMap(({ chat }) =>
      telegram.world.messages(chat).filter(({ from, text }) => from?.is_bot && hasTibetan(text)),
    );
  await telegram.world.waitUntil(() => answers().length >= PEOPLE);
  await server.kill();
  const answeredThen = new Set(answers().map(({ text }) => numberOf(text)));
  await standby.promote();
  proxy.leadTo(standbyUrl, true);
  const numbers = () => answers().map(({ text }) => numberOf(text));
  await expect.poll(() => new Set(numbers()).size, { timeout: 110_000 }).toBe(asked.length);

  for (const person of people) {
    const own = telegram.world
      .messages(person.chat)
      .filter(({ from, text }) => from?.is_bot && hasTibetan(text));
    const order = [...new Set(own.map(({ text }) => numberOf(text)))];
    expect(order).toEqual(order.toSorted());
  }
  const charged = service.calls
    .filter(({ kind, charged }) => kind === 'translation' && charged)
    .map(({ parameters }) => numberOf(String(parameters.inputText)));
  expect(charged).toEqual(expect.arrayContaining(asked.map(({ text }) => numberOf(text))));
  const twice = charged.filter((number, index) => charged.indexOf(number) !== index);
  // A person's texts are translated one after the other.
  expect(twice.length).toBeLessThanOrEqual(PEOPLE);
  expect(twice.filter((number) => answeredThen.has(number))).toEqual([]);
  const { rows } = await connected(standbyUrl, (client) =>
    client.query("select count(*)::int as calls from ledger where outcome <> 'failed'"),
  );
  // The entry of a call waits for no disk (store/money/ledger.ts): of a person's call in flight it may be lost, with its result.
  expect(rows[0]?.calls).toBeGreaterThanOrEqual(service.paid().calls - PEOPLE);
}, 150_000);
