/** An edited message has its answer edited, not sent again. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../src/sandbox/telegram/objects.ts';
import type { Person } from '../src/sandbox/telegram/person.ts';
import { buttonsOf, hasChinese, hasTibetan, newChinese, newTibetan, numberOf, says } from './phrases.ts';
import { aJpeg, wordsIn } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());
afterEach(() => {
  scene.service.faults.clear();
  scene.telegram.faults.clear();
});

const isVoice = ({ voice }: Message) => voice !== undefined;

/** A person who has sent this text, and the first answer. */
async function asked(text: string): Promise<{ person: Person; message: Message; answer: Message }> {
  const person = scene.newcomer();
  const message = person.send(person.chat, { text });
  return { person, message, answer: await scene.answerTo(message) };
}

describe('the edit of a text', () => {
  it('edits its translation, with buttons that fit', async () => {
    const { person, message, answer } = await asked(newChinese());
    const text = newTibetan();
    person.editText(message, text);
    const edited = await scene.becomes(answer, (now) => hasChinese(now.text));
    expect(numberOf(edited.text)).toBe(numberOf(text));
    expect(buttonsOf(edited)).toEqual(['speak:chinese', 'copy']);
    expect(await scene.everythingAfter(message, person)).toHaveLength(1);
  });

  it('is followed as often as it is made', async () => {
    const { person, message, answer } = await asked(newChinese());
    for (const text of [newChinese(), newTibetan(), newChinese()]) {
      person.editText(message, text);
      await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
    }
    expect(await scene.everythingAfter(message, person)).toHaveLength(1);
  });

  it('that leaves it as it was costs nothing and changes nothing', async () => {
    const { person, message } = await asked(newChinese());
    const calls = scene.service.calls.length;
    const edits = () => scene.telegram.calls.filter(({ method }) => method === 'editMessageText').length;
    const before = edits();
    person.editText(message, message.text ?? '');
    expect(await scene.everythingAfter(message, person)).toHaveLength(1);
    expect(scene.service.calls).toHaveLength(calls);
    expect(edits()).toBe(before);
  });

  it('into something without an answer turns the translation into a notice, and back', async () => {
    const { person, message, answer } = await asked(newChinese());
    person.editText(message, 'hello');
    const notice = await scene.becomes(answer, ({ text }) => text === says('neither-script'));
    expect(buttonsOf(notice)).toEqual([]);
    person.editText(message, newTibetan());
    await scene.becomes(answer, ({ text }) => hasChinese(text));
  });

  it('of which a failure came is answered in its place', async () => {
    scene.service.faults.next('translation', 'undocumented-error');
    const { person, message, answer } = await asked(newChinese());
    expect(answer.text).toBe(says('failure-unavailable'));
    person.editText(message, newChinese());
    await scene.becomes(answer, ({ text }) => hasTibetan(text));
    expect(await scene.everythingAfter(message, person)).toHaveLength(1);
  });

  it('that fails can be made again', async () => {
    const { person, message, answer } = await asked(newChinese());
    scene.service.faults.next('translation', 'undocumented-error');
    const text = newChinese();
    person.editText(message, text);
    await scene.becomes(answer, (now) => now.text === says('failure-unavailable'));
    person.editText(message, text);
    await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
  });

  it('whose answer was deleted is let be', async () => {
    const { person, message, answer } = await asked(newChinese());
    person.deleteMessage(answer);
    person.editText(message, newChinese());
    expect(await scene.everythingAfter(message, person)).toEqual([]);
  });

  it('after a restart is followed as well', async () => {
    const { person, message, answer } = await asked(newChinese());
    await scene.restart();
    person.editText(message, newTibetan());
    await scene.becomes(answer, ({ text }) => hasChinese(text));
  });

  it('made before its answer was there ends in one answer', async () => {
    scene.service.faults.latency.translation = 200;
    const person = scene.newcomer();
    const message = person.send(person.chat, { text: newChinese() });
    const text = newChinese();
    person.editText(message, text);
    const answer = await scene.answerTo(message);
    await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
    expect(await scene.everythingAfter(message, person)).toHaveLength(1);
  });

  it('takes fewer or more messages than before as it needs them', async () => {
    const { person, message, answer } = await asked(newChinese());
    const long = Array.from({ length: 300 }, (_, index) => `第${index}句话在这里。`).join('');
    person.editText(message, long);
    await scene.answerTo(answer);
    const parts = await scene.everythingAfter(message, person);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]?.message_id).toBe(answer.message_id);
    const text = newTibetan();
    person.editText(message, text);
    await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
    const isLeft = (part: Message) => scene.telegram.world.message(part) !== undefined;
    await scene.telegram.world.waitUntil(() => parts.filter(isLeft).length === 1);
  });
});

describe('the edit of an earlier text', () => {
  it('edits its answer, and /speak still speaks the latest', async () => {
    const { person, message, answer } = await asked(newChinese());
    const latest = await scene.ask(person, newChinese());
    person.editText(message, newChinese());
    await scene.becomes(answer, (now) => now.text !== answer.text);
    const voice = await scene.ask(person, '/speak', isVoice);
    expect(numberOf(voice.caption)).toBe(numberOf(latest.text));
  });

  it('that was a command does not undo what was chosen since', async () => {
    const { person, message } = await asked('/dialect amdo');
    await scene.ask(person, '/dialect khampa');
    person.editText(message, '/dialect utsang');
    const voice = await scene.ask(person, `/speak ${newTibetan()}`, isVoice);
    expect(voice.caption).toContain(says('khampa'));
  });
});

it('the edit of a command edits its answer', async () => {
  const { person, message, answer } = await asked(`/chinese ${newTibetan()}`);
  const text = newTibetan();
  person.editText(message, `/chinese ${text}`);
  await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
});

it('the edit of what is to be spoken puts a new voice note in the place of the old', async () => {
  const person = scene.newcomer();
  const message = person.send(person.chat, { text: `/speak amdo ${newTibetan()}` });
  const first = await scene.answerTo(message, isVoice);
  const text = newTibetan();
  person.editText(message, `/speak amdo ${text}`);
  const second = await scene.answerTo(first, isVoice);
  expect(numberOf(second.caption)).toBe(numberOf(text));
  await scene.telegram.world.waitUntil(() => scene.telegram.world.message(first) === undefined);
});

it('a caption that comes to name a language has the photo read in it, in the same answer', async () => {
  const person = scene.newcomer();
  const message = await person.sendPhoto(person.chat, await aJpeg());
  const answer = await scene.answerTo(message);
  person.editCaption(message, '中文');
  const words = await wordsIn(scene.telegram, message, 'zh');
  await scene.becomes(answer, ({ text }) => text === words);
  expect(await scene.everythingAfter(message, person)).toHaveLength(1);
});

it('what was never answered is not answered for being edited', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], privacyMode: false });
  const message = person.send(group, { text: newChinese() });
  person.editText(message, `@lotsawa_bot ${newChinese()}`);
  expect(await scene.everythingAfter(message, person)).toEqual([]);
});

it('in a group the answer is edited as well', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], type: 'supergroup' });
  const message = person.send(group, { text: `/tibetan ${newChinese()}` });
  const answer = await scene.answerTo(message);
  const text = newChinese();
  person.editText(message, `/tibetan ${text}`);
  await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
});
