/** An edited message has its answer edited, not sent again. */
import { afterEach, describe, expect, it } from 'vitest';
import type { CallKind } from '../sandbox/service/call-log.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  says,
  TIBETAN,
} from './phrases.ts';
import { aJpeg, sendPhotos, wordsIn } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
afterEach(() => {
  scene.service.faults.clear();
  scene.telegram.faults.clear();
});

/** A person who has sent this text, and the first answer. */
async function asked(text: string): Promise<{ person: Person; message: Message; answer: Message }> {
  const person = scene.newcomer();
  const message = person.send(person.chat, { text });
  return { person, message, answer: await scene.answerTo(message) };
}

describe('the edit of a text', () => {
  it('an edited text’s translation is edited, and an idle edit costs nothing', async () => {
    const { person, message, answer } = await asked(newChinese());
    for (const text of [newChinese(), newTibetan(), newChinese(), newTibetan()]) {
      person.editText(message, text);
      await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
    }
    const edited = scene.telegram.world.message(answer) ?? answer;
    expect(edited.text).toSatisfy(hasChinese);
    expect(buttonsOf(edited)).toEqual(['speak:chinese', 'copy', 'send']);
    const edits = () => scene.telegram.calls.filter(({ method }) => method === 'editMessageText').length;
    const before = edits();
    const paid = await scene.paidBy(async () => {
      person.editText(message, scene.telegram.world.message(message)?.text ?? '');
      const answers = await scene.everythingAfter(message, person);
      expect(answers.map(({ text }) => text)).toEqual([edited.text]);
    });
    expect([paid, edits()]).toEqual([0, before]);
  });

  it('into something without an answer turns the translation into a notice, and back', async () => {
    const { person, message, answer } = await asked(newChinese());
    person.editText(message, 'hello');
    const notice = await scene.becomes(answer, ({ text }) => text === says('neither-script'));
    expect(buttonsOf(notice)).toEqual([]);
    person.editText(message, newTibetan());
    await scene.becomes(answer, ({ text }) => hasChinese(text));
  });

  it('an edited failure is answered in its place, an idle one not', async () => {
    scene.service.faults.next('translation', 'undocumented-error');
    const { person, message, answer } = await asked(newChinese());
    expect(answer.text).toBe(says('failure-unavailable'));
    const calls = scene.service.calls.length;
    person.editText(message, message.text ?? '');
    expect((await scene.everythingAfter(message, person)).map(({ text }) => text)).toEqual([answer.text]);
    expect(scene.service.calls).toHaveLength(calls);

    person.editText(message, newChinese());
    await scene.becomes(answer, ({ text }) => hasTibetan(text));
    scene.service.faults.next('translation', 'undocumented-error');
    person.editText(message, newChinese());
    await scene.becomes(answer, (now) => now.text === says('failure-unavailable'));
    person.editText(message, newTibetan());
    await scene.becomes(answer, ({ text }) => hasChinese(text));
  });
});

describe('the edit of an earlier text', () => {
  it.each(['/chinese', '/wylie'])('of %s edits its answer', async (command) => {
    const { person, message, answer } = await asked(`${command} ${newTibetan()}`);
    await scene.ask(person, newChinese());
    const text = newTibetan();
    person.editText(message, `${command} ${text}`);
    await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
  });

  it('of a setting sets it', async () => {
    const { person, message, answer } = await asked('/dialect amdo');
    await scene.ask(person, newChinese());
    person.editText(message, '/dialect khampa');
    await scene.becomes(answer, ({ text }) => text !== answer.text);
    const voice = await scene.ask(person, `/speak ${newTibetan()}`, isVoice);
    expect(voice.caption).toContain(says('khampa'));
  });
});

describe('an edit whose answer', () => {
  it('an answer that cannot be edited any more comes anew', async () => {
    const { person, message, answer } = await asked(newChinese());
    scene.telegram.world.closeToEdits(answer);
    const text = newChinese();
    person.editText(message, text);
    const anew = await scene.answerTo(answer);
    expect(numberOf(anew.text)).toBe(numberOf(text));
    expect(anew.reply_to_message?.message_id).toBe(message.message_id);
    await scene.telegram.world.waitUntil(() => scene.telegram.world.message(answer) === undefined);
    // What Telegram refuses only as it is posted is posted anew as well.
    const description = 'Bad Request: MESSAGE_EDIT_TIME_EXPIRED';
    scene.telegram.faults.next('editMessageText', { status: 400, description });
    const next = newChinese();
    person.editText(message, next);
    expect(numberOf((await scene.answerTo(anew)).text)).toBe(numberOf(next));
  });

  it('was deleted is answered anew, since that is paid for', async () => {
    const { person, message, answer } = await asked(newTibetan());
    person.deleteMessage(answer);
    const next = newTibetan();
    person.editText(message, next);
    const answers = await scene.everythingAfter(message, person);
    expect(answers.map(({ text }) => numberOf(text))).toEqual([numberOf(next)]);
    expect(answers.map(({ text }) => hasChinese(text))).toEqual([true]);
  });

  it('has lost one of its messages is answered in what is left of it', async () => {
    const person = scene.newcomer();
    const message = person.send(person.chat, { text: `/wylie ${'བཀྲ་ཤིས། '.repeat(440)}` });
    const [first, last, ...more] = await scene.everythingAfter(message, person);
    if (first === undefined || last === undefined || more.length > 0)
      throw new Error('there are not two messages');
    person.deleteMessage(first);
    person.editText(message, `/wylie ${TIBETAN}`);
    await scene.becomes(last, ({ text }) => text?.startsWith('bkra shis') === true && text.length < 40);
    const wylie = ({ text }: Message) => text?.includes('bkra shis') === true;
    expect((await scene.everythingAfter(message, person)).filter(wylie)).toHaveLength(1);
  });
});

