/** Long answers: several messages, from four on a text file under its beginning; nothing is dropped. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { HASTY } from './long-speech.ts';
import {
  buttonsOf,
  hasChinese,
  isProgress,
  isVoice,
  SPEAK_BUTTONS,
  SPELLING_BUTTONS,
  says,
} from './phrases.ts';
import { aJpegSaying, sendPage } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ speech: HASTY });

/** This number of numbered Tibetan lines, 20 UTF-16 units each, line break included. */
function lines(count: number): string {
  const line = (index: number) => `${String(index + 1000)} བཀྲ་ཤིས་བདེ་ལེགས`.padEnd(18, 'ས').concat('།');
  return Array.from({ length: count }, (_, index) => line(index).slice(0, 19)).join('\n');
}

const hasFile = ({ document }: Message) => document !== undefined;

function textIn({ document }: Message): string {
  return scene.telegram.world.fileBytes(document?.file_id ?? '').toString('utf8');
}

/** Sends a photo that says this, and gives the photo and the bot's messages up to the last of the answer. */
async function read(person: Person, text: string, isLast: (message: Message) => boolean) {
  const photo = await sendPage(person, person.chat, text);
  await scene.answerTo(photo, isLast);
  return { photo, answers: await scene.everythingAfter(photo, person) };
}

describe('up to three parts', () => {
  const text = lines(600);
  let person: Person;
  let photo: Message;
  let answers: Message[];
  let last: Message;
  beforeAll(async () => {
    person = scene.newcomer();
    ({ photo, answers } = await read(person, text, (message) => message.text?.includes('1599') === true));
    last = answers.at(-1) as Message;
  });

  it('are messages, each a reply, with buttons under the last', () => {
    expect(answers.map((answer) => answer.text).join('\n')).toBe(text);
    expect(answers).toHaveLength(3);
    for (const answer of answers) expect(answer.reply_to_message?.message_id).toBe(photo.message_id);
    expect(answers.slice(0, 2).map(buttonsOf)).toEqual([[], []]);
    expect(buttonsOf(last).map((data) => data.replace(/:[\w-]{22}$/, ':ID'))).toEqual([
      ...SPEAK_BUTTONS.map((data) => `${data}:ID`),
      'translate:ID',
      'read:chinese',
      'speak:chinese:ID',
      ...SPELLING_BUTTONS.map((data) => `${data}:ID`),
    ]);
  });

  it('are translated and spoken whole by those buttons, also after a restart', async () => {
    const numbers = text.match(/\d{4}/g);
    const numbersIn = (texts: unknown[]) => texts.join('\n').match(/\d{4}/g);
    await scene.restart();
    await person.press(last, says('button-translate'));
    await scene.answerTo(last, ({ text }) => hasChinese(text) && text?.includes('1599') === true);
    const translation = (await scene.everythingAfter(last, person)).filter(({ text }) => hasChinese(text));
    expect(numbersIn(translation.map((message) => message.text))).toEqual(numbers);
    const before = scene.service.calls.length;
    await person.press(last, `🔊 ${says('amdo')}`);
    await scene.answerTo(last, isVoice);
    const spoken = scene.service.calls.slice(before).filter(({ kind }) => kind === 'speech');
    // Two pieces are spoken at once.
    expect(numbersIn(spoken.map(({ parameters }) => parameters.inputText))?.toSorted()).toEqual(numbers);
  });

  it('of which nothing is kept any more, say so for their buttons', async () => {
    await scene.forget(person);
    const told = await person.press(last, says('button-translate'));
    expect(told).toEqual({ text: says('callback-too-old'), showAlert: true });
  });
});

it('an album’s file names its failed photo, and its buttons work', async () => {
  const person = scene.newcomer();
  const page = (bytes: Buffer) => ({ bytes, fileName: 'page.jpg', mimeType: 'image/jpeg' });
  const [first] = await person.sendAlbum(person.chat, [
    page(await aJpegSaying(lines(600))),
    page(Buffer.from('no picture')),
    page(await aJpegSaying(lines(601))),
  ]);
  const file = await scene.answerTo(first, hasFile);
  expect(textIn(file)).toContain('\n\n2.\n⚠️ ');
  await person.press(file, 'translate');
  await scene.answerTo(file, (message) => hasFile(message) || hasChinese(message.text));
  expect(scene.lastCall('translation')?.inputText).not.toContain('⚠️');
});

