/** The first sign of life where several processes share the work: whoever took a request in shows it, until another has begun it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '../sandbox/telegram/person.ts';
import { newChinese, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';
import { usePostgresServer } from './shared-postgres-server.ts';

const server = usePostgresServer();
let scene: Scene;
beforeAll(async () => {
  const env = { DATABASE_URL: await server.createDatabase(), WORKERS: '1' };
  scene = await startScene({ env });
  await scene.anotherProcess();
});
afterAll(() => scene.close());

/** No sign is due before, in ms since the message was sent. */
const SIGN_DUE_MS = 100;
/** Longer than a sign takes to be shown, in ms. */
const HELD_MS = 2000;
/** Machines are shared. */
const PATIENCE = 3;

const callsFor = ({ id }: { id: number }) =>
  scene.telegram.calls.filter(({ payload }) => payload.chat_id === id);
const isShown = (chat: { id: number }) => scene.telegram.world.chatAction(chat.id) !== undefined;
const held = () => scene.service.calls.filter(({ outcome }) => outcome === 'running').length;

it('what waits for a worker shows one within 300 ms, and so does an album; none comes behind the answer', async () => {
  const { world } = scene.telegram;
  scene.service.faults.latency.translation = HELD_MS;
  // Each has one of the two workers that there are.
  for (const holder of [scene.newcomer(), scene.newcomer()]) holder.send(holder.chat, { text: newChinese() });
  await world.waitUntil(() => held() === 2);

  const [reader, photographer] = [scene.newcomer(), scene.newcomer()];
  const photos = await Promise.all([aJpeg(), aJpeg()]);
  const asked = reader.send(reader.chat, { text: '/help' });
  const [first] = await photographer.sendAlbum(
    photographer.chat,
    photos.map((bytes) => ({ bytes })),
  );
  const sentAt = performance.now();
  await world.waitUntil(() => isShown(reader.chat) && isShown(photographer.chat));
  expect([performance.now() - sentAt < 300 * PATIENCE, held()]).toEqual([true, 2]);

  scene.service.faults.clear();
  expect((await scene.answerTo(asked)).text).toBe(says('help'));
  if (first !== undefined) await scene.answerTo(first, ({ text }) => text?.startsWith('1.\n') === true);
  for (const person of [reader, photographer]) {
    const methods = callsFor(person).map(({ method }) => method);
    expect(methods.slice(methods.lastIndexOf('sendMessage'))).toEqual(['sendMessage']);
  }
});

it('what is answered at once shows none, whichever process answers', async () => {
  const answeredAtOnce: Person[] = [];
  // A busy machine may hold up an answer until a sign is due.
  while (answeredAtOnce.length < 8) {
    const person = scene.newcomer();
    const sentAt = Date.now();
    await scene.ask(person, '/help');
    const answer = callsFor(person).find(({ method }) => method === 'sendMessage');
    if (answer !== undefined && answer.at - sentAt < SIGN_DUE_MS) answeredAtOnce.push(person);
  }
  const methods = answeredAtOnce.flatMap(callsFor).map(({ method }) => method);
  expect(methods.filter((method) => method === 'sendChatAction')).toEqual([]);
});
