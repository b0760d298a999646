/** Two processes that share the work are one bot: signs of life, /cancel and calls under way are those of both. */
import { beforeAll, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { connected } from './connected.ts';
import { hasTibetan, newChinese, says } from './phrases.ts';
import { sendPhotos } from './pictures.ts';
import { usePostgresServer } from './shared-postgres-server.ts';
import { useScene } from './shared-scene.ts';

/** Of each process. */
const WORKERS = 2;
/** Both processes are needed for so many people. */
const ALL_WORKERS = 2 * WORKERS;

const server = usePostgresServer();
let address: string;
const scene = useScene({
  between: async () => {
    address = await server.createDatabase();
    return { DATABASE_URL: address, WORKERS: String(WORKERS) };
  },
});
beforeAll(async () => {
  await scene.anotherProcess();
});

const running = () => scene.service.calls.filter(({ outcome }) => outcome === 'running').length;

const callsFor = ({ id }: { id: number }) =>
  scene.telegram.calls.filter(({ payload }) => payload.chat_id === id);
const isShown = (chat: { id: number }) => scene.telegram.world.chatAction(chat.id) !== undefined;

it('a waiting request shows a chat action, and none behind its answer', async () => {
  const { world } = scene.telegram;
  scene.service.faults.hold('translation', ALL_WORKERS);
  for (let worker = 0; worker < ALL_WORKERS; worker += 1) {
    const holder = scene.newcomer();
    holder.send(holder.chat, { text: newChinese() });
  }
  await scene.underWay(ALL_WORKERS);

  const [reader, photographer] = [scene.newcomer(), scene.newcomer()];
  const asked = reader.send(reader.chat, { text: '/help' });
  const [first] = await sendPhotos(photographer, photographer.chat, 2);
  await world.waitUntil(() => isShown(reader.chat) && isShown(photographer.chat));
  expect(running()).toBe(ALL_WORKERS);

  scene.service.faults.clear();
  expect((await scene.answerTo(asked)).text).toBe(says('help'));
  await scene.answerTo(first, ({ text }) => text?.startsWith('1.\n') === true);
  for (const person of [reader, photographer]) {
    const methods = callsFor(person).map(({ method }) => method);
    expect(methods.slice(methods.lastIndexOf('sendMessage'))).toEqual(['sendMessage']);
  }
});

it('/cancel reaches its sender’s work in whichever process it runs', async () => {
  const { service, newcomer } = scene;
  service.faults.hold('translation', ALL_WORKERS);
  const people = Array.from({ length: ALL_WORKERS }, () => newcomer());
  for (const person of people) person.send(person.chat, { text: newChinese() });
  await scene.underWay(ALL_WORKERS);
  const answers = people.map((person) => scene.ask(person, '/cancel'));
  expect((await Promise.all(answers)).map(({ text }) => text)).toEqual(people.map(() => says('cancelled')));
  service.faults.clear();
  const next = people.map((person) => scene.ask(person, newChinese()));
  for (const { text } of await Promise.all(next)) expect(text).toSatisfy(hasTibetan);
});

it('a column that another release adds to every table disturbs nobody', async () => {
  const [owner, reader] = [scene.newcomer(), scene.newcomer()];
  const people = { admins: [owner], members: [reader], privacyMode: false };
  const group = scene.telegram.world.addGroup({ title: 'Readers', ...people });
  const isTranslation = ({ text }: Message) => hasTibetan(text);
  /** As often as to have everything run on each connection. */
  const use = async () => {
    for (let time = 0; time < 2 * ALL_WORKERS; time += 1) {
      await scene.answerTo(reader.send(group, { text: newChinese() }), isTranslation);
      await scene.ask(reader, newChinese(), isTranslation);
    }
  };
  await scene.answerTo(owner.send(group, { text: '/listen on' }));
  await use();
  await connected(address, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select relname as name from pg_stat_user_tables order by relname',
    );
    for (const { name } of rows) await client.query(`alter table "${name}" add column later text`);
  });
  await use();
  // What PostgreSQL says of a prepared statement whose columns have changed.
  expect(scene.log()).not.toContain('0A000');
});

it('a call under way serves everybody, though the database is cut', async () => {
  const { service, telegram, newcomer, ask, answerTo } = scene;
  const endCall = service.faults.hold('translation');
  const text = newChinese();
  const calls = () =>
    service.calls.filter(({ kind, parameters }) => kind === 'translation' && parameters.inputText === text);
  const send = () => {
    const person = newcomer();
    return person.send(person.chat, { text });
  };
  const first = send();
  await telegram.world.waitUntil(() => calls().length === 1);
  await connected(address, (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    ),
  );
  // One worker is left: its answer shows that the others have begun.
  const others = Array.from({ length: ALL_WORKERS - 2 }, send);
  expect((await ask(newcomer(), newChinese())).text).toSatisfy(hasTibetan);
  endCall();
  for (const asked of [first, ...others]) expect((await answerTo(asked)).text).toSatisfy(hasTibetan);
  expect(calls()).toHaveLength(1);
});
