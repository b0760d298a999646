/** Which text /speak and /chinese are about: the last one, the message replied to, or a translation of it. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isReplyTo,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  says,
} from './phrases.ts';
import { sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
let person: Person;
beforeEach(() => {
  person = scene.newcomer();
});

/** What answers these words of the person as a reply to a message. */
const reply = (text: string, replyTo: Message) =>
  scene.answerTo(person.send(replyTo.chat, { text, replyTo }));

describe('without a text /speak speaks', () => {
  it('the last result', async () => {
    const translation = await scene.ask(person, newChinese());
    expect((await scene.ask(person, '/speak amdo')).caption).toBe(`🔊 Amdo\n${translation.text}`);
  });

  it('*Hear* speaks the side of the dialect as it was written', async () => {
    const tibetan = newTibetan();
    await scene.ask(person, tibetan, ({ text }) => hasChinese(text));
    const paid = await scene.paidBy(async () => {
      expect((await scene.ask(person, '/speak amdo', isVoice)).caption).toContain(tibetan);
    });
    expect(paid).toBe(1);
  });

  it('the last photo read', async () => {
    const text = newTibetan();
    await scene.answerTo(await sendPage(person, person.chat, text));
    expect((await scene.ask(person, '/speak')).caption).toContain(text);
  });

  it('what was sent where there was nothing to translate', async () => {
    await scene.ask(person, '/tibetan');
    const text = newTibetan();
    await scene.ask(person, text);
    expect((await scene.ask(person, '/speak')).caption).toContain(text);
  });

  it('nothing where there was none, unpaid, and says what to do', async () => {
    const paid = await scene.paidBy(async () => {
      for (const command of ['/speak', '/speak amdo'])
        expect((await scene.ask(person, command)).text).toBe(says('nothing-to-speak'));
    });
    expect(paid).toBe(0);
  });
});

describe('as a reply', () => {
  it.each([
    ['nothing', ''],
    ['an order that cost nothing', '/tibetan '],
    ['one to speak it', '/speak amdo '],
    ['a mention', '@lotsawa_bot '],
    ['both', '@lotsawa_bot /speak amdo '],
    ['an order for another bot', '/tibetan@another_bot '],
  ])('buttons under a text sent with %s are about that text', async (_, order) => {
    const text = newTibetan();
    const said = person.send(person.chat, { text: `${order}${text}` });
    await scene.answerTo(said);
    const voice = await reply('/speak khampa', said);
    expect(voice.caption).toBe(`🔊 Khampa\n${text}`);
    const translation = await reply('/chinese', said);
    expect(scene.lastCall('translation')?.inputText).toBe(text);
    expect(numberOf(translation.text)).toBe(numberOf(text));
    for (const { reply_to_message: to } of [voice, translation]) expect(to?.message_id).toBe(said.message_id);
  });

  it('with a text they are about that', async () => {
    const said = person.send(person.chat, { text: newTibetan() });
    await scene.answerTo(said);
    const text = newTibetan();
    expect(numberOf((await reply(`/chinese ${text}`, said)).text)).toBe(numberOf(text));
  });

  it('to a photo they have it read first, once, and answer under it', async () => {
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
    const text = newTibetan();
    const page = await sendPage(person, group, text);
    const paid = await scene.paidBy(async () => {
      const voice = await reply('/speak amdo', page);
      expect(voice.caption).toBe(`🔊 Amdo\n${text}`);
      const translation = await reply('/chinese', page);
      expect(translation.text).toSatisfy(hasChinese);
      expect(numberOf(translation.text)).toBe(numberOf(text));
      for (const answer of [voice, translation]) expect(answer).toSatisfy(isReplyTo(page));
    });
    expect(paid).toBe(3);
  });

  it('to a photo that is in that language already /tibetan shows what it read', async () => {
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
    const text = newTibetan();
    const page = await sendPage(person, group, text);
    const paid = await scene.paidBy(async () => {
      const asked = person.send(group, { text: '/tibetan', replyTo: page });
      await scene.answerTo(asked);
      const texts = (await scene.everythingAfter(asked, person)).map((answer) => answer.text);
      expect(texts).toEqual([says('already-tibetan'), text]);
    });
    expect(paid).toBe(1);
  });

  it.each([
    ['', 'no caption'],
    ['བོད་ཡིག', 'a caption that only names its language'],
  ])('to a photo without text (and %s: %s) they say so', async (caption) => {
    const page = await sendPage(person, person.chat, '', caption);
    await scene.answerTo(page);
    for (const command of ['/speak', '/chinese'])
      expect((await reply(command, page)).text).toBe(says('nothing-found-tibetan'));
  });

  it('to a photo without text they are about what was written under it', async () => {
    const caption = newTibetan();
    const page = await sendPage(person, person.chat, '', caption);
    await scene.answerTo(page);
    expect((await reply('/speak amdo', page)).caption).toBe(`🔊 Amdo\n${caption}`);
    expect(numberOf((await reply('/chinese', page)).text)).toBe(numberOf(caption));
  });

  it('to a voice note of the bot they are about the text that it speaks', async () => {
    const text = newTibetan();
    const amdo = await scene.ask(person, `/speak amdo ${text}`, isVoice);
    expect((await reply('/speak khampa', amdo)).caption).toBe(`🔊 Khampa\n${text}`);
    await reply('/chinese', amdo);
    expect(scene.lastCall('translation')?.inputText).toBe(text);
  });

  it('buttons under a long voice note are about all of it', async () => {
    const long = `${'བཀྲ་ཤིས་བདེ་ལེགས། '.repeat(10)}མཐའ།`;
    const amdo = await scene.ask(person, `/speak amdo ${long}`, isVoice);
    expect(amdo.caption).toMatch(/^🔊 Amdo\nབཀྲ་ཤིས.{30,60}…$/u);
    await scene.ask(person, newTibetan());
    await reply('/speak khampa', amdo);
    expect(scene.lastCall('speech')?.inputText).toBe(long);

    person = scene.newcomer({ forbidsVoice: true });
    const lines = `${newTibetan()}\nཕྲེང་གཉིས་པ།`;
    const file = await scene.ask(person, `/speak amdo ${lines}`);
    expect(file.caption).toBe(`${says('voice-forbidden')}\n\n🔊 Amdo\n${lines.split('\n')[0]}…`);
    await scene.ask(person, newTibetan());
    await reply('/speak khampa', file);
    expect(scene.lastCall('speech')?.inputText).toBe(lines);
  });

  it('to something without words they say what they need, unpaid', async () => {
    const sticker = person.sendOther(person.chat, 'sticker');
    await scene.answerTo(sticker);
    const paid = await scene.paidBy(async () => {
      expect((await reply('/speak', sticker)).text).toBe(says('nothing-to-speak'));
      expect((await reply('/tibetan', sticker)).text).toBe(says('neither-script'));
    });
    expect(paid).toBe(0);
  });
});

