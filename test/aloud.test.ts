/** Spoken answers: everything that a person needs who does not read is heard or pressed. */
import { beforeEach, expect, it } from 'vitest';
import type { Person } from '../sandbox/telegram/person.ts';
import { dominantLanguage } from '../src/language/script.ts';
import { spokenText } from '../src/language/spoken-text.ts';
import { buttonsOf, hasChinese, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { aJpeg, sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeEach(() => scene.service.faults.clear());

/** service-interface §4.4. */
const LANG = { utsang: 0, khampa: 4, amdo: 5 };
/** What the bot has asked the service to speak: the words, and the dialect. */
const spoken = () =>
  scene.service.calls
    .filter(({ kind }) => kind === 'speech')
    .map(({ parameters: { inputText, lang } }) => ({ inputText, lang }));
const aloud = (id: string) => spokenText(says(id, 'bo'));

/** Somebody who has pressed their dialect under the first words. */
async function listener(dialect: keyof typeof LANG = 'amdo'): Promise<Person> {
  const person = scene.newcomer({ languageCode: 'zh-hans' });
  const asked = person.send(person.chat, { text: '/start' });
  const offer = await scene.answerTo(asked, isVoice);
  await person.press(offer, `aloud:${dialect}`);
  await scene.answerTo(offer, isVoice);
  return person;
}

it('the first words are a voice note with dialects, paid for once', async () => {
  const person = scene.newcomer();
  scene.service.faults.set('speech', 'bad-parameter');
  const early = person.send(person.chat, { text: '/start' });
  // Where they cannot be spoken, they are there in writing.
  expect((await scene.everythingAfter(early, person)).map(({ text }) => text)).toEqual([says('start')]);
  scene.service.faults.clear();
  const first = person.send(person.chat, { text: '/start' });
  const paid = await scene.paidBy(async () => {
    const offer = await scene.answerTo(first, isVoice);
    expect(offer.caption).toBe(says('aloud-offer'));
    expect(buttonsOf(offer)).toEqual(['aloud:utsang', 'aloud:khampa', 'aloud:amdo']);
  });
  expect(paid).toBe(3);
  // For nobody's share.
  expect((await scene.ask(person, '/usage')).text).toContain(
    says('usage-person-of', 'en', { calls: 0, limit: 100 }),
  );
  const offered = await aloud('aloud-offer');
  expect(spoken().slice(-3)).toEqual(
    expect.arrayContaining(Object.values(LANG).map((lang) => ({ inputText: offered, lang }))),
  );
  const free = await scene.paidBy(async () => {
    const others = [scene.newcomer(), scene.newcomer({ languageCode: 'bo' }), person];
    const asked = others.map((one) => one.send(one.chat, { text: '/start' }));
    const notes = await Promise.all(asked.map((one) => scene.answerTo(one, isVoice)));
    expect(new Set(notes.map(({ voice }) => voice?.file_unique_id)).size).toBe(1);
    expect(notes[1]?.caption).toBe(says('aloud-offer', 'bo'));
  });
  expect(free).toBe(0);
});

it('a pressed dialect speaks results and the bot’s sentences from then on', async () => {
  const person = await listener('amdo');
  expect(spoken().at(-1)).toEqual({ inputText: await aloud('aloud-chosen'), lang: LANG.amdo });

  const tibetan = newTibetan();
  const written = person.send(person.chat, { text: tibetan });
  const paid = await scene.paidBy(async () => {
    expect((await scene.answerTo(written)).text).toSatisfy(hasChinese);
    expect((await scene.answerTo(written, isVoice)).caption).toContain(`🔊 ${says('amdo', 'zh')}\n`);
  });
  // What was written in Tibetan, not its translation translated back.
  expect(spoken().at(-1)).toEqual({ inputText: tibetan, lang: LANG.amdo });
  expect(paid).toBe(2);

  const answer = await scene.answerTo(person.send(person.chat, { text: newChinese() }));
  await scene.answerTo(answer, isVoice);
  expect(spoken().at(-1)).toEqual({ inputText: answer.text, lang: LANG.amdo });

  const page = newTibetan();
  await scene.answerTo(await sendPage(person, person.chat, page), isVoice);
  expect(spoken().at(-1)).toEqual({ inputText: page, lang: LANG.amdo });

  const nothing = await sendPage(person, person.chat, '#9]1926#');
  const question = await scene.answerTo(nothing, isVoice);
  expect(spoken().at(-1)).toEqual({ inputText: await aloud('unlikely-tibetan'), lang: LANG.amdo });
  // What is asked is answered under what is heard.
  await person.press(question, says('button-read-chinese', 'zh'));
  await scene.answerTo(question, isVoice);
  expect(spoken().at(-1)).toEqual({ inputText: await aloud('unlikely-chinese'), lang: LANG.amdo });
  const voices = (await scene.everythingAfter(written, person)).filter(isVoice);
  expect(voices).toHaveLength(5);
});

it('a Chinese page is read, translated and spoken with one press', async () => {
  const person = await listener('khampa');
  const sent = await person.sendPhoto(person.chat, await aJpeg(), { caption: '中文' });
  const note = await scene.answerTo(sent, isVoice);
  expect(dominantLanguage(String(spoken().at(-1)?.inputText))).toBe('tibetan');
  expect(spoken().at(-1)?.lang).toBe(LANG.khampa);
  await person.press(note, 'slow:khampa');
  const asked = person.send(person.chat, { text: `/speak amdo ${newTibetan()}` });
  await scene.answerTo(asked, isVoice);
  expect((await scene.everythingAfter(note, person)).filter(isVoice)).toHaveLength(2);
});

it('a failure is heard where its sentence is kept, else read', async () => {
  const person = await listener('utsang');
  scene.service.faults.set('translation', 'bad-parameter');
  const asked = person.send(person.chat, { text: newChinese() });
  await scene.answerTo(asked, ({ text }) => text === says('failure-bad-request', 'zh'));
  await scene.answerTo(asked, isVoice);
  expect(spoken().at(-1)?.inputText).toBe(await aloud('failure-bad-request'));
  scene.service.faults.set('speech', 'bad-parameter');
  const again = person.send(person.chat, { text: newChinese() });
  await scene.answerTo(again, isVoice);
});

it('a choice made under what is heard takes its buttons away, and is heard', async () => {
  const person = await listener('amdo');
  const heard = await scene.answerTo(person.send(person.chat, { text: '/voice' }), isVoice);
  await person.press(heard, 'voice:yunjian');
  await scene.becomes(heard, (now) => buttonsOf(now).length === 0);
  const chosen = says('voice-chosen', 'zh', { voice: says('voice-yunjian', 'zh') });
  await scene.answerTo(heard, ({ text }) => text === chosen);

  const question = await scene.answerTo(person.send(person.chat, { text: '/ocr' }), isVoice);
  await person.press(question, 'reading:chinese');
  await scene.answerTo(question, isVoice);
  expect(spoken().at(-1)).toEqual({ inputText: await aloud('reading-chinese'), lang: LANG.amdo });
});

it('the setting ends it', async () => {
  const person = await listener('amdo');
  await scene.set(person, 'spoken', 'off');
  const asked = person.send(person.chat, { text: newTibetan() });
  await scene.answerTo(asked);
  expect((await scene.everythingAfter(asked, person)).filter(isVoice)).toEqual([]);
});
