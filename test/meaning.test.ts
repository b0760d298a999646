/** What a person sets once: translations with their original above, and photos that are translated and spoken at once. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { pdfFile, sendFile, textFile } from './files.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  offersToCancel,
  says,
} from './phrases.ts';
import { aJpeg, sendPage, sendPages } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

async function somebodyWith(setting: string, value: string): Promise<Person> {
  const person = scene.newcomer();
  await scene.set(person, setting, value);
  return person;
}

/** What is quoted in a message, and how. */
function quotesIn({ text = '', entities = [] }: Message): string[] {
  return entities
    .filter(({ type }) => type.endsWith('blockquote'))
    .map(({ type, offset, length }) => `${type}: ${text.slice(offset, offset + length)}`);
}

const kindOf = (one: Message) => (one.voice ? 'voice' : quotesIn(one).length === 1 ? 'quoted' : 'other');
const isAnswer = (answer: Message) => !offersToCancel(answer);

describe('the setting original', () => {
  it('shows it above its translation, for the same call', async () => {
    const person = await somebodyWith('original', 'on');
    const text = `${newTibetan()}\n\n${newTibetan()}`;
    const paid = await scene.paidBy(async () => {
      const answer = await scene.ask(person, text);
      expect(quotesIn(answer)).toEqual([`blockquote: ${text}`]);
      expect(answer.text?.slice(text.length)).toSatisfy(hasChinese);
    });
    expect(paid).toBe(1);
  });

  it('folds a long original, and never takes what people write for markup', async () => {
    const person = await somebodyWith('original', 'on');
    const text = `<b>${newTibetan()}</b> *_[ ${'བཀྲ་ཤིས། '.repeat(40)}`.trim();
    expect(quotesIn(await scene.ask(person, text))).toEqual([`expandable_blockquote: ${text}`]);
  });

  it('buttons, copy and replies mean the translation alone, also after a restart', async () => {
    const person = await somebodyWith('original', 'on');
    const text = newTibetan();
    const asked = person.send(person.chat, { text });
    const answer = await scene.answerTo(asked);
    const translation = answer.text?.slice(text.length + 1);
    const buttons = answer.reply_markup?.inline_keyboard.flat() ?? [];
    expect(buttons.find(({ copy_text }) => copy_text)?.copy_text?.text).toBe(translation);
    await scene.restart();
    await person.press(answer, 'speak:chinese');
    expect((await scene.answerTo(answer, isVoice)).caption).toContain(translation);
    expect(scene.lastCall('speech')?.inputText).toBe(translation);
    const reply = person.send(person.chat, { text: '/tibetan', replyTo: answer });
    await scene.answerTo(reply);
    expect(scene.lastCall('translation')?.inputText).toBe(translation);
    const now = newTibetan();
    person.editText(asked, now);
    const edited = await scene.becomes(answer, (message) => message.text?.startsWith(now) === true);
    expect(quotesIn(edited)).toEqual([`blockquote: ${now}`]);
  });

  it('of what one message does not hold comes before the translation, whole', async () => {
    const person = await somebodyWith('original', 'on');
    const text = `${newTibetan()} ${'བཀྲ་ཤིས་བདེ་ལེགས། '.repeat(170)}`.trim();
    const asked = person.send(person.chat, { text });
    const answers = (await scene.everythingAfter(asked, person)).filter(isAnswer);
    const quotes = answers.flatMap(quotesIn).join('');
    expect(quotes.replace('expandable_blockquote: ', '')).toBe(text);
    expect(answers.at(-1)?.text).toSatisfy(hasChinese);
    expect(quotesIn(answers.at(-1) as Message)).toEqual([]);
  });
});

