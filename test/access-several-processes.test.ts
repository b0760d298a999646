/** Two processes on one PostgreSQL: what an admin decides by way of the one holds in the other within two seconds. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '../sandbox/telegram/person.ts';
import { Access } from '../src/store/access/access.ts';
import { openDatabase } from '../src/store/database.ts';
import { buttonsOf, newTibetan, says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';
import { usePostgresServer } from './shared-postgres-server.ts';

const ADMIN = 5_200_001;
const WITHIN = { timeout: 2000, interval: 20 };

const server = usePostgresServer();
let scene: Scene;
let url: string;
let admin: Person;
beforeAll(async () => {
  url = await server.createDatabase();
  scene = await startScene({ env: { DATABASE_URL: url, ACCESS: 'members', ADMIN_IDS: String(ADMIN) } });
  await scene.anotherProcess();
  admin = scene.newcomer({ id: ADMIN, firstName: 'Tenzin' });
});
afterAll(() => scene.close());

const said = async (person: Person, text: string) => (await scene.ask(person, text)).text;

/** Another process of the same bot, as far as its access goes. */
async function withThird(work: (access: Access) => Promise<void>): Promise<void> {
  const database = await openDatabase({ engine: 'postgres', url });
  try {
    await work(new Access(database, { isOpen: false, adminIds: [ADMIN] }));
  } finally {
    await database.close();
  }
}

it('who is let in, blocked, or paused here is so there, within two seconds', async () => {
  const pema = scene.newcomer();
  const asker = { person: String(pema.id), group: undefined };
  expect(await said(pema, newTibetan())).toBe(says('access-stranger'));
  await withThird(async (access) => {
    expect(await access.verdict(asker)).toBe('stranger');
    await scene.ask(admin, `/allow ${pema.id}`);
    await expect.poll(() => access.verdict(asker), WITHIN).toBe('in');
    await scene.ask(admin, '/pause');
    await expect.poll(() => access.verdict(asker).catch(({ kind }) => kind), WITHIN).toBe('paused');
    await scene.ask(admin, '/resume');
    await expect.poll(() => access.verdict(asker), WITHIN).toBe('in');
    expect(await said(admin, '/resume')).toBe(says('pause-none'));
    await scene.ask(admin, `/block ${pema.id}`);
    await expect.poll(() => access.verdict(asker), WITHIN).toBe('blocked');
  });
});

it('many askers at once are told once that their group waits', async () => {
  const { world } = scene.telegram;
  const members = Array.from({ length: 8 }, () => scene.newcomer());
  const group = world.addGroup({ title: 'Readers', type: 'supergroup', members });
  for (const member of members) member.send(group, { text: '/help@lotsawa_bot' });
  for (const member of members) await scene.ask(member, '/privacy');
  const waits = world.messages(group).filter(({ text }) => text === says('access-group-waits'));
  expect(waits).toHaveLength(1);
  const buttons = world.messages(admin.chat).flatMap(buttonsOf);
  expect(buttons.filter((data) => data === `access:let:${group.id}`)).toHaveLength(1);

  const pema = scene.newcomer();
  const offer = await scene.ask(pema, 'hello');
  await pema.press(offer, 'access:ask');
  await scene.becomes(offer, ({ text }) => text === says('access-asked'));
  for (const _ of ['once', 'again']) await scene.ask(admin, `/allow ${pema.id}`);
  const welcomes = world.messages(pema.chat).filter(({ text }) => text === says('access-let-in'));
  expect(welcomes).toHaveLength(1);
});

it('an invitation for one lets in one of many who open it at once', async () => {
  const [, token] = /start=(in-[\w-]+)/.exec((await said(admin, '/invite')) ?? '') ?? [];
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => said(scene.newcomer(), `/start ${token}`)),
  );
  expect(answers.filter((answer) => answer === says('start'))).toHaveLength(1);
  expect(answers.filter((answer) => answer === says('invitation-over'))).toHaveLength(7);
});
