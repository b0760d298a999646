/** What /speak speaks: the last text, the message replied to, or a translation of it. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isProgress,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  says,
} from './phrases.ts';
import { sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeEach(() => scene.service.faults.clear());

/** service-interface §4.4. */
const LANG = { utsang: 0, chinese: 1, khampa: 4, amdo: 5 };

describe('without a text', () => {
  it('it speaks the last result', async () => {
    const person = scene.newcomer();
    const translation = await scene.ask(person, newChinese());
    const asked = person.send(person.chat, { text: '/speak amdo' });
    expect((await scene.answerTo(asked)).caption).toBe(`🔊 Amdo\n${translation.text}`);
  });

  it('it speaks the last photo read', async () => {
    const person = scene.newcomer();
    const text = newTibetan();
    await scene.answerTo(await sendPage(person, person.chat, text));
    expect((await scene.ask(person, '/speak')).caption).toContain(text);
  });

  it('it speaks what was sent where there was nothing to translate', async () => {
    const person = scene.newcomer();
    await scene.ask(person, '/tibetan');
    const text = newTibetan();
    await scene.ask(person, text);
    expect((await scene.ask(person, '/speak')).caption).toContain(text);
  });

  it('and without a last text it says what to do, unpaid', async () => {
    const paid = await scene.paidBy(async () => {
      expect((await scene.ask(scene.newcomer(), '/speak')).text).toBe(says('nothing-to-speak'));
      expect((await scene.ask(scene.newcomer(), '/speak amdo')).text).toBe(says('nothing-to-speak'));
    });
    expect(paid).toBe(0);
  });
});

describe('as a reply', () => {
  it('to a text it speaks that text, under it', async () => {
    const person = scene.newcomer();
    const text = newTibetan();
    const said = person.send(person.chat, { text });
    await scene.answerTo(said);
    const voice = await scene.answerTo(person.send(person.chat, { text: '/speak khampa', replyTo: said }));
    expect(voice.reply_to_message?.message_id).toBe(said.message_id);
    expect(scene.lastCall('speech')).toMatchObject({ lang: LANG.khampa, inputText: text });
  });

  it.each(['/speak amdo ', '/speak ', '/tibetan ', '@lotsawa_bot '])(
    'to a text that was sent with %s it speaks the text alone',
    async (request) => {
      const person = scene.newcomer();
      const text = newTibetan();
      const said = person.send(person.chat, { text: `${request}${text}` });
      await scene.answerTo(said);
      const asked = person.send(person.chat, { text: '/speak khampa', replyTo: said });
      expect((await scene.answerTo(asked, isVoice)).caption).toBe(`🔊 Khampa\n${text}`);
    },
  );

  it('to a photo it reads the photo first and shows what it says', async () => {
    const person = scene.newcomer();
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
    const text = newTibetan();
    const sent = await sendPage(person, group, text);
    const paid = await scene.paidBy(async () => {
      const asked = person.send(group, { text: '/speak amdo', replyTo: sent });
      const voice = await scene.answerTo(asked, isVoice);
      expect(voice.caption).toBe(`🔊 Amdo\n${text}`);
      expect(voice.reply_to_message?.message_id).toBe(sent.message_id);
    });
    expect(paid).toBe(2);
  });

  it('to a photo without text it says so', async () => {
    const person = scene.newcomer();
    const sent = await sendPage(person, person.chat, '');
    await scene.answerTo(sent);
    const answer = await scene.answerTo(person.send(person.chat, { text: '/speak', replyTo: sent }));
    expect(answer.text).toBe(says('nothing-found-tibetan'));
  });

  it('to a photo without text it speaks what was written under it', async () => {
    const person = scene.newcomer();
    const caption = newTibetan();
    const sent = await sendPage(person, person.chat, '', caption);
    await scene.answerTo(sent);
    const asked = person.send(person.chat, { text: '/speak amdo', replyTo: sent });
    expect((await scene.answerTo(asked)).caption).toBe(`🔊 Amdo\n${caption}`);
  });

  it('to a voice note of the bot it speaks the same text in another dialect', async () => {
    const person = scene.newcomer();
    const text = newTibetan();
    const amdo = await scene.ask(person, `/speak amdo ${text}`, isVoice);
    const khampa = await scene.answerTo(person.send(person.chat, { text: '/speak khampa', replyTo: amdo }));
    expect(khampa.caption).toBe(`🔊 Khampa\n${text}`);
  });

  it('to a voice note of a long text it speaks all of that text', async () => {
    const person = scene.newcomer();
    const text = `${'བཀྲ་ཤིས་བདེ་ལེགས། '.repeat(70)}མཐའ།`;
    const amdo = await scene.ask(person, `/speak amdo ${text}`, isVoice);
    expect(amdo.caption).toMatch(/^🔊 Amdo\nབཀྲ་ཤིས.{30,60}…$/u);
    await scene.ask(person, newTibetan());
    await scene.answerTo(person.send(person.chat, { text: '/speak khampa', replyTo: amdo }));
    expect(scene.lastCall('speech')).toMatchObject({ lang: LANG.khampa, inputText: text });
  });

  it('to such a note in an audio file, where voice messages are forbidden, likewise', async () => {
    const person = scene.newcomer({ forbidsVoice: true });
    const text = `${newTibetan()}\nཕྲེང་གཉིས་པ།`;
    const amdo = await scene.ask(person, `/speak amdo ${text}`);
    expect(amdo.caption).toBe(`${says('voice-forbidden')}\n\n🔊 Amdo\n${text.split('\n')[0]}…`);
    await scene.ask(person, newTibetan());
    await scene.answerTo(person.send(person.chat, { text: '/speak khampa', replyTo: amdo }));
    expect(scene.lastCall('speech')).toMatchObject({ lang: LANG.khampa, inputText: text });
  });

  it('to something without words it says what to do', async () => {
    const person = scene.newcomer();
    const sticker = person.sendOther(person.chat, 'sticker');
    await scene.answerTo(sticker);
    const answer = await scene.answerTo(person.send(person.chat, { text: '/speak', replyTo: sticker }));
    expect(answer.text).toBe(says('nothing-to-speak'));
  });
});