describe('a long result in a group', () => {
  const among = (person: Person) => scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
  const aLongText = () => `${newTibetan()} ${'བཀྲ་ཤིས་བདེ་ལེགས། '.repeat(40)}`.trim();
  const fold = (text: string) => `expandable_blockquote: ${text}`;

  it('a long original is folded, and buttons mean all of it', async () => {
    const person = scene.newcomer();
    const page = `${aLongText()} ཀཁ།`;
    const photo = await sendPage(person, among(person), page, '@lotsawa_bot');
    const shown = await scene.answerTo(photo, isAnswer);
    expect(shown.text?.startsWith(`${page}\n\n🔎`)).toBe(true);
    expect(quotesIn(shown)).toEqual([fold(page)]);
    await person.press(shown, 'translate');
    const translation = await scene.answerTo(shown, ({ text }) => hasChinese(text));
    expect(scene.lastCall('translation')?.inputText).toBe(page);
    await scene.answerTo(person.send(photo.chat, { text: '/speak amdo', replyTo: shown }), isVoice);
    expect(scene.lastCall('speech')?.inputText).toBe(page);
    await scene.answerTo(person.send(photo.chat, { text: '/speak', replyTo: translation }), isVoice);
    expect(scene.lastCall('speech')?.inputText).toBe(translation.text);
  });

  it('is folded under its original, and is meant without it', async () => {
    const person = await somebodyWith('original', 'on');
    const text = newChinese().repeat(40);
    const shown = await scene.answerTo(person.send(among(person), { text: `@lotsawa_bot ${text}` }));
    const translation = shown.text?.slice(text.length + 1) ?? '';
    expect(quotesIn(shown)).toEqual([fold(text), fold(translation)]);
    await scene.answerTo(person.send(shown.chat, { text: '/speak amdo', replyTo: shown }), isVoice);
    expect(scene.lastCall('speech')?.inputText).toBe(translation);
  });

  it('is not folded where it is short, nor in a private chat', async () => {
    const person = scene.newcomer();
    const text = `/tibetan ${newChinese()}`;
    expect(quotesIn(await scene.answerTo(person.send(among(person), { text })))).toEqual([]);
    expect(
      quotesIn(await scene.ask(person, newChinese().repeat(40), ({ text }) => hasTibetan(text))),
    ).toEqual([]);
  });
});

