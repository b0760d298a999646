/** A long speech whose process is killed midway goes on in another process, from the pieces already paid for. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectWholeNote, HASTY, holdThirdPiece, newLongText, spokenSince } from './long-speech.ts';
import { isVoice } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';
import { usePostgresServer } from './shared-postgres-server.ts';

const server = usePostgresServer();
let database: Client;
let scene: Scene;
beforeAll(async () => {
  const url = await server.createDatabase();
  scene = await startScene({ env: { DATABASE_URL: url }, speech: HASTY });
  database = new Client(url);
  await database.connect();
});
afterAll(async () => {
  await scene.close();
  await database.end();
});

async function keptPieces(): Promise<number> {
  const query = 'select key from results where audio is not null';
  return (await database.query(query)).rows.length;
}

it('and pays for the missing piece alone', async () => {
  const { service, anna } = scene;
  holdThirdPiece(service);
  const asked = anna.send(anna.chat, { text: `/speak amdo ${newLongText()}` });
  await expect.poll(() => spokenSince(service, 0).length).toBe(3);
  await expect.poll(keptPieces).toBe(2);
  await scene.anotherProcess();
  await scene.bot().stop('SIGKILL');
  await scene.answerTo(asked, isVoice);
  const spoken = spokenSince(service, 0);
  expect(spoken).toHaveLength(4);
  expect(spoken[3]).toBe(spoken[2]);
  await expectWholeNote(scene, asked, new Set(spoken));
});
