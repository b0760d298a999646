/** A call under way is everybody's, in every process, as long as the process that makes it lives. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connected } from './connected.ts';
import { hasTibetan, newChinese } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';
import { useOwnPostgresServer } from './shared-postgres-server.ts';

const WORKERS = 4;

const server = useOwnPostgresServer();
let address: string;
let scene: Scene;
beforeAll(async () => {
  address = await server.createDatabase();
  scene = await startScene({ env: { DATABASE_URL: address, WORKERS: String(WORKERS) } });
});
afterAll(() => scene.close());

it('with all connections to the database cut meanwhile, nobody else buys it', async () => {
  const { service, telegram, newcomer, ask, answerTo } = scene;
  const isOver = Promise.withResolvers<void>();
  service.faults.next('translation', { type: 'slow', ms: 0, until: isOver.promise });
  const text = newChinese();
  const calls = () =>
    service.calls.filter(({ kind, parameters }) => kind === 'translation' && parameters.inputText === text);
  const send = () => {
    const person = newcomer();
    return person.send(person.chat, { text });
  };
  const first = send();
  await telegram.world.waitUntil(() => calls().length === 1);
  await scene.anotherProcess();
  await connected(address, (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    ),
  );
  // More than the first process has workers for; and one more has a free worker, and is answered after they have begun.
  const others = Array.from({ length: 2 * WORKERS - 2 }, send);
  expect((await ask(newcomer(), newChinese())).text).toSatisfy(hasTibetan);
  isOver.resolve();
  for (const asked of [first, ...others]) expect((await answerTo(asked)).text).toSatisfy(hasTibetan);
  expect(calls()).toHaveLength(1);
});
