/** Telegram takes 20 messages a minute in a group: a burst of requests there loses none, and delays nobody elsewhere. */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  newChinese,
  newTibetan,
  numberOf,
  PROGRESS,
  says,
  TIBETAN,
} from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

const MEMBERS = 30;

/** A group all of whose members ask for something at one moment. */
function burst(): { group: Group; asked: Message[] } {
  const { telegram, newcomer } = scene;
  const members = Array.from({ length: MEMBERS }, (_, index) => newcomer({ firstName: `Member ${index}` }));
  const group = telegram.world.addGroup({ title: 'Readers', members, type: 'supergroup' });
  return { group, asked: members.map((member) => member.send(group, { text: `/tibetan ${newChinese()}` })) };
}

const answersIn = (group: Group) =>
  scene.telegram.world.messages(group).filter(({ from }) => from?.is_bot === true);

/** Waits until every request is answered; gives what the answers say. */
async function allAnswered(group: Group, numbers: readonly string[]): Promise<string> {
  const said = () =>
    answersIn(group)
      .map(({ text }) => text)
      .join('\n');
  await scene.telegram.world.waitUntil(() => numbers.every((number) => said().includes(number)), 50_000);
  return said();
}

it('a burst is answered at once as far as Telegram is sure to take it, the rest together, and nothing is refused', async () => {
  scene.telegram.faults.flood = { perGroupPerMinute: 20, perChatPerSecond: 1000, perSecond: 1000 };
  const { group, asked } = burst();
  const numbers = asked.map(({ text }) => numberOf(text) ?? '');
  const said = await allAnswered(group, numbers);
  for (const number of numbers) expect(said.split(number)).toHaveLength(2);
  const alone = answersIn(group).filter(({ text }) => text?.match(/\d{4}/g)?.length === 1);
  expect(alone.length).toBeGreaterThanOrEqual(16);
  const counted = scene.telegram.calls.filter(
    ({ method, payload }) => /^(send|edit)(?!ChatAction)/.test(method) && payload.chat_id === group.id,
  );
  expect(counted.length).toBeLessThanOrEqual(20);
  expect(counted.filter(({ errorCode }) => errorCode === 429)).toEqual([]);
  scene.telegram.faults.clear();

  // What the group still takes this minute is for answers: longer work is not counted there.
  const before = scene.telegram.calls.length;
  const [{ from } = {}] = asked;
  const member = scene.telegram.world.people.find(({ id }) => id === from?.id);
  const long = member?.send(group, { text: `/tibetan ${newChinese()}\n${'长'.repeat(3500)}` });
  if (long !== undefined) await scene.answerTo(long, ({ text }) => (text?.length ?? 0) > 3500);
  const sent = scene.telegram.calls.slice(before).filter(({ method }) => method === 'sendMessage');
  expect(sent.filter(({ payload }) => String(payload.text).startsWith(PROGRESS))).toEqual([]);
});

it('every request of a burst is answered, late ones together, under who asked', async () => {
  const { telegram, newcomer, ask } = scene;
  telegram.faults.flood = { perGroupPerMinute: 20, perChatPerSecond: 1, perSecond: 1000 };
  const { group, asked } = burst();
  const elsewhere = newcomer();
  await telegram.world.waitUntil(() => answersIn(group).length > 0);
  expect((await ask(elsewhere, newChinese())).text).toSatisfy(hasTibetan);

  const numbers = asked.map(({ text }) => numberOf(text) ?? '');
  const said = await allAnswered(group, numbers);
  for (const number of numbers) expect(said.split(number)).toHaveLength(2);
  expect(answersIn(group).length).toBeLessThan(MEMBERS);
  const shared = answersIn(group).find(({ text }) => (text?.match(/\d{4}/g)?.length ?? 0) > 1);
  for (const [index, number] of numbers.entries()) {
    if (shared?.text?.includes(number)) expect(shared.text).toContain(`Member ${index}:\n`);
  }

  const refusals = telegram.calls.filter(({ errorCode }) => errorCode === 429);
  expect(refusals.length).toBeLessThanOrEqual(2);
});

