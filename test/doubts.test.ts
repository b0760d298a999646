/** Under a recognised text stands what of it was probably misread; it is no part of the text. */
import { expect, it } from 'vitest';
import { hasChinese, isVoice, newTibetan, says } from './phrases.ts';
import { sendPage, sendPages } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

const remark = (...syllables: string[]) => says('doubts', 'en', { syllables: syllables.join(' · ') });
/** What such a page means: its line is broken by the width alone. */
const readingOf = (page: string) => page.replace('\n', ' ');
/** A unique page with two syllables that Tibetan cannot have. */
const aDoubtfulPage = () => `${newTibetan()}\nརྒྱལཔོ་ཀཁ།`;

it('the line names at most five, under the text; a sound text has none', async () => {
  const shownFor = async (page: string) =>
    (await scene.answerTo(await sendPage(scene.anna, scene.anna.chat, page))).text;
  const page = 'ཀཁ་གཁ་ཅཁ་ཆཁ་ཇཁ་ཉཁ་ཏཁ།';
  expect(await shownFor(page)).toBe(`${page}\n\n${remark('ཀཁ', 'གཁ', 'ཅཁ', 'ཆཁ', 'ཇཁ')}`);
  const sound = newTibetan();
  expect(await shownFor(sound)).toBe(sound);
  // A rare syllable that is a letter away from a common one, and a foreign name.
  const doubtful = `${newTibetan()}\nའཛིག་རྟེན་ཨུཛ་བེཀ།`;
  expect(await shownFor(doubtful)).toBe(`${doubtful}\n\n${remark('འཛིག')}`);
});

it('a text’s remarks are left out of buttons, replies and copies', async () => {
  const { anna } = scene;
  const page = aDoubtfulPage();
  const shown = await scene.answerTo(await sendPage(anna, anna.chat, page));
  expect(shown.text).toBe(`${page}\n\n${remark('རྒྱལཔོ', 'ཀཁ')}`);
  const copies = shown.reply_markup?.inline_keyboard.flat().flatMap((button) => button.copy_text ?? []);
  expect(copies).toEqual([{ text: readingOf(page) }]);
  await scene.restart('SIGKILL');
  const paid = await scene.paidBy(async () => {
    await anna.press(shown, 'translate');
    await scene.answerTo(shown, ({ text }) => hasChinese(text));
    expect(scene.lastCall('translation')?.inputText).toBe(readingOf(page));
    await anna.press(shown, 'speak:amdo');
    await scene.answerTo(shown, isVoice);
    expect(scene.lastCall('speech')?.inputText).toBe(readingOf(page));
    await scene.answerTo(anna.send(anna.chat, { text: '/speak amdo', replyTo: shown }), isVoice);
    const note = await scene.ask(anna, '/speak amdo', isVoice);
    expect(note.caption).not.toContain('🔎');
  });
  expect(paid).toBe(2);
  const forwarded = anna.forward(shown, anna.chat);
  await scene.answerTo(anna.send(anna.chat, { text: '/speak amdo', replyTo: forwarded }), isVoice);
  // A forwarded message has no buttons, by which the bot knows its recognised texts.
  expect(scene.lastCall('speech')?.inputText).toBe(page);
});

it('a long page has its remarks at the end', async () => {
  const { anna } = scene;
  const [two, more] = [400, 900].map((count) => `${newTibetan()} ཀཁ།\n${'བཀྲ་ཤིས་བདེ་ལེགས། '.repeat(count)}མཐའ།`);
  const sent = await sendPage(anna, anna.chat, two ?? '');
  await scene.answerTo(sent);
  const last = (await scene.everythingAfter(sent, anna)).at(-1);
  expect(last?.text).toMatch(new RegExp(`མཐའ།\n\n${remark('ཀཁ')}$`, 'u'));
  const long = await sendPage(anna, anna.chat, more ?? '');
  const file = await scene.answerTo(long, ({ document }) => document !== undefined);
  expect(file.caption).toBe(`${says('whole-text')}\n\n${remark('ཀཁ')}`);
  const content = scene.telegram.world.fileBytes(file.document?.file_id ?? '').toString();
  expect(content).not.toContain('🔎');
});

it('an album has it under its texts', async () => {
  const { anna } = scene;
  const pages = [aDoubtfulPage(), newTibetan()];
  const [sent] = await sendPages(anna, anna.chat, pages);
  const answer = await scene.answerTo(sent, ({ text }) => text?.startsWith('1.') === true);
  expect(answer.text).toBe(`1.\n${pages[0]}\n\n2.\n${pages[1]}\n\n${remark('རྒྱལཔོ', 'ཀཁ')}`);
  await anna.press(answer, 'translate');
  await scene.answerTo(answer, ({ text }) => hasChinese(text));
  const translated = `1.\n${readingOf(pages[0] ?? '')}\n\n2.\n${pages[1]}`;
  expect(scene.lastCall('translation')?.inputText).toBe(translated);
});

it('a photo’s remarks stand below its text, unless switched off', async () => {
  const person = scene.newcomer();
  await scene.set(person, 'photo', 'translate');
  const answer = await scene.answerTo(
    await sendPage(person, person.chat, aDoubtfulPage()),
    ({ text }) => text?.includes('🔎') === true,
  );
  expect(answer.text?.endsWith(`\n\n${remark('རྒྱལཔོ', 'ཀཁ')}`)).toBe(true);
  await person.press(answer, 'speak:chinese');
  await scene.answerTo(answer, isVoice);
  const spoken = scene.lastCall('speech')?.inputText ?? '';
  expect(spoken).not.toMatch(/\p{Script=Tibetan}|🔎/u);
  expect(answer.text).toContain(spoken);
  await scene.set(person, 'photo', 'read');
  await scene.set(person, 'doubts', 'off');
  const page = aDoubtfulPage();
  expect((await scene.answerTo(await sendPage(person, person.chat, page))).text).toBe(page);
});
