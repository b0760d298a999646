/** A bot with ACCESS=members and two admins, Tenzin and Lhamo. */
import { afterAll, beforeAll, expect } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { NewGroup } from '../sandbox/telegram/new-group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { buttonsOf, hasTibetan, newChinese, says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

export const [TENZIN_ID, LHAMO_ID] = [5_100_001, 5_100_002];

export let scene: Scene;
export let tenzin: Person;
export let lhamo: Person;

/** Starts the bot before a file's tests and ends it after them. Called by each file: one process runs several files, and loads this once. */
export function useAccessScene(): void {
  beforeAll(async () => {
    scene = await startScene({ env: { ACCESS: 'members', ADMIN_IDS: `${TENZIN_ID},${LHAMO_ID}` } });
    tenzin = scene.newcomer({ id: TENZIN_ID, firstName: 'Tenzin' });
    lhamo = scene.newcomer({ id: LHAMO_ID, firstName: 'Lhamo', languageCode: 'zh' });
    // Alerts go out in each admin's language, known from their messages.
    await scene.ask(tenzin, '/help');
    await scene.ask(lhamo, '/help');
  });
  afterAll(() => scene.close());
}

export const STRANGER = says('access-stranger');
export const ASK = 'access:ask';

/** The request that an admin was sent about somebody with this id. */
export function requestTo(admin: Person, id: number): Promise<Message> {
  return scene.telegram.world.waitForMessage(admin.chat, (message) =>
    buttonsOf(message).includes(`access:let:${id}`),
  );
}
export const requestsTo = (admin: Person, id: number) =>
  scene.telegram.world
    .messages(admin.chat)
    .filter((message) => message.from?.is_bot && message.text?.includes(String(id)));

export const said = async (person: Person, text: string) => (await scene.ask(person, text)).text ?? '';

export async function letIn(person: Person): Promise<void> {
  expect(await said(tenzin, `/allow ${person.id}`)).toContain(String(person.id));
}

export function newGroup(options: Partial<NewGroup> & Pick<NewGroup, 'members'>): Group {
  return scene.telegram.world.addGroup({ title: 'Readers', botIsMember: false, ...options });
}

/** The group's welcome, once it is there. */
export const welcomed = (group: Group) =>
  scene.telegram.world.waitForMessage(group, ({ text }) => text === says('welcome'));

/** Somebody has a text translated in a group. */
export async function served(person: Person, group: Group): Promise<void> {
  const asked = person.send(group, { text: `/tibetan ${newChinese()}` });
  expect((await scene.answerTo(asked)).text).toSatisfy(hasTibetan);
}

/** Whether the bot does nothing about `work` that people would notice, once it has heard of it: it has, when it answers an admin. */
export async function silence(work: () => unknown): Promise<boolean> {
  await scene.atRest();
  const before = scene.telegram.calls.length;
  await work();
  await said(lhamo, '/members');
  await scene.atRest();
  const chats = scene.telegram.calls
    .slice(before)
    .filter(({ method }) => /^(?:send|edit|answer)/.test(method))
    // A sign that an admin's order takes its time may come after its answer.
    .filter(({ method, payload }) => method !== 'sendChatAction' || payload.chat_id !== TENZIN_ID)
    .map(({ payload }) => payload.chat_id ?? 'query');
  return chats.every((chat) => chat === LHAMO_ID);
}

/** Changes the database of a bot that is stopped meanwhile. */
export async function whileStopped(change: string, signal?: NodeJS.Signals): Promise<void> {
  await scene.bot().stop(signal);
  scene.rows(change);
  await scene.restart();
}
