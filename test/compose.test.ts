/** What compose.yaml says, as far as it can be tried without Docker. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import { connected } from './connected.ts';
import { usePostgresServer } from './shared-postgres-server.ts';

const server = usePostgresServer();
let place: BotPlace;
beforeAll(async () => {
  place = await openBotPlace();
});
afterAll(() => place.close());

it('the bot reaches its PostgreSQL whatever POSTGRES_PASSWORD is made of', async () => {
  const password = 'a/b#c?d@e:f%20+=';
  const { host, pathname, href } = new URL(await server.createDatabase());
  await connected(href, async (client) => {
    await client.query(`create role lotsawa login password '${password}'`);
    await client.query(`alter database ${pathname.slice(1)} owner to lotsawa`);
  });
  const { DATABASE_URL = '', ...environment } = environmentOfReplicas(password);
  const url = DATABASE_URL.replace('@postgres/lotsawa', `@${host}${pathname}`);
  const bot = place.start({ ...environment, DATABASE_URL: url });
  await bot.says('"ready"');
  expect(await bot.stop()).toBe(0);
  expect(bot.output()).not.toContain(password);
});

/** What the processes on PostgreSQL are told of their database, with this password in `.env`. */
function environmentOfReplicas(password: string): Record<string, string> {
  const compose = readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8');
  const replicas = /^ {2}replicas:\n(?: {4}.*\n)+/m.exec(compose)?.[0] ?? '';
  const variables = replicas.matchAll(/^ +(DATABASE_URL|PGPASSWORD): "(.*)"$/gm);
  return Object.fromEntries(
    Array.from(variables, ([, name = '', value = '']) => [
      name,
      value.replace(/\$\{POSTGRES_PASSWORD:-\w+\}/, () => password),
    ]),
  );
}
