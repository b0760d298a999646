/** A picture read in a script that it does not have, and what people do about it. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Person } from '../sandbox/telegram/person.ts';
import { buttonsOf, hasChinese, hasTibetan, isVoice, newTibetan, says } from './phrases.ts';
import { aJpeg, sendPage, sendPages } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeEach(() => scene.service.faults.clear());

let number = 0;
/** As a Chinese letter is read in Tibetan. */
const aHeap = () => {
  number += 1;
  return `##924${number}180]1926ཿ\n£4:1=[17#ཿ792.`;
};

/** A person who has chosen what a photo gets. */
async function whoWants(photo: 'read' | 'translate' | 'speak'): Promise<Person> {
  const person = scene.newcomer();
  await scene.set(person, 'photo', photo);
  return person;
}

it('is told in one sentence with one button; nothing more is paid, shown or spoken', async () => {
  const person = await whoWants('speak');
  const sent = await sendPage(person, person.chat, aHeap());
  const paid = await scene.paidBy(async () => {
    const answer = await scene.answerTo(sent);
    expect(answer.text).toBe(says('unlikely-tibetan'));
    expect(buttonsOf(answer)).toEqual(['read:chinese']);
    expect(await scene.everythingAfter(sent, person)).toEqual([answer]);
    expect((await scene.ask(person, '/speak')).text).toBe(says('nothing-to-speak'));
    const spoken = await scene.answerTo(person.send(person.chat, { text: '/speak amdo', replyTo: sent }));
    expect(spoken.text).toBe(says('unlikely-tibetan'));
    await person.press(answer, says('button-read-chinese'));
    const again = await scene.answerTo(spoken);
    expect(again.text).toBe(says('unlikely-chinese'));
    expect(buttonsOf(again)).toEqual(['read:tibetan']);
  });
  // Once in each language.
  expect(paid).toBe(2);
});

it('in an album, a remark stands in its place', async () => {
  const { anna } = scene;
  const text = newTibetan();
  const [first] = await sendPages(anna, anna.chat, [text, aHeap()]);
  const answer = await scene.answerTo(first);
  expect(answer.text).toContain(`1.\n${text}`);
  expect(answer.text).toContain(`2.\n⚠️ ${says('unlikely-tibetan')}`);
});

it.each([
  ['half Tibetan, half Chinese', () => `${newTibetan()} 今天天气很好，欢迎你们。`],
  ['of three letters', () => 'བོད'],
  ['of figures', () => `2024-05-01 1,250.00\n2024-05-0${number} 980.00 12.75`],
])('a page %s is shown, whatever is set', async (_, page) => {
  const person = await whoWants('translate');
  const text = page();
  const sent = await sendPage(person, person.chat, text);
  await scene.answerTo(sent);
  const said = (await scene.everythingAfter(sent, person)).map((answer) => answer.text).join('\n');
  for (const line of text.split('\n')) expect(said).toContain(line);
  expect(said).not.toContain(says('neither-script'));
});

it('reading in the other language repeats the whole chain', async () => {
  const person = await whoWants('speak');
  const sent = await person.sendPhoto(person.chat, await aJpeg());
  const answer = await scene.answerTo(sent, ({ text }) => hasChinese(text));
  await scene.answerTo(answer, isVoice);
  const paid = await scene.paidBy(async () => {
    await person.press(answer, says('button-read-chinese'));
    const other = await scene.answerTo(answer, ({ text }) => hasTibetan(text) && hasChinese(text));
    expect(other.reply_to_message?.message_id).toBe(sent.message_id);
    expect((await scene.answerTo(other, isVoice)).caption).toContain(`🔊 ${says('utsang')}`);
  });
  expect(paid).toBe(3);
});

describe('after two pictures that a person had read in the other language', () => {
  const correct = async (person: Person, ...languages: ('tibetan' | 'chinese')[]) => {
    let last = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
    for (const language of languages) {
      await person.press(last, says(`button-read-${language}`));
      last = await scene.answerTo(last, ({ text }) =>
        language === 'chinese' ? hasChinese(text) : hasTibetan(text),
      );
    }
    return last;
  };
  const asks = ({ text }: { text?: string }) => text === says('keep-reading-chinese');

  it('the bot asks once whether to keep that, and a press keeps it', async () => {
    const person = scene.newcomer();
    const first = await correct(person, 'chinese');
    await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg(), { caption: '中文' }));
    const question = await scene.answerTo(first, asks);
    expect(buttonsOf(question)).toEqual(['reading:tibetan', 'reading:chinese']);
    await person.press(question, 'reading:chinese');
    await scene.becomes(question, ({ text }) => text === says('reading-chinese'));
    const next = await person.sendPhoto(person.chat, await aJpeg());
    expect((await scene.answerTo(next)).text).toSatisfy(hasChinese);
    await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg(), { caption: 'བོད་ཡིག' }));
    await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg(), { caption: 'བོད་ཡིག' }));
    expect(
      (await scene.everythingAfter(next, person)).some(({ text }) => text === says('keep-reading-tibetan')),
    ).toBe(false);
  });

  it('it does not ask a person who corrects back and forth', async () => {
    const person = scene.newcomer();
    const first = await correct(person, 'chinese', 'tibetan', 'chinese', 'tibetan');
    expect((await scene.everythingAfter(first, person)).some(asks)).toBe(false);
  });
});