describe('from four parts on', () => {
  const text = lines(700);
  let person: Person;
  let photo: Message;
  let preview: Message;
  let file: Message;
  beforeAll(async () => {
    person = scene.newcomer();
    const read700 = await read(person, text, hasFile);
    photo = read700.photo;
    expect(read700.answers).toHaveLength(2);
    [preview, file] = read700.answers as [Message, Message];
  });

  it('the whole text is in a file, line by line, under its beginning', () => {
    expect(textIn(file)).toBe(text);
    expect(file.document?.file_name).toBe('lotsawa.txt');
    expect(file.caption).toBe(says('whole-text'));
    expect(text.startsWith(preview.text ?? ' ')).toBe(true);
    expect(preview.text?.length).toBeGreaterThan(2000);
    for (const message of [preview, file]) {
      expect(message.reply_to_message?.message_id).toBe(photo.message_id);
    }
  });

  it('the buttons are under the file, and mean all of it', async () => {
    expect(buttonsOf(preview)).toEqual([]);
    expect(buttonsOf(file)).toEqual([
      ...SPEAK_BUTTONS,
      'translate',
      'read:chinese',
      'speak:chinese',
      ...SPELLING_BUTTONS,
    ]);
    await person.press(file, 'translate');
    const isTranslation = (message: Message) =>
      !isProgress(message) && (hasFile(message) || hasChinese(message.text));
    await scene.answerTo(file, isTranslation);
    const answers = (await scene.everythingAfter(file, person)).filter((message) => !isProgress(message));
    const whole = answers.filter(hasFile).map(textIn)[0] ?? answers.map((answer) => answer.text).join('\n');
    expect(whole.match(/\d{4}/g)).toEqual(text.match(/\d{4}/g));
  });

  it('a reply to the file means its text', async () => {
    const asked = person.send(person.chat, { text: '/tibetan', replyTo: file });
    expect((await scene.answerTo(asked)).text).toBe(says('already-tibetan'));
  });

  it('a reply to the expired file is answered if it needs no text', async () => {
    const gone = { status: 400, description: 'Bad Request: file is temporarily unavailable' };
    scene.telegram.faults.next('getFile', gone);
    const asked = person.send(person.chat, { text: '/help', replyTo: file });
    expect((await scene.answerTo(asked)).text).toBe(says('help'));
    // It did not even ask for the file: that failure is left for what does.
    const about = person.send(person.chat, { text: '/speak', replyTo: file });
    expect((await scene.answerTo(about)).text).toBe(says('failure-file-gone'));
  });

  it('the other reading language reads the photo that the file answers', async () => {
    await person.press(file, says('button-read-chinese'));
    const second = await scene.answerTo(
      file,
      (message) => hasFile(message) && message.message_id > file.message_id,
    );
    expect(second.reply_to_message?.message_id).toBe(photo.message_id);
    expect(textIn(second)).toBe(text);
  });

  it('where the chat takes no documents, all of it comes as messages', async () => {
    const description = 'Forbidden: CHAT_SEND_DOCS_FORBIDDEN';
    scene.telegram.faults.next('sendDocument', { status: 403, description });
    const asked = person.send(person.chat, { text: '/ocr', replyTo: photo });
    const answers = await scene.everythingAfter(asked, person);
    expect(answers.map((answer) => answer.text).join('\n')).toBe(text);
  });

  it('an edit that asks for less takes the file away', async () => {
    const asked = person.send(person.chat, { text: '/ocr', replyTo: photo });
    const beginning = await scene.answerTo(asked);
    const whole = await scene.answerTo(beginning, hasFile);
    person.editText(asked, '/help');
    await scene.becomes(beginning, (now) => now.text === says('help'));
    await scene.telegram.world.waitUntil(() => scene.telegram.world.message(whole) === undefined);
  });
});