describe('the setting photo', () => {
  it('"translate": the text of a photo above its translation, in two paid calls', async () => {
    const person = await somebodyWith('photo', 'translate');
    const text = newTibetan();
    const paid = await scene.paidBy(async () => {
      const photo = await sendPage(person, person.chat, text);
      const answer = await scene.answerTo(photo, isAnswer);
      expect(quotesIn(answer)).toEqual([`blockquote: ${text}`]);
      expect(answer.text).toSatisfy(hasChinese);
      expect(answer.reply_to_message?.message_id).toBe(photo.message_id);
      expect(buttonsOf(answer)).toEqual(['speak:chinese', 'copy', 'read:chinese']);
      expect((await scene.everythingAfter(photo, person)).filter(isAnswer)).toHaveLength(1);
    });
    expect(paid).toBe(2);
  });

  it('"translate": a page too long for messages comes as a file, before its translation', async () => {
    const person = await somebodyWith('photo', 'translate');
    const text = `${newTibetan()} ${'བཀྲ་ཤིས་བདེ་ལེགས། '.repeat(700)}`.trim();
    const photo = await sendPage(person, person.chat, text);
    const [beginning, original, ...more] = (await scene.everythingAfter(photo, person)).filter(isAnswer);
    expect(text.startsWith(beginning?.text ?? 'nothing')).toBe(true);
    expect(original?.caption).toBe(says('whole-text'));
    const bytes = scene.telegram.world.fileBytes(original?.document?.file_id ?? '');
    expect(bytes.toString('utf8')).toBe(text);
    expect(more[0]?.text).toSatisfy(hasChinese);
  });

  it('of an album makes one answer and one voice note', async () => {
    const person = await somebodyWith('photo', 'speak');
    const texts = [newTibetan(), newTibetan()];
    const paid = await scene.paidBy(async () => {
      const [first] = await sendPages(person, person.chat, texts);
      const answers = (await scene.everythingAfter(first, person)).filter(isAnswer);
      expect(answers).toHaveLength(2);
      for (const text of texts) expect(answers[0]?.text).toContain(numberOf(text));
      expect(answers[1]).toSatisfy(isVoice);
    });
    expect(paid).toBe(4);
  });

  it('where it fails halfway pays only for the rest when it is tried again', async () => {
    const person = await somebodyWith('photo', 'translate');
    const text = newTibetan();
    const paid = await scene.paidBy(async () => {
      scene.service.faults.next('translation', 'status-503', 3);
      const photo = await sendPage(person, person.chat, text);
      const read = await scene.answerTo(photo);
      expect(read.text).toContain(text);
      const told = await scene.answerTo(read);
      expect(told.text).toBe(says('failure-unavailable'));
      await person.press(told, says('button-rest', 'en', { calls: 1 }));
      const answer = await scene.answerTo(photo, (now) => quotesIn(now).length > 0);
      expect(quotesIn(answer)).toEqual([`blockquote: ${text}`]);
    });
    expect(paid).toBe(2);
  });

  it('of a text that is in the target language already is read and spoken', async () => {
    const person = await somebodyWith('photo', 'speak');
    await scene.ask(person, '/tibetan');
    const paid = await scene.paidBy(async () => {
      const photo = await sendPage(person, person.chat, newTibetan());
      expect((await scene.answerTo(photo, isAnswer)).text).toSatisfy(hasTibetan);
      expect((await scene.answerTo(photo, isVoice)).caption).toContain(says('utsang'));
    });
    expect(paid).toBe(2);
  });

  it('the setting *photo* is the person’s, also in a group', async () => {
    const person = await somebodyWith('photo', 'translate');
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], privacyMode: false });
    const photo = await sendPage(person, group, newTibetan(), '@lotsawa_bot');
    expect(quotesIn(await scene.answerTo(photo, isAnswer))).toHaveLength(1);

    const page = await sendPage(person, group, newTibetan());
    const mention = person.send(group, { text: '@lotsawa_bot', replyTo: page });
    expect(quotesIn(await scene.answerTo(mention, isAnswer))).toHaveLength(1);
    const paid = await scene.paidBy(async () => {
      const asked = person.send(group, { text: '/ocr@lotsawa_bot', replyTo: page });
      const answer = await scene.answerTo(asked, isAnswer);
      expect(answer.text).not.toSatisfy(hasChinese);
    });
    expect(paid).toBe(0);

    const pdf = await sendFile(person, pdfFile(), group);
    const about = person.send(group, { text: '@lotsawa_bot', replyTo: pdf });
    const texts = (await scene.everythingAfter(about, person)).map(({ text = '' }) => text);
    expect([texts.some((text) => text.includes('📄')), texts.some(hasChinese)]).toEqual([true, true]);
  });

  it('"speak" on a document gives pages, translation and voice note', async () => {
    const person = await somebodyWith('photo', 'speak');
    const paid = await scene.paidBy(async () => {
      const pdf = await sendFile(person, pdfFile());
      const [pages, translation, note] = (await scene.everythingAfter(pdf, person)).filter(isAnswer);
      expect(pages?.text).toContain('📄');
      expect(translation?.text).toSatisfy(hasChinese);
      expect(note).toSatisfy(isVoice);
      expect(note?.caption).toContain(says('chinese'));
    });
    expect(paid).toBe(2);
    const text = newTibetan();
    const letter = await sendFile(person, textFile(text));
    const [answer, note] = (await scene.everythingAfter(letter, person)).filter(isAnswer);
    expect(answer?.text).toSatisfy(hasChinese);
    expect(numberOf(answer?.text)).toBe(numberOf(text));
    expect(note).toSatisfy(isVoice);
  });

  it('a failed speech leaves the text, and *Try again* adds it', async () => {
    const person = await somebodyWith('photo', 'speak');
    const paid = await scene.paidBy(async () => {
      scene.service.faults.next('speech', 'status-503', 3);
      const photo = await sendPage(person, person.chat, newTibetan());
      const again = (message: Message) => buttonsOf(message).find((data) => data.startsWith('again:'));
      const told = await scene.answerTo(photo, (answer) => again(answer) !== undefined);
      await person.press(told, again(told) ?? '');
      await scene.answerTo(told, isVoice);
      const answers = (await scene.everythingAfter(photo, person)).filter(isAnswer);
      expect(answers.map(kindOf)).toEqual(['quoted', 'voice']);
    });
    expect(paid).toBe(3);
  });

  it('survives a kill in the midst of it, and nothing is paid twice', async () => {
    const person = await somebodyWith('photo', 'speak');
    scene.service.faults.next('speech', 'hang');
    const paid = await scene.paidBy(async () => {
      const sent = await sendPage(person, person.chat, newTibetan());
      await scene.telegram.world.waitUntil(() =>
        scene.service.calls.some(({ fault, outcome }) => fault === 'hang' && outcome === 'running'),
      );
      // What it has begun to say is noted by the time that it can do something else, too.
      await scene.ask(scene.anna, '/help');
      await scene.restart('SIGKILL');
      await scene.answerTo(sent, isVoice);
      const answers = (await scene.everythingAfter(sent, person)).filter(isAnswer);
      expect(answers.map(kindOf)).toEqual(['quoted', 'voice']);
    });
    // The speech that was under way may have been charged.
    expect(paid).toBeLessThanOrEqual(4);
  });

  it('"speak" gives a note in three parts, and follows an edit', async () => {
    const person = await somebodyWith('photo', 'speak');
    const paid = await scene.paidBy(async () => {
      const photo = await person.sendPhoto(person.chat, await aJpeg());
      const answer = await scene.answerTo(photo, isAnswer);
      const note = await scene.answerTo(photo, isVoice);
      expect(quotesIn(answer)[0]).toSatisfy(hasTibetan);
      const [title, translation = ''] = note.caption?.split('\n') ?? [];
      expect(title).toContain(says('chinese'));
      expect(translation).toSatisfy(hasChinese);
      expect(answer.text).toContain(translation);
      person.editCaption(photo, 'zh');
      await scene.becomes(answer, (now) => hasChinese(quotesIn(now)[0]));
      await scene.answerTo(note, isVoice);
      const answers = (await scene.everythingAfter(photo, person)).filter(isAnswer);
      expect(answers.map(kindOf)).toEqual(['quoted', 'voice']);
    });
    expect(paid).toBe(6);
  });
});
