/** A message that is edited before it was answered is paid for and answered once, as it reads in the end. */
import { afterEach, describe, expect, it } from 'vitest';
import { hasChinese, isVoice, newChinese, newTibetan, numberOf, says } from './phrases.ts';
import { aJpeg, sendPhotos, wordsIn } from './pictures.ts';
import { useScene } from './shared-scene.ts';

// Behind its one worker everything waits.
const scene = useScene({ env: { WORKERS: '1' } });
afterEach(async () => {
  // A call that was sent goes on, whatever its asker does.
  scene.service.faults.clear();
  await scene.underWay(0);
});

/** Sends while the bot can begin nothing of it: its one worker is busy until all of it has been taken in. */
async function whileBusy<T>(send: () => T | Promise<T>): Promise<T> {
  const busy = scene.newcomer();
  scene.service.faults.hold('translation');
  busy.send(busy.chat, { text: newChinese() });
  await scene.underWay();
  const sent = await send();
  // Heard at once, but after everything that was sent before it.
  busy.send(busy.chat, { text: '/cancel' });
  return sent;
}

describe('a message that waits', () => {
  /** Sends a text that waits while it is edited to each of the others; gives what the bot says to it, and has translated for it. */
  async function waiting(where: 'private' | 'group', ...texts: readonly string[]) {
    const person = scene.newcomer();
    const readers = { title: 'Readers', members: [person], privacyMode: false };
    const chat = where === 'group' ? scene.telegram.world.addGroup(readers) : person.chat;
    const made = scene.service.calls.length;
    const message = await whileBusy(() => {
      const message = person.send(chat, { text: texts[0] ?? '' });
      for (const text of texts.slice(1)) person.editText(message, text);
      return message;
    });
    const answers = (await scene.everythingAfter(message, person)).map(({ text }) => text);
    // The first is what kept the bot busy.
    const calls = scene.service.calls.slice(made).filter(({ kind }) => kind === 'translation');
    return { answers, translated: calls.slice(1).map(({ parameters }) => parameters.inputText) };
  }

  it('is answered as its last edit reads, at the price of one', async () => {
    const last = newTibetan();
    const { answers, translated } = await waiting('private', newChinese(), newChinese(), newTibetan(), last);
    expect(answers).toEqual([expect.toSatisfy(hasChinese)]);
    expect(numberOf(answers[0])).toBe(numberOf(last));
    expect(translated).toEqual([last]);
  });

  it.each([
    ['has nothing to translate', 'private', newChinese(), 'hello', [says('neither-script')]],
    ['asks the bot for nothing', 'group', `@lotsawa_bot ${newChinese()}`, newChinese(), []],
  ] as const)(
    'costs nothing where it comes to read so that it %s',
    async (_, where, first, last, answers) => {
      expect(await waiting(where, first, last)).toEqual({ answers, translated: [] });
    },
  );

  it('is answered where it comes to ask the bot for something', async () => {
    const text = newChinese();
    const { answers } = await waiting('group', newChinese(), `@lotsawa_bot ${text}`);
    expect(answers.map(numberOf)).toEqual([numberOf(text)]);
  });

  it('a photo whose caption names a language late is read once', async () => {
    const person = scene.newcomer();
    const single = await aJpeg();
    const paid = await scene.paidBy(async () => {
      const [message, parts] = await whileBusy(async () => {
        const message = await person.sendPhoto(person.chat, single);
        person.editCaption(message, '中文');
        const parts = await sendPhotos(person, person.chat, 2);
        if (parts[1] !== undefined) person.editCaption(parts[1], '中文');
        return [message, parts];
      });
      const words = await Promise.all([message, ...parts].map((part) => wordsIn(scene.telegram, part, 'zh')));
      const album = `1.\n${words[1]}\n\n2.\n${words[2]}`;
      await scene.answerTo(message, ({ text }) => text === album);
      const answers = await scene.everythingAfter(message, person);
      // Twice in a row read in the other language: the bot offers to keep it so.
      expect(answers.map(({ text }) => text)).toEqual([words[0], album, says('keep-reading-chinese')]);
    });
    // One kept the bot busy.
    expect(paid - 1).toBe(3);
  });
});

