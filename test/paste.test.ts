/** A long text that the sender's app has cut into several messages is one request. */
import { expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { hasChinese, newTibetan, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

/** Numbered Tibetan sentences, of about this many characters together. */
function longText(length: number): string {
  let text = newTibetan();
  while (text.length < length) text += `། ${newTibetan()}`;
  return `${text}།`;
}

const numbersIn = (text = '') => text.match(/\d{4}/g) ?? [];

/** All numbers in the bot's messages in the person's chat that are an answer in Chinese, in order. */
const answered = (messages: readonly Message[]) =>
  messages.filter(({ text }) => hasChinese(text)).flatMap(({ text }) => numbersIn(text));

/** Sends a text as an app does; gives its first message. */
function paste(person: Person, text: string): [Message, Message] {
  const [first, second] = person.sendLong(person.chat, { text });
  if (first === undefined || second === undefined) throw new Error('it fits one message');
  return [first, second];
}

it('a paste of 8000 characters costs three calls, and no sentence', async () => {
  const person = scene.newcomer();
  const text = longText(7950);
  const paid = await scene.paidBy(async () => {
    const [first] = paste(person, text);
    const help = person.send(person.chat, { text: '/help' });
    await scene.answerTo(help, ({ text }) => text === says('help'));
    expect(answered(await scene.everythingAfter(first, person))).toEqual(numbersIn(text));
  });
  expect(paid).toBe(3);
  const pieces = scene.service.calls.slice(-3).map(({ parameters }) => String(parameters.inputText));
  for (const piece of pieces) expect(piece.trim()).toMatch(/།$/);
});

it('an edit of a part has the whole answered anew', async () => {
  const person = scene.newcomer();
  const [first, second] = paste(person, longText(4500));
  await scene.answerTo(first, ({ text }) => hasChinese(text));
  const [old] = numbersIn(second.text);
  const changed = newTibetan();
  person.editText(
    second,
    (second.text ?? '').replace(/\P{Script=Tibetan}\d{4}/u, ` ${numbersIn(changed)[0]}`),
  );
  const whole = [...numbersIn(first.text), ...numbersIn(scene.telegram.world.message(second)?.text)];
  expect(whole).not.toContain(old);
  await scene.telegram.world.waitUntil(
    () => answered(scene.telegram.world.messages(person.chat)).join() === whole.join(),
  );
});

it('loses nothing if the bot is killed between its parts', async () => {
  const person = scene.newcomer();
  const text = longText(4500);
  const at = text.lastIndexOf(' ', 4000);
  // Should the wait for the other part be over before the kill, the first is not answered yet.
  scene.service.faults.hold('translation');
  const first = person.send(person.chat, { text: text.slice(0, at) });
  await scene.telegram.world.waitUntil(() => scene.telegram.world.chatAction(person.chat) === 'typing');
  await scene.bot().stop('SIGKILL');
  scene.service.faults.clear();
  person.send(person.chat, { text: text.slice(at) });
  // One request if the bot is back within the time that a part waits for the next, else two.
  await scene.restart('SIGKILL');
  expect(answered(await scene.everythingAfter(first, person))).toEqual(numbersIn(text));
});

it('ten parts are asked about first, once', async () => {
  const person = scene.newcomer();
  const [first] = paste(person, longText(39_500));
  const asks = ({ text }: Message) => text?.includes(says('costly-sure')) === true;
  const question = await scene.answerTo(first, asks);
  expect(question.text).toContain('14');
  expect(await scene.everythingAfter(first, person)).toEqual([question]);
});

it('is one request also when it is forwarded', async () => {
  const [writer, person] = [scene.newcomer(), scene.newcomer()];
  const group = scene.telegram.world.addGroup({
    title: 'Elsewhere',
    members: [writer, person],
    botIsMember: false,
  });
  const parts = writer.sendLong(group, { text: longText(7950) });
  const paid = await scene.paidBy(async () => {
    const [first] = parts.map((part) => person.forward(part, person.chat));
    if (first === undefined) throw new Error('nothing was forwarded');
    await scene.everythingAfter(first, person);
  });
  expect(paid).toBe(3);
});

it('a paste takes in no reply, nor text behind a short one', async () => {
  const person = scene.newcomer();
  const earlier = person.send(person.chat, { text: newTibetan() });
  const [long, reply, short, last] = [longText(3600), newTibetan(), newTibetan(), newTibetan()];
  const paid = await scene.paidBy(async () => {
    person.send(person.chat, { text: long });
    person.send(person.chat, { text: reply, replyTo: earlier });
    for (const text of [short, last]) person.send(person.chat, { text });
    const all = await scene.everythingAfter(earlier, person);
    const translations = all.filter(({ text }) => hasChinese(text)).map(({ text }) => numbersIn(text));
    expect(translations.slice(-3)).toEqual([reply, short, last].map((text) => numbersIn(text)));
  });
  expect(paid).toBe(6);
});
