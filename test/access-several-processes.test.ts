/** Two processes on one PostgreSQL: what an admin decides by way of the one holds in the other within two seconds. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { Access } from '../src/store/access/access.ts';
import { openDatabase } from '../src/store/database.ts';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import { buttonsOf, isAnswer, newTibetan, says } from './phrases.ts';
import { usePostgresServer } from './shared-postgres-server.ts';

const ADMIN = 5_200_001;
const WITHIN = { timeout: 2000, interval: 20 };

const server = usePostgresServer();
let place: BotPlace;
let url: string;
let admin: Person;
beforeAll(async () => {
  [url, place] = [await server.createDatabase(), await openBotPlace()];
  const env = { DATABASE_URL: url, ACCESS: 'members', ADMIN_IDS: String(ADMIN) };
  for (const _ of ['one', 'another']) await place.start(env).says('"ready"');
  admin = place.telegram.world.addPerson({ id: ADMIN, firstName: 'Tenzin', languageCode: 'en' });
});
afterAll(() => place.close());

const newcomer = (): Person => place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });

function ask(person: Person, text: string, matches = isAnswer): Promise<Message> {
  const { world } = place.telegram;
  const asked = person.send(person.chat, { text });
  return world.waitForMessage(person.chat, (answer) => answer.from?.is_bot === true && matches(answer), {
    after: asked,
  });
}

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
  const pema = newcomer();
  const asker = { person: String(pema.id), group: undefined };
  expect((await ask(pema, newTibetan())).text).toBe(says('access-stranger'));
  await withThird(async (access) => {
    expect(await access.verdict(asker)).toBe('stranger');
    await ask(admin, `/allow ${pema.id}`);
    await expect.poll(() => access.verdict(asker), WITHIN).toBe('in');
    await ask(admin, '/pause');
    await expect.poll(() => access.verdict(asker).catch(({ kind }) => kind), WITHIN).toBe('paused');
    await ask(admin, '/resume');
    await expect.poll(() => access.verdict(asker), WITHIN).toBe('in');
    expect((await ask(admin, '/resume')).text).toBe(says('pause-none'));
    await ask(admin, `/block ${pema.id}`);
    await expect.poll(() => access.verdict(asker), WITHIN).toBe('blocked');
  });
});

it('many who ask at once are told once that their group waits, and so are the admins; who is let in hears of it once', async () => {
  const { world } = place.telegram;
  const members = Array.from({ length: 8 }, newcomer);
  const group = world.addGroup({ title: 'Readers', type: 'supergroup', members });
  for (const member of members) member.send(group, { text: '/help@lotsawa_bot' });
  for (const member of members) await ask(member, '/privacy');
  const isWaiting = ({ text }: Message) => text === says('access-group-waits');
  expect(world.messages(group).filter(isWaiting)).toHaveLength(1);
  const isRequest = (message: Message) => buttonsOf(message).includes(`access:let:${group.id}`);
  expect(world.messages(admin.chat).filter(isRequest)).toHaveLength(1);

  const pema = newcomer();
  await pema.press(await ask(pema, 'hello'), 'access:ask');
  await world.waitForMessage(admin.chat, (message) => buttonsOf(message).includes(`access:let:${pema.id}`));
  for (const _ of ['once', 'again']) await ask(admin, `/allow ${pema.id}`);
  const welcomes = world.messages(pema.chat).filter(({ text }) => text === says('access-let-in'));
  expect(welcomes).toHaveLength(1);
});

it('an invitation for one lets in one of many who open it at once', async () => {
  const text = (await ask(admin, '/invite')).text ?? '';
  const token = /start=(in-[\w-]+)/.exec(text)?.[1];
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => (await ask(newcomer(), `/start ${token}`)).text),
  );
  expect(answers.filter((answer) => answer === says('start'))).toHaveLength(1);
  expect(answers.filter((answer) => answer === says('invitation-over'))).toHaveLength(7);
});