it('what was never answered is not answered for being edited', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], privacyMode: false });
  const message = person.send(group, { text: newChinese() });
  await scene.ask(person, '/help');
  person.editText(message, `@lotsawa_bot ${newChinese()}`);
  expect(await scene.everythingAfter(message, person)).toEqual([]);
});

describe('the edit of what was cancelled', () => {
  /** Sends something whose paid call is held, and cancels it. */
  async function cancelled(kind: CallKind, send: (person: Person) => Message | Promise<Message>) {
    const person = scene.newcomer();
    const endCall = scene.service.faults.hold(kind);
    const message = await send(person);
    await scene.underWay();
    expect((await scene.ask(person, '/cancel')).text).toBe(says('cancelled'));
    endCall();
    return { person, message };
  }

  it('is answered, and again if it is edited back', async () => {
    const text = newChinese();
    const { person, message } = await cancelled('translation', (sender) =>
      sender.send(sender.chat, { text }),
    );
    const other = newTibetan();
    person.editText(message, other);
    const answer = await scene.answerTo(message, (now) => numberOf(now.text) === numberOf(other));
    person.editText(message, text);
    await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
  });

  it('costs nothing where it changes nothing', async () => {
    const text = newChinese();
    const { person, message } = await cancelled('translation', (sender) =>
      sender.send(sender.chat, { text }),
    );
    await scene.underWay(0);
    const calls = scene.service.calls.length;
    person.editText(message, text);
    const answers = await scene.everythingAfter(message, person);
    expect(answers.map((answer) => answer.text)).toEqual([says('cancelled')]);
    expect(scene.service.calls).toHaveLength(calls);
  });

  it('reads an album whole', async () => {
    let parts: Message[] = [];
    const { person, message } = await cancelled('recognition', async (sender) => {
      parts = await sendPhotos(sender, sender.chat, 2);
      return parts[0] ?? Promise.reject(new Error('it has no parts'));
    });
    const [, second] = parts;
    if (second !== undefined) person.editCaption(second, '中文');
    const words = await Promise.all(parts.map((part) => wordsIn(scene.telegram, part, 'zh')));
    await scene.answerTo(message, ({ text }) => text === `1.\n${words[0]}\n\n2.\n${words[1]}`);
  });
});

describe('in a group, the edit that asks the bot for nothing any more', () => {
  async function answeredIn(text: string, listens: boolean) {
    const [owner, person] = [scene.newcomer(), scene.newcomer()];
    const people = { members: [person], admins: [owner] };
    const group = scene.telegram.world.addGroup({ title: 'Readers', ...people, privacyMode: false });
    if (listens) await scene.answerTo(owner.send(group, { text: '/listen on' }));
    const message = person.send(group, { text });
    return { group, owner, person, message, answer: await scene.answerTo(message) };
  }

  it.each([
    ['a text where it listens', newChinese(), true, 'hello'],
    ['a mention', `@lotsawa_bot ${newChinese()}`, false, newChinese()],
    ['a command', `/tibetan ${newChinese()}`, false, newChinese()],
    ['a command that becomes one of another bot', `/tibetan ${newChinese()}`, false, '/say@other_bot hello'],
  ])('leaves no answer of before: %s', async (_, text, listens, after) => {
    const { person, message, answer } = await answeredIn(text, listens);
    const paid = await scene.paidBy(async () => {
      person.editText(message, after);
      await scene.telegram.world.waitUntil(() => scene.telegram.world.message(answer) === undefined);
      person.editText(message, text);
      const answers = await scene.everythingAfter(message, person);
      expect(answers.map(({ text }) => text)).toEqual([answer.text]);
    });
    expect(paid).toBe(0);
  });

  it('leaves none either where it fails, nor once the bot listens no more', async () => {
    const { group, owner, person, message, answer } = await answeredIn(newChinese(), true);
    scene.service.faults.next('translation', 'undocumented-error');
    person.editText(message, newChinese());
    await scene.becomes(answer, (now) => now.text === says('failure-unavailable'));
    await scene.answerTo(owner.send(group, { text: '/listen off' }));
    const paid = await scene.paidBy(async () => {
      person.editText(message, newChinese());
      await scene.telegram.world.waitUntil(() => scene.telegram.world.message(answer) === undefined);
    });
    expect(paid).toBe(0);
  });

  it('leaves what was read in a photo, which is the same photo still', async () => {
    const person = scene.newcomer();
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], privacyMode: false });
    const message = await person.sendPhoto(group, await aJpeg(), { caption: '@lotsawa_bot 中文' });
    const answer = await scene.answerTo(message);
    person.editCaption(message, 'look');
    expect((await scene.everythingAfter(message, person)).map(({ text }) => text)).toEqual([answer.text]);
  });
});
