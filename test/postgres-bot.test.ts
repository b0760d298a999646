/** Several processes as one bot on PostgreSQL: killed, stopped and cut off under load; people notice a delay at most. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { hasTibetan, isReplyTo, newChinese, numberOf } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';
import { useOwnPostgresServer } from './shared-postgres-server.ts';

const PEOPLE = 6;
const TEXTS_EACH = 6;

const server = useOwnPostgresServer();
let scene: Scene;
beforeEach(async () => {
  const env = { DATABASE_URL: await server.createDatabase(), DAILY_CALLS_PER_USER: '0', WORKERS: '4' };
  scene = await startScene({ env });
});
afterEach(() => scene.close());

/** Everybody sends several texts, each of which costs a call. */
function everybodyAsks(people: readonly Person[]): Message[] {
  return Array.from({ length: TEXTS_EACH }, () =>
    people.map((person) => person.send(person.chat, { text: newChinese() })),
  ).flat();
}

function answers(people: readonly Person[]): Message[] {
  return people
    .flatMap(({ chat }) => scene.telegram.world.messages(chat))
    .filter(({ from, text }) => from?.is_bot && hasTibetan(text));
}

/** Waits until this number of answers has come. */
async function answered(people: readonly Person[], count: number): Promise<void> {
  await scene.telegram.world.waitUntil(() => answers(people).length >= count);
}

/** Waits until everything asked is answered, and tells how many answers came twice. */
async function allAnswered(people: readonly Person[], asked: readonly Message[]): Promise<number> {
  const wanted = asked.map(({ text }) => numberOf(text));
  const numbers = () => answers(people).map(({ text }) => numberOf(text));
  await scene.telegram.world.waitUntil(() => {
    const given = new Set(numbers());
    return wanted.every((number) => given.has(number));
  });
  for (const person of people) {
    const order = [...new Set(answers([person]).map(({ text }) => numberOf(text)))];
    expect(order).toEqual(order.toSorted());
  }
  return numbers().length - wanted.length;
}

const translations = () => scene.service.calls.filter(({ kind }) => kind === 'translation').length;
const conflicts = () => scene.telegram.calls.filter(({ errorCode }) => errorCode === 409);

it('three processes pay once for a common question, also under a kill', async () => {
  await Promise.all([scene.anotherProcess(), scene.anotherProcess()]);
  const { world } = scene.telegram;
  const endCall = scene.service.faults.hold('translation');
  const crowd = Array.from({ length: 12 }, () => scene.newcomer());
  const text = newChinese();
  const answered12 = crowd.map((person) => scene.ask(person, text));
  await world.waitUntil(() => crowd.every(({ chat }) => world.chatAction(chat) !== undefined));
  endCall();
  await Promise.all(answered12);
  expect(translations()).toBe(1);

  scene.service.faults.latency.translation = 60;
  const people = Array.from({ length: PEOPLE }, () => scene.newcomer());
  const before = everybodyAsks(people);
  await answered(people, before.length / 2);
  expect(conflicts()).toEqual([]);
  await scene.bot().stop('SIGKILL');
  const after = everybodyAsks(people);
  const doubled = await allAnswered(people, [...before, ...after]);
  // Only what was in flight in the killed process may be answered or paid for twice.
  expect(doubled).toBeLessThanOrEqual(PEOPLE);
  expect(translations() - 1).toBeLessThanOrEqual(before.length + after.length + PEOPLE);
});

it('a killed process of two leaves each guest one answer', async () => {
  await scene.anotherProcess();
  const endCalls = scene.service.faults.hold('translation', PEOPLE);
  const { world } = scene.telegram;
  const guests = Array.from({ length: PEOPLE }, () => scene.newcomer());
  const group = world.addGroup({ title: 'Elsewhere', members: guests, botIsMember: false });
  const mentions = guests.map((guest) => guest.send(group, { text: `@lotsawa_bot ${newChinese()}` }));
  const answersTo = (mention: Message) => world.messages(group).filter(isReplyTo(mention));
  // Each has its placeholder, then.
  await world.waitUntil(() => translations() >= PEOPLE);
  await scene.bot().stop('SIGKILL');
  endCalls();
  await world.waitUntil(() =>
    mentions.every((mention) => answersTo(mention).some(({ text }) => hasTibetan(text))),
  );
  for (const mention of mentions)
    expect(answersTo(mention).map(({ text }) => numberOf(text))).toEqual([numberOf(mention.text)]);
  // Only what was in flight in the killed process may be paid for twice.
  expect(translations()).toBeLessThanOrEqual(2 * PEOPLE);
});

it('PostgreSQL and a process restart under load, and lose nothing', async () => {
  const other = await scene.anotherProcess();
  scene.service.faults.latency.translation = 60;
  const people = Array.from({ length: PEOPLE }, () => scene.newcomer());
  const before = everybodyAsks(people);
  await answered(people, before.length / 3);
  await server.stop();
  const meanwhile = everybodyAsks(people);
  await server.start();
  const doubled = await allAnswered(people, [...before, ...meanwhile]);
  expect(doubled).toBeLessThanOrEqual(PEOPLE);
  const paid = translations();
  expect(paid).toBeLessThanOrEqual(before.length + meanwhile.length + PEOPLE);

  const others = Array.from({ length: PEOPLE }, () => scene.newcomer());
  const asked = everybodyAsks(others);
  await answered(others, asked.length / 3);
  expect(await scene.bot().stop('SIGTERM')).toBe(0);
  expect(await allAnswered(others, asked)).toBe(0);
  expect(translations()).toBe(paid + asked.length);
  expect(await other.stop('SIGTERM')).toBe(0);
});

it('a hanging process is succeeded, and stays silent at its end', async () => {
  const endCall = scene.service.faults.hold('translation');
  const [waiting, later] = [scene.newcomer(), scene.newcomer()];
  const asked = [waiting.send(waiting.chat, { text: newChinese() })];
  await scene.telegram.world.waitUntil(() => translations() > 0);
  // Only now: either of them would take the text, and it is the one that has it which is to hang.
  await scene.anotherProcess();
  const { pid = 0 } = scene.bot();
  process.kill(pid, 'SIGSTOP');
  asked.push(later.send(later.chat, { text: newChinese() }));
  await allAnswered([waiting, later], asked);
  process.kill(pid, 'SIGCONT');
  endCall();
  // Handled by either of them: whatever was to be said is said.
  await scene.ask(waiting, newChinese());
  expect(await allAnswered([waiting, later], asked)).toBe(1);
  expect(answers([waiting])).toHaveLength(2);
});
