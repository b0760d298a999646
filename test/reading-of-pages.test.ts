/** What stands behind a recognised text: the message shows the lines of the page, the service is sent what they mean (spec §2). */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hasChinese, hasTibetan, isVoice, newChinese, newTibetan } from './phrases.ts';
import { sendPage } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());
beforeEach(() => Object.assign(scene.service.spelling, { paragraphsUnasked: false, locations: false }));

it('the message has the lines; translation, speech and the copy have the reading', async () => {
  const { anna } = scene;
  const begin = `${newTibetan()} རྒྱལ་པོ་སྐྱེས་`;
  const page = `${begin}\nཙམ་ཉིད་ནས་ཡུལ་མི་ཚང་མ་དགའ།`;
  const reading = page.replace('\n', '');
  const shown = await scene.answerTo(await sendPage(anna, anna.chat, page));
  expect(shown.text).toBe(page);
  const copies = shown.reply_markup?.inline_keyboard.flat().flatMap((button) => button.copy_text ?? []);
  expect(copies).toEqual([{ text: reading }]);
  await anna.press(shown, 'translate');
  await scene.answerTo(shown, ({ text }) => hasChinese(text));
  expect(scene.lastCall('translation')?.inputText).toBe(reading);
  await anna.press(shown, 'speak:amdo');
  await scene.answerTo(shown, isVoice);
  expect(scene.lastCall('speech')?.inputText).toBe(reading);
  const typed = () => scene.ask(scene.newcomer(), reading, ({ text }) => hasChinese(text));
  expect(await scene.paidBy(typed)).toBe(0);
});

it.each([
  ['decide where the service gives them unasked', true, ' '],
  ['are not asked for, and lines of a list stay', false, '\n'],
])("the service's paragraphs %s, after a restart too", async (_, paragraphsUnasked, between) => {
  const { anna } = scene;
  Object.assign(scene.service.spelling, { paragraphsUnasked });
  const lines = [`1. ${newTibetan()} བཀྲ་ཤིས།`, '2. བདེ་ལེགས།'];
  const shown = await scene.answerTo(await sendPage(anna, anna.chat, lines.join('\n')));
  expect(shown.text).toBe(lines.join('\n'));
  await scene.restart('SIGKILL');
  await anna.press(shown, 'translate');
  await scene.answerTo(shown, ({ text }) => hasChinese(text));
  expect(scene.lastCall('translation')?.inputText).toBe(lines.join(between));
});

it.each([
  ['begins a paragraph where the service tells where lines stand, after a restart too', true, '\n'],
  ['goes on where nothing is told', false, ''],
])('a line that begins further in %s', async (_, locations, between) => {
  const { anna } = scene;
  Object.assign(scene.service.spelling, { locations });
  const lines = [
    `${newChinese()}我们一起到拉萨去看布达拉宫，明天早晨再回来。`,
    '  他们说这里的人都喜欢喝茶，学校的老师每天早晨在高原的阳光下都',
    '教孩子读书写字。',
  ];
  const shown = await scene.answerTo(await sendPage(anna, anna.chat, lines.join('\n')));
  await scene.restart('SIGKILL');
  await anna.press(shown, 'translate');
  await scene.answerTo(shown, ({ text }) => hasTibetan(text));
  expect(scene.lastCall('translation')?.inputText).toBe(
    `${lines[0]}${between}${lines[1]?.trim()}${lines[2]}`,
  );
});
