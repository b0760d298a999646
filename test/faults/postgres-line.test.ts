/** The network to PostgreSQL goes dead without a word: the bot notices by itself, and waits for what is not there yet. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresSession } from '../../src/store/postgres/postgres-session.ts';
import { botEnvironment, makeBotFolder, startBotProcess } from '../bot-process.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { type Scene, startScene } from '../scene.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { type Line, startLine } from './line.ts';

const server = usePostgresServer();
let line: Line;
let scene: Scene;
beforeAll(async () => {
  line = await startLine(await server.createDatabase());
  scene = await startScene({ env: { DATABASE_URL: line.url } });
});
afterAll(async () => {
  await scene.close();
  line.close();
});

it('connections that fall silent are given up, with what is held by them, and people answered over new ones', async () => {
  await Promise.all(Array.from({ length: 8 }, () => scene.ask(scene.newcomer(), newChinese())));
  line.fallSilent();
  const people = Array.from({ length: 8 }, () => scene.newcomer());
  const asked = people.map((person) => person.send(person.chat, { text: newChinese() }));
  await Promise.all(
    asked.map((message) =>
      scene.telegram.world.waitForMessage(message.chat, ({ text }) => hasTibetan(text), {
        after: message,
        timeoutMs: 60_000,
      }),
    ),
  );
});

it('a server far away, or out of breath, is of use: to connect takes several times the way there and back', async () => {
  line.delay(1000);
  try {
    const session = await PostgresSession.open(line.url, 1);
    await session.close();
  } finally {
    line.delay(0);
  }
});

describe.each(['hang up', 'ignore'] as const)('a start while new connections meet with: %s', (fault) => {
  it('waits until the server can be reached, or until it is told to stop', async () => {
    const folder = makeBotFolder();
    const settings = { ...botEnvironment(scene.telegram, scene.service, folder), DATABASE_URL: line.url };
    line.take(fault);
    const bots = [startBotProcess(settings, folder), startBotProcess(settings, folder)] as const;
    try {
      const [patient, stopped] = bots;
      await Promise.all(bots.map((bot) => bot.says('the database is unreachable')));
      expect(await stopped.stop('SIGTERM')).toBe(0);
      line.take('pass');
      await patient.says('"ready"');
    } finally {
      line.take('pass');
      await Promise.all(bots.map((bot) => bot.stop('SIGKILL')));
      folder.remove();
    }
  });
});
