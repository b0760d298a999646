/** Two processes behind one webhook: the letters of one inline query come to either, and are one pause in typing. */
import { beforeAll, expect, it } from 'vitest';
import { freePort } from './free-port.ts';
import { newChinese } from './phrases.ts';
import { usePostgresServer } from './shared-postgres-server.ts';
import { useBotPlace } from './shared-scene.ts';

const SECRET = 'webhook-secret_123';
const server = usePostgresServer();
const place = useBotPlace();
/** Of each process. */
const addresses: string[] = [];

beforeAll(async () => {
  const DATABASE_URL = await server.createDatabase();
  for (let process = 0; process < 2; process += 1) {
    const port = await freePort();
    addresses.push(`http://127.0.0.1:${port}`);
    const WEBHOOK_URL = `${addresses[0]}/telegram`;
    const bot = place.start({ DATABASE_URL, PORT: String(port), WEBHOOK_URL, WEBHOOK_SECRET: SECRET });
    await bot.says('"ready"');
  }
});

let updateId = 800_000_000;

/** Delivers what a person has typed to one of the processes. */
async function type(from: object, query: string, process: number, id = ++updateId): Promise<void> {
  const { status } = await fetch(`${addresses[process]}/telegram`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET },
    body: JSON.stringify({ update_id: id, inline_query: { id: String(id), from, query, offset: '' } }),
  });
  expect(status).toBe(200);
}

/** How many queries of both processes have ended, and how many of them because their person typed on. */
async function ended(): Promise<{ all: number; superseded: number }> {
  const counts = { all: 0, superseded: 0 };
  for (const address of addresses) {
    const metrics = await (await fetch(`${address}/metrics`)).text();
    for (const [, outcome, count] of metrics.matchAll(/\{kind="inline_query",outcome="(\w+)"\} (\d+)/g)) {
      counts.all += Number(count);
      if (outcome === 'superseded') counts.superseded += Number(count);
    }
  }
  return counts;
}

/** What is paid for while a person types. */
async function paidFor(typing: (from: object) => Promise<void>, count: number): Promise<unknown[]> {
  const { user } = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  const [before, { all }] = [place.service.calls.length, await ended()];
  await typing(user);
  await expect.poll(ended).toMatchObject({ all: all + count });
  const paid = place.service.calls.slice(before).filter(({ kind }) => kind === 'translation');
  return paid.map(({ parameters }) => parameters.inputText);
}

it('a query typed on in the other process costs nothing', async () => {
  const text = newChinese();
  const paid = await paidFor(async (from) => {
    for (const length of [4, 6, 8]) await type(from, text.slice(0, length), length % 4 === 0 ? 0 : 1);
    await type(from, text, 1);
  }, 4);
  expect(paid).toEqual([text]);
});

it('the query typed last counts, whichever comes first', async () => {
  const text = newChinese();
  const first = ++updateId;
  const paid = await paidFor(async (from) => {
    await type(from, text, 0);
    await type(from, text.slice(0, 4), 1, first);
  }, 2);
  expect(paid).toEqual([text]);
});
