/** What stands behind a recognised text: the message shows the lines of the page, the service is sent what they mean. */
import { expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { hasChinese, hasTibetan, isVoice, newChinese, newTibetan, numberOf } from './phrases.ts';
import { sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

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

const list = () => [`1. ${newTibetan()} བཀྲ་ཤིས།`, '2. བདེ་ལེགས།'];
const indented = () => [
  `${newChinese()}我们一起到拉萨去看布达拉宫，明天早晨再回来。`,
  '  他们说这里的人都喜欢喝茶，学校的老师每天早晨在高原的阳光下都',
  '教孩子读书写字。',
];

it('the service’s paragraphs and places decide, also after a restart', async () => {
  const { anna } = scene;
  const pages = [
    { tells: { paragraphsUnasked: true }, lines: list(), reading: (lines: string[]) => lines.join(' ') },
    // Not asked for, and the lines of a list stay.
    { tells: {}, lines: list(), reading: (lines: string[]) => lines.join('\n') },
    {
      tells: { locations: true },
      lines: indented(),
      reading: ([first, second = '', third]: string[]) => `${first}\n${second.trim()}${third}`,
    },
    {
      tells: {},
      lines: indented(),
      reading: ([first, second = '', third]: string[]) => `${first}${second.trim()}${third}`,
    },
  ];
  const shown: { lines: string[]; reading: (lines: string[]) => string; message: Message }[] = [];
  for (const { tells, lines, reading } of pages) {
    Object.assign(scene.service.spelling, { paragraphsUnasked: false, locations: false, ...tells });
    const message = await scene.answerTo(await sendPage(anna, anna.chat, lines.join('\n')));
    shown.push({ lines, reading, message });
  }
  await scene.restart('SIGKILL');
  for (const { lines, reading, message } of shown) {
    expect(message.text).toBe(lines.join('\n'));
    await anna.press(message, 'translate');
    // Not the page itself, which is sent again if the kill fell before its note.
    const isTranslation = ({ text }: Message) =>
      numberOf(text) === numberOf(lines[0]) && hasTibetan(text) !== hasTibetan(lines[0]);
    await scene.answerTo(message, isTranslation);
    expect(scene.lastCall('translation')?.inputText).toBe(reading(lines));
  }
});
