/** /cancel stops what runs and waits for its sender before the next paid call, and nothing else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallKind } from '../sandbox/service/call-log.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isAnswer,
  isProgress,
  isReplyTo,
  isVoice,
  newChinese,
  newTibetan,
  says,
} from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene, useSharedScene } from './shared-scene.ts';

// With one worker nothing could be heard behind the work that it is to stop.
const scene = useScene({ env: { WORKERS: '1' } });
const wide = useSharedScene();
afterEach(async () => {
  // A call that was sent goes on, whatever its asker does.
  scene.service.faults.clear();
  await scene.underWay(0);
});

const callsOf = (kind: CallKind) => scene.service.calls.filter((call) => call.kind === kind).length;

it.each(['/cancel', '@lotsawa_bot /cancel'])(
  '%s stops what runs, without waiting for it, and the next request is answered',
  async (cancel) => {
    scene.service.faults.hold('translation');
    const person = scene.newcomer();
    const asked = person.send(person.chat, { text: newChinese() });
    await scene.underWay();
    expect((await scene.ask(person, cancel)).text).toBe(says('cancelled'));
    expect((await scene.ask(person, newTibetan())).text).toSatisfy(hasChinese);
    const texts = (await scene.everythingAfter(asked, person)).map(({ text }) => text);
    expect(texts.filter(hasTibetan)).toEqual([]);
    expect((await scene.ask(person, '/cancel')).text).toBe(says('nothing-to-cancel'));
  },
);

it('a repeated failure says so in its place, with its button', async () => {
  scene.service.faults.set('translation', 'undocumented-error');
  const person = scene.newcomer();
  const told = await scene.ask(person, newChinese(), ({ text }) => text === says('failure-unavailable'));
  scene.service.faults.clear();
  scene.service.faults.hold('translation');
  await person.press(told, says('button-try-again'));
  await scene.underWay();
  expect(buttonsOf(scene.telegram.world.message(told) ?? told)).toEqual([]);
  expect((await scene.ask(person, '/cancel')).text).toBe(says('cancelled'));
  const left = await scene.becomes(told, (now) => buttonsOf(now).length > 0);
  expect(left.text).toBe(says('costly-not-done'));
  scene.service.faults.clear();
  await person.press(left, says('button-try-again'));
  await scene.becomes(told, ({ text }) => hasTibetan(text));
});

it('stops what waits behind that, too, unpaid, and not what comes after', async () => {
  scene.service.faults.hold('translation');
  const person = scene.newcomer();
  const first = person.send(person.chat, { text: newChinese() });
  await scene.underWay();
  const made = scene.service.calls.length;
  person.send(person.chat, { text: newChinese() });
  person.send(person.chat, { text: '/dialect amdo' });
  person.send(person.chat, { text: '/cancel' });
  const after = person.send(person.chat, { text: newTibetan() });
  await scene.answerTo(after, ({ text }) => hasChinese(text));
  expect(scene.service.calls).toHaveLength(made + 1);
  const answers = await scene.everythingAfter(first, person);
  expect(answers.map(({ text }) => text === says('cancelled') || hasChinese(text))).toEqual([true, true]);
});

it('/cancel stops work before its next paid call', async () => {
  const person = scene.newcomer();
  scene.service.faults.hold('speech', 4);
  const asked = person.send(person.chat, { text: `/speak chinese ${'长'.repeat(4000)}` });
  const count = await scene.answerTo(asked, isProgress);
  // The second piece is fetched while the first is spoken.
  await scene.telegram.world.waitUntil(() => callsOf('speech') === 2);
  expect((await scene.ask(person, '/cancel')).text).toBe(says('cancelled'));
  await scene.telegram.world.waitUntil(() => scene.telegram.world.message(count) === undefined);
  expect((await scene.everythingAfter(asked, person)).filter(isVoice)).toEqual([]);
  expect(callsOf('speech')).toBe(2);
});

describe('the button under what is under way', () => {
  const CANCEL = says('button-cancel');
  const isGone = (message: Message) => scene.telegram.world.message(message) === undefined;
  beforeEach(() => {
    scene.service.faults.hold('speech', 4);
  });

  it('/cancel stops the asker’s work alone, and says so at once', async () => {
    const [person, other] = [scene.newcomer(), scene.newcomer()];
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person, other] });
    const before = callsOf('speech');
    const asked = person.send(group, { text: `/speak chinese ${'停'.repeat(4000)}` });
    const count = await scene.answerTo(asked, isProgress);
    await scene.telegram.world.waitUntil(() => callsOf('speech') === before + 2);
    const refused = await other.press(count, CANCEL);
    expect(refused).toEqual({ text: says('cancel-not-yours'), showAlert: true });
    expect(isGone(count)).toBe(false);
    await scene.underWay(2);

    expect(await person.press(count, CANCEL)).toEqual({ text: says('cancel-heard'), showAlert: false });
    await scene.telegram.world.waitUntil(() => isGone(count));
    scene.service.faults.clear();
    expect((await scene.ask(person, newTibetan())).text).toSatisfy(hasChinese);
    expect(scene.telegram.world.messages(group).at(-1)?.message_id).toBe(asked.message_id);
    expect(callsOf('speech')).toBe(before + 2);
  });

  it('pressed twice in a row silences nobody: the next request is answered', async () => {
    const person = scene.newcomer();
    const asked = person.send(person.chat, { text: `/speak chinese ${'双'.repeat(4000)}` });
    const count = await scene.answerTo(asked, isProgress);
    const presses = [person.press(count, CANCEL), person.press(count, CANCEL)];
    const next = person.send(person.chat, { text: newTibetan() });
    for (const press of presses) expect((await press).text).toBe(says('cancel-heard'));
    expect((await scene.answerTo(next, isReplyTo(next))).text).toSatisfy(hasChinese);
  });

  it('is that of the admins where one of them asked anonymously', async () => {
    const [admin, member] = [scene.newcomer(), scene.newcomer()];
    const people = { members: [member], admins: [admin] };
    const group = scene.telegram.world.addGroup({ title: 'Circle', ...people, type: 'supergroup' });
    const asked = group.sendAsAnonymousAdmin({ text: `/speak chinese ${'短'.repeat(4000)}` });
    const count = await scene.answerTo(asked, isProgress);
    expect((await member.press(count, CANCEL)).text).toBe(says('cancel-not-yours'));
    expect(isGone(count)).toBe(false);
    expect((await admin.press(count, CANCEL)).text).toBe(says('cancel-heard'));
    await scene.telegram.world.waitUntil(() => isGone(count));
  });

  it('comes with a wait for a single call, too, once it is long', async () => {
    scene.service.faults.hold('translation');
    const person = scene.newcomer();
    const asked = person.send(person.chat, { text: newTibetan() });
    await scene.underWay();
    const wait = await scene.answerTo(asked, ({ text }) => text === says('progress-long'));
    expect((await person.press(wait, CANCEL)).text).toBe(says('cancel-heard'));
    await scene.telegram.world.waitUntil(() => isGone(wait));
    expect(await scene.everythingAfter(asked, person)).toEqual([]);
  });
});

describe('a sent call ends after /cancel, and serves the next asker', () => {
  const cancel = async (person: Person) =>
    expect((await scene.ask(person, '/cancel')).text).toBe(says('cancelled'));
  const edit = async (person: Person, sent: Message) => {
    person.editText(sent, 'hello');
    await scene.answerTo(sent, ({ text }) => text === says('neither-script'));
  };
  const typed = (text: string) => (person: Person) => person.send(person.chat, { text });
  const photo = aJpeg();
  const aPhoto = async (person: Person) => person.sendPhoto(person.chat, await photo);

  it.each<[string, CallKind, (person: Person) => Message | Promise<Message>, typeof edit, isBegun?: true]>([
    ['a translation, cancelled', 'translation', typed(newChinese()), cancel],
    ['a translation, edited', 'translation', typed(newChinese()), edit],
    ['a recognition, cancelled', 'recognition', aPhoto, cancel],
    ['a speech, cancelled before its first sample', 'speech', typed(`/speak ${newChinese()}`), cancel],
    ['a speech, cancelled while it comes', 'speech', typed(`/speak ${newChinese()}`), cancel, true],
  ])('%s', async (_, kind, ask, stop, isBegun) => {
    const before = callsOf(kind);
    scene.service.faults.hold(kind, 1, isBegun);
    const person = scene.newcomer();
    const sent = await ask(person);
    await scene.underWay();
    await stop(person, sent);
    scene.service.faults.clear();
    await scene.underWay(0);
    await scene.answerTo(await ask(scene.newcomer()), isAnswer);
    expect(callsOf(kind)).toBe(before + 1);
  });

  it('also while the bot stops', async () => {
    const text = newChinese();
    const paid = await scene.paidBy(async () => {
      const endCall = scene.service.faults.hold('translation');
      const person = scene.newcomer();
      person.send(person.chat, { text });
      await scene.underWay();
      await cancel(person);
      const restarted = scene.restart('SIGTERM');
      await expect.poll(scene.log).toContain('"stopping"');
      endCall();
      await restarted;
      expect((await scene.ask(scene.newcomer(), text)).text).toSatisfy(hasTibetan);
    });
    expect(paid).toBe(1);
  });

  it('but is not kept on the account of who is forgotten meanwhile', async () => {
    const endCall = scene.service.faults.hold('translation');
    const person = scene.newcomer();
    person.send(person.chat, { text: newChinese() });
    await scene.underWay();
    await cancel(person);
    await scene.forget(person);
    scene.rows('create table kept (key)');
    scene.rows('create trigger notes after insert on results begin insert into kept values (new.key); end');
    endCall();
    await expect.poll(() => scene.rows('select * from kept')).toHaveLength(1);
    const theirs = `select * from results where person = '${person.id}'`;
    await expect.poll(() => scene.rows(theirs)).toEqual([]);
    scene.rows('drop trigger notes');
    scene.rows('drop table kept');
  });
});

it('stops nobody else’s work, and of another bot is none of its business', async () => {
  const [pema, dolma] = [scene.newcomer(), scene.newcomer()];
  const people = { members: [pema, dolma], privacyMode: false };
  const group = scene.telegram.world.addGroup({ title: 'Readers', ...people });
  const endCall = scene.service.faults.hold('translation');
  const asked = pema.send(group, { text: `/tibetan ${newChinese()}` });
  await scene.underWay();
  const cancel = dolma.send(group, { text: '/cancel@lotsawa_bot' });
  pema.send(group, { text: '/cancel@other_bot' });
  await scene.telegram.world.waitUntil(() => scene.telegram.pendingUpdateCount === 0);
  endCall();
  expect((await scene.answerTo(cancel, isReplyTo(cancel))).text).toBe(says('nothing-to-cancel'));
  expect((await scene.answerTo(asked, isReplyTo(asked))).text).toSatisfy(hasTibetan);
});

it('leaves the call to those who wait for the same result', async () => {
  const [pema, dolma] = [wide.newcomer(), wide.newcomer()];
  const { world } = wide.telegram;
  const text = newChinese();
  const paid = await wide.paidBy(async () => {
    const endCall = wide.service.faults.hold('translation');
    pema.send(pema.chat, { text });
    await wide.underWay();
    const waiting = dolma.send(dolma.chat, { text });
    await world.waitUntil(() => world.chatAction(dolma.chat) === 'typing');
    expect((await wide.ask(pema, '/cancel')).text).toBe(says('cancelled'));
    endCall();
    expect((await wide.answerTo(waiting)).text).toSatisfy(hasTibetan);
  });
  expect(paid).toBe(1);
});

describe('silences nobody', () => {
  it.each([
    ['in a code block', '/cancel', [{ type: 'code' as const, offset: 0, length: 7 }]],
    ['that is the beginning of a word', '/cancel天气', undefined],
  ])('as a text %s', async (_, text, entities) => {
    const person = scene.newcomer();
    await scene.answerTo(person.send(person.chat, { text, ...(entities && { entities }) }));
    expect((await scene.ask(person, newChinese())).text).toSatisfy(hasTibetan);
  });

  it('when it is edited into a text before its turn comes', async () => {
    const [busy, person] = [scene.newcomer(), scene.newcomer()];
    const endCall = scene.service.faults.hold('translation');
    busy.send(busy.chat, { text: newChinese() });
    await scene.underWay();
    const message = person.send(person.chat, { text: '/cancel' });
    person.editText(message, newChinese());
    await scene.telegram.world.waitUntil(() => scene.telegram.pendingUpdateCount === 0);
    endCall();
    expect((await scene.answerTo(message)).text).toSatisfy(hasTibetan);
    expect((await scene.ask(person, newTibetan())).text).toSatisfy(hasChinese);
  });
});

it('holds over a kill: what it stopped is not done after the restart', async () => {
  scene.service.faults.hold('translation');
  const [busy, person] = [scene.newcomer(), scene.newcomer()];
  busy.send(busy.chat, { text: newChinese() });
  await scene.underWay();
  // With its one worker busy, the bot only takes these in.
  const areTakenIn = () => scene.telegram.pendingUpdateCount === 0;
  const asked = person.send(person.chat, { text: newChinese() });
  await scene.telegram.world.waitUntil(areTakenIn);
  person.send(person.chat, { text: '/cancel' });
  await scene.telegram.world.waitUntil(areTakenIn);
  await scene.restart('SIGKILL');
  await scene.answerTo(asked, ({ text }) => text === says('cancelled'));
  expect((await scene.everythingAfter(asked, person)).map(({ text }) => text)).toEqual([says('cancelled')]);
});
