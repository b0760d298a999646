/** /wylie, Wylie under recognised Tibetan, and texts typed in Wylie. */
import { describe, expect, it } from 'vitest';
import type { Person } from '../sandbox/telegram/person.ts';
import { sendFile, textFile } from './files.ts';
import {
  buttonsOf,
  hasChinese,
  isVoice,
  newTibetan,
  SPEAK_BUTTONS,
  SPELLING_BUTTONS,
  says,
} from './phrases.ts';
import { sendPage, sendPhotos } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

describe('/wylie', () => {
  it.each([
    ['བཀྲ་ཤིས་བདེ་ལེགས།', 'bkra shis bde legs/'],
    ['bkra shis bde legs/', 'བཀྲ་ཤིས་བདེ་ལེགས།'],
    ['<b>བོད</b> & *_[', '<b>bod</b> & *_['],
  ])('turns %s into %s, without a paid call', async (text, converted) => {
    const paid = await scene.paidBy(async () => {
      expect((await scene.ask(scene.newcomer(), `/wylie ${text}`)).text).toBe(converted);
    });
    expect(paid).toBe(0);
  });

  it('as a reply takes the message replied to, and answers under it', async () => {
    const { anna, telegram } = scene;
    const group = telegram.world.addGroup({ title: 'Readers', members: [anna] });
    const said = anna.send(group, { text: 'ང་བོད་པ་ཡིན།' });
    const answer = await scene.answerTo(anna.send(group, { text: '/wylie', replyTo: said }));
    expect(answer.text).toBe('nga bod pa yin/');
    expect(answer.reply_to_message?.message_id).toBe(said.message_id);
  });

  it('of Wylie gives Tibetan to translate, to speak, and to copy', async () => {
    const answer = await scene.ask(scene.anna, '/wylie nga bod pa yin/');
    expect(buttonsOf(answer)).toEqual([
      ...SPEAK_BUTTONS,
      'translate',
      'speak:chinese',
      'copy',
      ...SPELLING_BUTTONS,
    ]);
    await scene.anna.press(answer, 'translate');
    expect((await scene.answerTo(answer)).text).toSatisfy(hasChinese);
    const inWylie = await scene.ask(scene.anna, '/wylie བོད།');
    expect(buttonsOf(inWylie)).toEqual(['copy']);
  });

  it('leaves its Tibetan for /speak, given, made of Wylie, or replied to', async () => {
    const person = scene.newcomer();
    const speaks = async (text: string) =>
      expect((await scene.ask(person, '/speak', isVoice)).caption).toContain(text);
    const earlier = newTibetan();
    const said = person.send(person.chat, { text: earlier });
    await scene.answerTo(said);
    const text = newTibetan();
    await scene.ask(person, `/wylie ${text}`);
    await speaks(text);
    await scene.ask(person, '/wylie khyed rang 601');
    await speaks('ཁྱེད་རང་༦༠༡');
    await scene.answerTo(person.send(person.chat, { text: '/wylie', replyTo: said }));
    await speaks(earlier);
  });

  it.each([
    ['/wylie', 'wylie-how'],
    ['/wylie 你好', 'wylie-nothing'],
    ['/wylie 👍 2024', 'wylie-nothing'],
    ['/wylie \\ud800', 'wylie-nothing'],
  ])('%s is told what to do', async (command, id) => {
    expect((await scene.ask(scene.newcomer({ languageCode: 'bo' }), command)).text).toBe(says(id, 'bo'));
  });

  it('and /phonetics of too long a text say so', async () => {
    const person = scene.newcomer();
    for (const caption of ['/wylie', '/phonetics']) {
      const file = textFile('བོད་'.repeat(50_004 / 4), caption);
      const { text } = await scene.answerTo(await sendFile(person, file));
      expect(text).toBe(says('free-too-long', 'en', { most: '50,000' }));
    }
  });

  it('of a long text loses nothing', async () => {
    const { anna } = scene;
    const text = 'བསྒྲུབས་པའི་རྒྱལ་ཁབ། '.repeat(190).trim();
    const asked = anna.send(anna.chat, { text: `/wylie ${text}` });
    const answers = await scene.everythingAfter(asked, anna);
    expect(answers.length).toBeGreaterThan(1);
    const words = answers.map((answer) => answer.text?.replace(/[ _]/g, '')).join('');
    expect(words).toBe("bsgrubspa'irgyalkhab/".repeat(190));
  });
});