describe('a text in the other language', () => {
  it.each([
    ['amdo', 5, newChinese(), hasTibetan],
    ['chinese', 1, newTibetan(), hasChinese],
  ])(
    'is translated before /speak %s, for two paid calls, and shown in the caption',
    async (variety, lang, text, isRight) => {
      const paid = await scene.paidBy(async () => {
        const { caption = '' } = await scene.ask(person, `/speak ${variety} ${text}`, isVoice);
        const [heading, spoken] = caption.split('\n');
        expect(heading).toBe(`🔊 ${says(variety)}`);
        expect(spoken).toSatisfy(isRight);
        expect(numberOf(spoken)).toBe(numberOf(text));
        expect(scene.lastCall('speech')).toMatchObject({ lang, inputText: spoken });
      });
      expect(paid).toBe(2);
    },
  );

  it('that gets longer than a caption comes as a message too, whole and with buttons', async () => {
    const asked = person.send(person.chat, { text: `/speak amdo ${'好'.repeat(400)}` });
    const voice = await scene.answerTo(asked, isVoice);
    expect(voice.caption?.length).toBeLessThanOrEqual(80);
    const message = (await scene.everythingAfter(asked, person)).find((sent) => hasTibetan(sent.text));
    expect(message?.text).toBe(scene.lastCall('speech')?.inputText);
    expect(buttonsOf(message ?? voice)).toContain('speak:khampa');
  });
});

it('a text above is told by its first line in each dialect', async () => {
  const text = `${newTibetan()}།\nཕྲེང་གཉིས་པ།\nཕྲེང་གསུམ་པ།`;
  const page = await sendPage(person, person.chat, text);
  const read = await scene.answerTo(page);
  for (const dialect of ['utsang', 'khampa', 'amdo']) {
    await person.press(read, `speak:${dialect}`);
    const voice = await scene.answerTo(read, ({ caption }) => caption?.includes(says(dialect)) === true);
    expect(voice.caption).toBe(`🔊 ${says(dialect)}\n${text.split('\n')[0]}…`);
  }
  expect((await reply('/speak', page)).caption).toBe(`🔊 ${says('utsang')}\n${text}`);
});