describe('a text in the other language', () => {
  it('is translated first, for two paid calls, and shown in the caption', async () => {
    const person = scene.newcomer();
    const text = newChinese();
    const asked = person.send(person.chat, { text: `/speak amdo ${text}` });
    const paid = await scene.paidBy(async () => {
      const voice = await scene.answerTo(asked, isVoice);
      expect(voice.caption).toMatch(/^🔊 Amdo\n/);
      expect(voice.caption).toSatisfy(hasTibetan);
      expect(numberOf(voice.caption)).toBe(numberOf(text));
      expect(scene.lastCall('speech')?.inputText).toBe(voice.caption?.replace('🔊 Amdo\n', ''));
    });
    expect(paid).toBe(2);
  });

  it('and the reverse', async () => {
    const voice = await scene.ask(scene.newcomer(), `/speak chinese ${newTibetan()}`, isVoice);
    expect(voice.caption).toSatisfy(hasChinese);
    expect(scene.lastCall('speech')?.lang).toBe(LANG.chinese);
  });

  it('shows how far it is, in one message that goes away', async () => {
    const endCall = scene.service.faults.hold('translation');
    const person = scene.newcomer();
    const asked = person.send(person.chat, { text: `/speak amdo ${newChinese()}` });
    const count = await scene.answerTo(asked, isProgress);
    expect(count.text).toContain('/2');
    endCall();
    await scene.answerTo(asked, isVoice);
    await scene.telegram.world.waitUntil(() => scene.telegram.world.message(count) === undefined);
  });

  it('that gets longer than a caption comes as a message too, whole and with buttons', async () => {
    const person = scene.newcomer();
    const text = '好'.repeat(400);
    const asked = person.send(person.chat, { text: `/speak amdo ${text}` });
    const voice = await scene.answerTo(asked, isVoice);
    expect(voice.caption?.length).toBeLessThanOrEqual(80);
    const message = (await scene.everythingAfter(asked, person)).find((sent) => hasTibetan(sent.text));
    expect(message?.text).toBe(scene.lastCall('speech')?.inputText);
    expect(buttonsOf(message ?? voice)).toContain('speak:khampa');
  });
});

it('a text that stands above is told by its first line in each dialect, one read on the way is shown whole', async () => {
  const person = scene.newcomer();
  const text = `${newTibetan()}།\nཕྲེང་གཉིས་པ།\nཕྲེང་གསུམ་པ།`;
  const sent = await sendPage(person, person.chat, text);
  const read = await scene.answerTo(sent);
  for (const dialect of ['utsang', 'khampa', 'amdo']) {
    await person.press(read, `speak:${dialect}`);
    const voice = await scene.answerTo(read, ({ caption }) => caption?.includes(says(dialect)) === true);
    expect(voice.caption).toBe(`🔊 ${says(dialect)}\n${text.split('\n')[0]}…`);
  }
  const asked = person.send(person.chat, { text: '/speak', replyTo: sent });
  expect((await scene.answerTo(asked, isVoice)).caption).toBe(`🔊 ${says('utsang')}\n${text}`);
});

it('after a translation the side that the dialect speaks is spoken as it was written, not translated back', async () => {
  const person = scene.newcomer();
  const tibetan = newTibetan();
  await scene.ask(person, tibetan, ({ text }) => hasChinese(text));
  const paid = await scene.paidBy(async () => {
    const voice = await scene.ask(person, '/speak amdo', isVoice);
    expect(voice.caption).toContain(tibetan);
  });
  expect(paid).toBe(1);
});