describe('the Wylie of recognised Tibetan', () => {
  /** Somebody whose setting shows it. */
  async function aReader(): Promise<Person> {
    const person = scene.newcomer();
    await scene.set(person, 'wylie', 'on');
    return person;
  }

  it('stands under it where the person wants it, and only there; not under Chinese', async () => {
    const reader = await aReader();
    const answer = await scene.answerTo(await sendPage(reader, reader.chat, 'བོད་ཡིག\nང་ཚོ།'));
    expect(answer.text).toBe('བོད་ཡིག\nང་ཚོ།\n\n🔤 Wylie\nbod yig\nnga tsho/');
    const other = scene.newcomer();
    expect((await scene.answerTo(await sendPage(other, other.chat, 'བོད་ཡིག\nང་ཚོ།'))).text).toBe('བོད་ཡིག\nང་ཚོ།');
    expect((await scene.answerTo(await sendPage(reader, reader.chat, '中文', 'zh'))).text).toBe('中文');
  });

  it('is not spoken, translated or copied with it', async () => {
    const reader = await aReader();
    const text = newTibetan();
    const answer = await scene.answerTo(await sendPage(reader, reader.chat, text));
    expect(answer.text).toContain('🔤 Wylie');
    const copied = answer.reply_markup?.inline_keyboard.flat().find(({ copy_text }) => copy_text)?.copy_text;
    expect(copied?.text).toBe(text);
    const asked = () => scene.service.calls.at(-1)?.parameters.inputText;
    await reader.press(answer, 'translate');
    await scene.answerTo(answer);
    expect(asked()).toBe(text);
    await reader.press(answer, 'speak:amdo');
    await scene.answerTo(answer, isVoice);
    expect(asked()).toBe(text);
    const command = reader.send(reader.chat, { text: '/speak khampa', replyTo: answer });
    expect((await scene.answerTo(command, isVoice)).caption).not.toContain('Wylie');
  });

  it('comes in messages of its own where one does not hold both', async () => {
    const reader = await aReader();
    const text = 'བསྒྲུབས་པའི་རྒྱལ་ཁབ།\n'.repeat(140).trim();
    const sent = await sendPage(reader, reader.chat, text);
    const [recognised, wylie] = await scene.everythingAfter(sent, reader);
    expect(recognised?.text).toBe(text);
    expect(wylie?.text?.match(/bsgrubs pa'i rgyal khab\//g)).toHaveLength(140);
    expect(wylie?.text).not.toContain('🔤');
  });

  it('stands once under an album, by its numbers', async () => {
    const reader = await aReader();
    const [first] = await sendPhotos(reader, reader.chat, 2);
    const answer = await scene.answerTo(first, ({ text }) => text?.startsWith('1.') === true);
    expect(answer.text).toMatch(/^1\.\n.+\n\n2\.\n.+\n\n🔤 Wylie\n1\.\n[ -~\n]+\n\n2\.\n[ -~\n]+$/su);
  });
});

describe('a text typed in Wylie', () => {
  it('is shown in Tibetan and then translated by /chinese, for one paid call', async () => {
    const { anna } = scene;
    const paid = await scene.paidBy(async () => {
      const asked = anna.send(anna.chat, { text: '/chinese bkra shis bde legs/ 602' });
      const [understood, translation, ...more] = await scene.everythingAfter(asked, anna);
      expect(understood?.text).toBe('བཀྲ་ཤིས་བདེ་ལེགས། ༦༠༢');
      expect(translation?.text).toSatisfy(hasChinese);
      expect(more).toEqual([]);
    });
    expect(paid).toBe(1);
  });

  it('with signs of Sanskrit is pronounced by /phonetics, too', async () => {
    const answer = await scene.ask(scene.newcomer(), '/phonetics oM ma Ni pad+me hU~M');
    expect(answer.text).toMatch(/\nom mani .+ hung$/);
  });

  it('also as a message replied to', async () => {
    const { anna } = scene;
    const said = anna.send(anna.chat, { text: 'khyed rang gi ming 603' });
    const asked = anna.send(anna.chat, { text: '/chinese', replyTo: said });
    const [understood, translation] = (await scene.everythingAfter(asked, anna)).slice(-2);
    expect(understood?.text).toBe('ཁྱེད་རང་གི་མིང་༦༠༣');
    expect(translation?.text).toSatisfy(hasChinese);
  });

  it.each(['/chinese good morning', '/chinese an API', 'bkra shis bde legs'])(
    '%s is none, and not paid for; the way to say it is is told',
    async (text) => {
      const paid = await scene.paidBy(async () => {
        expect((await scene.ask(scene.newcomer(), text)).text).toBe(says('neither-script-nor-wylie'));
      });
      expect(paid).toBe(0);
    },
  );
});