it('an album with several edited captions is read as they end', async () => {
  const person = scene.newcomer();
  const parts = await sendPhotos(person, person.chat, 2);
  const answer = await scene.answerTo(parts[0], ({ text }) => text?.startsWith('1.\n') === true);
  const paid = await scene.paidBy(async () => {
    await whileBusy(() => {
      for (const part of parts) person.editCaption(part, '中文');
    });
    const words = await Promise.all(parts.map((part) => wordsIn(scene.telegram, part, 'zh')));
    await scene.becomes(answer, ({ text }) => text === `1.\n${words[0]}\n\n2.\n${words[1]}`);
    expect(await scene.everythingAfter(parts[0], person)).toHaveLength(1);
  });
  // One kept the bot busy.
  expect(paid - 1).toBe(2);
});

describe('a message whose answer is under way', () => {
  it('is answered as its edit reads, without waiting for what it read before', async () => {
    const person = scene.newcomer();
    scene.service.faults.hold('translation');
    const message = person.send(person.chat, { text: newChinese() });
    await scene.underWay();
    const text = newTibetan();
    person.editText(message, text);
    const answer = await scene.answerTo(message);
    expect(numberOf(answer.text)).toBe(numberOf(text));
    expect(await scene.everythingAfter(message, person)).toEqual([answer]);
    expect(scene.telegram.world.chatAction(person.chat)).toBeUndefined();
  });

  it('has nothing more bought for what it read before', async () => {
    const person = scene.newcomer();
    scene.service.faults.hold('translation');
    const spoken = () => scene.service.calls.filter(({ kind }) => kind === 'speech').length;
    const before = spoken();
    const message = person.send(person.chat, { text: `/speak amdo ${newChinese()}` });
    await scene.underWay();
    const text = newTibetan();
    person.editText(message, `/speak amdo ${text}`);
    const answer = await scene.answerTo(message, isVoice);
    expect(numberOf(answer.caption)).toBe(numberOf(text));
    expect(await scene.everythingAfter(message, person)).toEqual([answer]);
    expect(spoken()).toBe(before + 1);
  });

  it('goes on where the edit changes nothing (a link preview came)', async () => {
    const person = scene.newcomer();
    const endCall = scene.service.faults.hold('translation');
    const paid = await scene.paidBy(async () => {
      const message = person.send(person.chat, { text: newChinese() });
      await scene.underWay();
      person.editText(message, message.text ?? '');
      await scene.telegram.world.waitUntil(() => scene.telegram.pendingUpdateCount === 0);
      endCall();
      await scene.answerTo(message);
      expect(await scene.everythingAfter(message, person)).toHaveLength(1);
    });
    expect(paid).toBe(1);
  });

  it('keeps its answer where the edit is taken back', async () => {
    const person = scene.newcomer();
    const message = person.send(person.chat, { text: newChinese() });
    const answer = await scene.answerTo(message);
    scene.service.faults.hold('translation');
    person.editText(message, newChinese());
    await scene.underWay();
    person.editText(message, message.text ?? '');
    const answers = await scene.everythingAfter(message, person);
    expect(answers.map(({ text, reply_markup }) => [text, reply_markup])).toEqual([
      [answer.text, answer.reply_markup],
    ]);
  });

  it('is stopped by a /cancel all the same', async () => {
    const person = scene.newcomer();
    scene.service.faults.hold('translation', 2);
    const message = person.send(person.chat, { text: newChinese() });
    await scene.underWay();
    person.editText(message, newTibetan());
    person.send(person.chat, { text: '/cancel' });
    await scene.answerTo(message, ({ text }) => text === says('cancelled'));
    expect(await scene.everythingAfter(message, person)).toHaveLength(1);
  });
});
