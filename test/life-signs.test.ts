/** The first sign of life comes before the work itself, whatever a request waits for; and none comes behind the answer. */
import { afterEach, expect, it } from 'vitest';
import type { Person } from '../sandbox/telegram/person.ts';
import { hasTibetan, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { WORKERS: '1' } });
afterEach(() => scene.service.faults.clear());

const isShown = (chat: { id: number }) => scene.telegram.world.chatAction(chat.id) !== undefined;

const isHeld = () => scene.service.calls.at(-1)?.outcome === 'running';

/** Somebody's work has the only worker, until `endWork`. */
async function holdWorker(): Promise<{ holder: Person; endWork: () => void }> {
  const holder = scene.newcomer();
  const endWork = scene.service.faults.hold('translation');
  holder.send(holder.chat, { text: newChinese() });
  await scene.underWay();
  return { holder, endWork };
}

it('a request shows one while others have all workers', async () => {
  const { endWork } = await holdWorker();
  const person = scene.newcomer();
  const asked = person.send(person.chat, { text: '/help' });
  await scene.telegram.world.waitUntil(() => isShown(person.chat));
  expect(isHeld()).toBe(true);
  endWork();
  expect((await scene.answerTo(asked)).text).toBe(says('help'));
});

it('a chat action shows in the chat that asked', async () => {
  const { holder, endWork } = await holdWorker();
  const { world } = scene.telegram;
  const addGroup = (title: string) => world.addGroup({ title, members: [holder], privacyMode: false });
  const [group, quiet] = [addGroup('Readers'), addGroup('Talkers')];
  holder.send(quiet, { text: newTibetan() });
  const asked = holder.send(group, { text: '/help' });
  await world.waitUntil(() => isShown(group));
  expect([isHeld(), isShown(quiet)]).toEqual([true, false]);
  endWork();
  expect((await scene.answerTo(asked)).text).toBe(says('help'));
});

/** The calls for this person's chat since the call number `before`. */
const callsSince = (before: number, person: Person) =>
  scene.telegram.calls.slice(before).filter(({ payload }) => payload.chat_id === person.id);

it('a kept voice note and an idle edit show no chat action', async () => {
  const [spoken, translated] = [newTibetan(), newChinese()];
  await scene.ask(scene.anna, `/speak ${spoken}`, isVoice);
  const { text } = await scene.ask(scene.anna, translated, (answer) => hasTibetan(answer.text));

  const person = scene.newcomer();
  const asked = person.send(person.chat, { text: newChinese() });
  const answer = await scene.answerTo(asked);
  const lastCall = () => callsSince(0, person).at(-1)?.method;
  person.editText(asked, translated);
  await scene.becomes(answer, (now) => now.text === text);
  await scene.atRest();
  expect(lastCall()).toBe('editMessageText');
  await scene.ask(person, `/speak ${spoken}`, isVoice);
  await scene.atRest();
  expect(lastCall()).toBe('sendVoice');
});

it('work that begins at once shows one, and not a second for having waited', async () => {
  const person = scene.newcomer();
  const before = scene.telegram.calls.length;
  const endCall = scene.service.faults.hold('translation');
  const asked = person.send(person.chat, { text: newChinese() });
  await scene.telegram.world.waitUntil(() => isShown(person.chat));
  // A second, which was due for having waited, would be shown before somebody else's first.
  const later = scene.newcomer();
  later.send(later.chat, { text: '/help' });
  await scene.telegram.world.waitUntil(() => isShown(later.chat));
  endCall();
  await scene.answerTo(asked);
  const calls = callsSince(before, person);
  const answered = calls.findIndex(({ method }) => method === 'sendMessage');
  const shownAt = calls.slice(0, answered).map(({ at }) => at);
  expect(shownAt.length).toBeGreaterThan(0);
  for (const [index, at] of shownAt.slice(1).entries()) {
    // They are renewed after 4.5 s.
    expect(at - (shownAt[index] ?? 0)).toBeGreaterThan(4000);
  }
});
