/** The first sign of life where several processes share the work: whoever took a request in shows it, until another has begun it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
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

/** Longer than a sign takes to be shown, in ms. */
const HELD_MS = 2000;
/** Machines are shared. */
const PATIENCE = 3;

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
  for (const { id } of [reader, photographer]) {
    const methods = scene.telegram.calls
      .filter(({ payload }) => payload.chat_id === id)
      .map(({ method }) => method);
    expect(methods.slice(methods.lastIndexOf('sendMessage'))).toEqual(['sendMessage']);
  }
});

it('what is answered at once shows none, whichever process answers', async () => {
  const calls = scene.telegram.calls.length;
  const people = Array.from({ length: 8 }, () => scene.newcomer());
  for (const person of people) await scene.ask(person, '/help');
  const methods = scene.telegram.calls.slice(calls).map(({ method }) => method);
  expect(methods.filter((method) => method === 'sendChatAction')).toEqual([]);
});
