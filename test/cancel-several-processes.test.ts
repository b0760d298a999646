/** /cancel reaches its sender's work in whichever process it runs. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasTibetan, newChinese, says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';
import { usePostgresServer } from './shared-postgres-server.ts';

/** Two processes of so many workers each are both needed for twice as many people. */
const WORKERS = 2;

const server = usePostgresServer();
let scene: Scene;
beforeAll(async () => {
  const env = { DATABASE_URL: await server.createDatabase(), WORKERS: String(WORKERS) };
  scene = await startScene({ env });
  await scene.anotherProcess();
});
afterAll(() => scene.close());

it('also in one that does not take updates in', async () => {
  const { telegram, service, newcomer, answerTo } = scene;
  const isOver = Promise.withResolvers<void>();
  service.faults.set('translation', { type: 'slow', ms: 0, until: isOver.promise });
  const people = Array.from({ length: 2 * WORKERS }, () => newcomer());
  for (const person of people) person.send(person.chat, { text: newChinese() });
  const running = () => service.calls.filter(({ outcome }) => outcome === 'running').length;
  await telegram.world.waitUntil(() => running() === people.length);
  const answers = people.map((person) => scene.ask(person, '/cancel'));
  expect((await Promise.all(answers)).map(({ text }) => text)).toEqual(people.map(() => says('cancelled')));
  service.faults.clear();
  isOver.resolve();
  const [person] = people;
  if (person === undefined) throw new Error('nobody is there');
  expect((await answerTo(person.send(person.chat, { text: newChinese() }))).text).toSatisfy(hasTibetan);
});