/** A group that Telegram takes no message for during some seconds, and then one a second: what is asked meanwhile is answered together. */
async function heldUp(): Promise<{ group: Group; members: Person[] }> {
  const { telegram, newcomer } = scene;
  telegram.faults.clear();
  const members = Array.from({ length: 6 }, (_, index) => newcomer({ firstName: `Member ${index}` }));
  const group = telegram.world.addGroup({ title: 'Readers', members, privacyMode: false });
  telegram.faults.next('sendMessage', { retryAfter: 4 });
  const calls = telegram.calls.length;
  members[0]?.send(group, { text: `/wylie ${newTibetan()}` });
  await telegram.world.waitUntil(() =>
    telegram.calls.slice(calls).some(({ errorCode }) => errorCode === 429),
  );
  return { group, members };
}

/** These members ask for the Wylie of a text; gives the one message in which all have their answer. */
async function answeredTogether(group: Group, members: readonly Person[]): Promise<Message> {
  const numbers = members.map((member) =>
    numberOf(member.send(group, { text: `/wylie ${newTibetan()}` }).text),
  );
  return scene.telegram.world.waitUntil(() =>
    answersIn(group).find(({ text }) => numbers.every((number) => text?.includes(number ?? ''))),
  );
}

it('a question, and settings, keep their buttons beside answers that go out together, and /cancel takes back only that', async () => {
  const { group, members } = await heldUp();
  const [, asker, reader, ...others] = members;
  const photos = await Promise.all(Array.from({ length: 10 }, aJpeg));
  const album = photos.map((bytes, index) => ({ bytes, ...(index === 0 && { caption: '/chinese' }) }));
  await asker?.sendAlbum(group, album);
  reader?.send(group, { text: '/settings' });
  const together = await answeredTogether(group, others);
  const question = await scene.telegram.world.waitUntil(() =>
    answersIn(group).find(({ text }) => text?.includes(says('costly-sure'))),
  );
  const panel = await scene.telegram.world.waitUntil(() =>
    answersIn(group).find((answer) => buttonsOf(answer).some((data) => data.startsWith('set:'))),
  );
  expect(new Set([together, question, panel]).size).toBe(3);
  expect(buttonsOf(question)).toHaveLength(2);
  asker?.send(group, { text: '/cancel' });
  await scene.becomes(question, ({ text }) => text === says('costly-not-done'));
  expect(scene.telegram.world.message(together)).toEqual(together);
});

it('an answer that went out with others stays theirs after a kill: an edit of what it answers is answered anew', async () => {
  const { telegram, service, databaseFile, restart } = scene;
  const { group, members } = await heldUp();
  const [, asker, ...others] = members;
  if (asker === undefined) throw new Error('the group is empty');
  service.faults.set('translation', 'hang');
  const asked = asker.send(group, { text: '/chinese bkra shis bde legs/' });
  const together = await answeredTogether(group, others);
  expect(together.text).toContain(TIBETAN);
  // The kill comes when the request has one of its two answers.
  const database = new DatabaseSync(databaseFile, { readOnly: true });
  const begun = database.prepare("select count(*) as n from queued_updates where confirmed <> '[]'");
  await expect.poll(() => begun.get()?.n).toBe(1);
  database.close();
  const restarted = restart('SIGKILL');
  service.faults.clear();
  await restarted;
  const isTranslation = ({ text, reply_to_message: to }: Message) =>
    to?.message_id === asked.message_id && hasChinese(text);
  await telegram.world.waitUntil(() => answersIn(group).find(isTranslation));
  asker.editText(asked, '/chinese rgya mtsho/');
  await telegram.world.waitUntil(() => answersIn(group).some(({ text }) => text?.startsWith('རྒྱ་མཚོ།')));
  expect(telegram.world.message(together)).toEqual(together);
});
