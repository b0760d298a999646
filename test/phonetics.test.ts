/** /phonetics: how a Tibetan text sounds. */
import { expect, it } from 'vitest';
import { buttonsOf, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

const heading = says('phonetics-heading');

it.each([
  ['བཀྲ་ཤིས་བདེ་ལེགས།', 'tashi délek'],
  ['bkra shis bde legs/', 'tashi délek'],
  ['ང་ཚོས་བོད་ཡིག་སྦྱོང་གི་ཡོད།\n你好 ཐུགས་རྗེ་ཆེ།', 'ngatsö pöyik jongki yö\n你好 thukjé ché'],
])('of %s says whose pronunciation it is, and that, for free', async (text, sounds) => {
  const paid = await scene.paidBy(async () => {
    const answer = await scene.ask(scene.newcomer(), `/phonetics ${text}`);
    expect(answer.text).toBe(`${heading}\n${sounds}`);
    expect(buttonsOf(answer)).toEqual(['copy']);
  });
  expect(paid).toBe(0);
});

it('/phonetics and /wylie take the last text, like their buttons', async () => {
  const person = scene.newcomer();
  const chinese = await scene.ask(person, newTibetan());
  expect(buttonsOf(chinese)).not.toContain('wylie');
  const tibetan = await scene.ask(person, newChinese());
  const paid = await scene.paidBy(async () => {
    expect((await scene.ask(person, '/wylie')).text).toMatch(/^[\p{Script=Latin}\P{L}]+$/u);
    const sounds = await scene.ask(person, '/phonetics');
    await person.press(tibetan, 'phonetics');
    const pressed = await scene.answerTo(sounds);
    expect(pressed.text).toBe(sounds.text);
    expect(pressed.reply_to_message?.message_id).toBe(tibetan.message_id);
    await person.press(tibetan, 'wylie');
    expect(buttonsOf(await scene.answerTo(pressed))).toEqual(['copy']);
  });
  expect(paid).toBe(0);
  for (const asked of ['བཀྲ་ཤིས།', '/speak chinese བཀྲ་ཤིས།']) {
    const written = scene.newcomer();
    await scene.ask(written, asked);
    expect((await scene.ask(written, '/phonetics')).text).toBe(`${heading}\ntashi`);
  }
});

it('/phonetics in reply takes that message, and keeps it for /speak', async () => {
  const { anna, telegram } = scene;
  const group = telegram.world.addGroup({ title: 'Readers', members: [anna] });
  const text = newTibetan();
  const said = anna.send(group, { text });
  const answer = await scene.answerTo(anna.send(group, { text: '/phonetics', replyTo: said }));
  expect(answer.text).toContain('tashi délek');
  expect(answer.reply_to_message?.message_id).toBe(said.message_id);
  const note = await scene.answerTo(anna.send(group, { text: '/speak' }), isVoice);
  expect(note.caption).toContain(text);
});

it('/phonetics and /wylie on a read picture pay for nothing', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
  const page = await sendPage(person, group.chat, 'བཀྲ་ཤིས་\nབདེ་ལེགས།');
  const ask = (text: string) => scene.answerTo(person.send(group.chat, { text, replyTo: page }));
  const paid = await scene.paidBy(async () => {
    expect((await ask('/wylie')).text).toBe(says('picture-unread'));
    await ask('/ocr tibetan');
    expect((await ask('/wylie')).text).toBe('bkra shis bde legs/');
    const sounds = await ask('/phonetics');
    expect(sounds.text).toBe(`${heading}\ntashi délek`);
    expect(sounds.reply_to_message?.message_id).toBe(page.message_id);
  });
  expect(paid).toBe(1);

  const captioned = await sendPage(person, group.chat, newTibetan(), 'བོད།');
  const ofCaption = await scene.answerTo(person.send(group.chat, { text: '/wylie', replyTo: captioned }));
  expect(ofCaption.text).toBe('bod/');
});

it('and /wylie as a reply to a text file take what it says', async () => {
  const person = scene.newcomer();
  const file = await person.sendDocument(person.chat, Buffer.from('བཀྲ་ཤིས་བདེ་ལེགས།'), {
    fileName: 'letter.txt',
    mimeType: 'text/plain',
  });
  await scene.answerTo(file);
  const ask = (text: string) => scene.answerTo(person.send(person.chat, { text, replyTo: file }));
  expect((await ask('/wylie')).text).toBe('bkra shis bde legs/');
  expect((await ask('/phonetics')).text).toBe(`${heading}\ntashi délek`);
});

it('of a long text comes whole', async () => {
  const person = scene.newcomer();
  const asked = person.send(person.chat, { text: `/phonetics ${'བསྒྲུབས་པའི་རྒྱལ་ཁབ། '.repeat(190)}` });
  const answers = await scene.everythingAfter(asked, person);
  const words = answers.map(({ text = '' }) => text).join(' ');
  expect(words.match(/gyalkap/g)).toHaveLength(190);
});

it.each([
  ['/phonetics', 'phonetics-how'],
  ['/phonetics 你好', 'phonetics-chinese'],
  ['/phonetics hello 👍', 'phonetics-nothing'],
])('%s is told what it is for', async (command, id) => {
  expect((await scene.ask(scene.newcomer({ languageCode: 'bo' }), command)).text).toBe(says(id, 'bo'));
});
