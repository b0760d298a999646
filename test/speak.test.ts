/** /speak: a voice note in a Tibetan dialect or in Chinese. */
import { beforeEach, describe, expect, it } from 'vitest';
import { probe } from './media/speech.ts';
import { buttonsOf, hasTibetan, isVoice, newChinese, newTibetan, says, TIBETAN } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeEach(() => scene.service.faults.clear());

/** service-interface §4.4. */
const LANG = { utsang: 0, chinese: 1, khampa: 4, amdo: 5 };

it('a voice note is OGG/Opus, mono, 48 kHz, of its speech’s length', async () => {
  const { anna } = scene;
  scene.service.faults.torn = true;
  const text = newTibetan();
  const asked = anna.send(anna.chat, { text: `/speak amdo ${text}` });
  const paid = await scene.paidBy(async () => {
    const { voice, reply_to_message, caption } = await scene.answerTo(asked);
    expect(reply_to_message?.message_id).toBe(asked.message_id);
    expect(caption).toBe(`🔊 Amdo\n${text}`);
    const note = probe(scene.telegram.world.fileBytes(voice?.file_id ?? ''));
    expect(note).toMatchObject({
      container: 'ogg',
      codec: 'opus',
      channels: 1,
      sampleRate: 48_000,
      streams: 1,
    });
    // The quick engine speaks 60 ms for each code point.
    const seconds = [...text].length * 0.06;
    expect(note.seconds).toBeCloseTo(seconds, 1);
    expect(voice?.duration).toBe(Math.round(seconds));
  });
  expect(paid).toBe(1);
  expect(scene.lastCall('speech')).toMatchObject({ lang: LANG.amdo, vcn: '', inputText: text });
});

it.each([
  ['Ü-Tsang', newTibetan(), LANG.utsang, ''],
  ['康巴', newTibetan(), LANG.khampa, ''],
  ['ཨ་མདོ', newTibetan(), LANG.amdo, ''],
  ['普通话', newChinese(), LANG.chinese, 'xiaoxiao'],
])('/speak %s speaks a text so', async (word, text, lang, vcn) => {
  await scene.ask(scene.anna, `/speak ${word} ${text}`, isVoice);
  expect(scene.lastCall('speech')).toMatchObject({ lang, vcn, inputText: text });
});

it('/Speak@Lotsawa_Bot with the text on the next line is heard', async () => {
  const text = newTibetan();
  await scene.ask(scene.anna, `/Speak@Lotsawa_Bot khampa\n${text}`, isVoice);
  expect(scene.lastCall('speech')).toMatchObject({ lang: LANG.khampa, inputText: text });
});

it('an unknown word is the beginning of the text', async () => {
  await scene.ask(scene.anna, `/speak golok ${TIBETAN} 2001`, isVoice);
  expect(scene.lastCall('speech')).toMatchObject({ lang: LANG.utsang, inputText: `golok ${TIBETAN} 2001` });
});

it('without a variety Tibetan is spoken in the dialect chosen, Chinese in the voice chosen', async () => {
  const person = scene.newcomer();
  await scene.ask(person, `/speak ${newTibetan()}`, isVoice);
  expect(scene.lastCall('speech')?.lang).toBe(LANG.utsang);
  await scene.ask(person, '/dialect amdo');
  await scene.ask(person, `/speak ${newTibetan()}`, isVoice);
  expect(scene.lastCall('speech')?.lang).toBe(LANG.amdo);
  await scene.ask(person, '/voice yunjian');
  await scene.ask(person, `/speak ${newChinese()}`, isVoice);
  expect(scene.lastCall('speech')).toMatchObject({ lang: LANG.chinese, vcn: 'yunjian' });
});

describe('/speak all', () => {
  const order = `🔊 ${['utsang', 'khampa', 'amdo'].map((id) => says(id)).join(' → ')}\n`;

  it('speaks the three dialects one after another in one voice note', async () => {
    const person = scene.newcomer();
    const text = newTibetan();
    const asked = person.send(person.chat, { text: `/speak 所有方言 ${text}` });
    const paid = await scene.paidBy(async () => {
      const note = await scene.answerTo(asked, isVoice);
      expect(note.caption).toBe(`${order}${text}`);
      const { seconds, streams } = probe(scene.telegram.world.fileBytes(note.voice?.file_id ?? ''));
      const spoken = 3 * [...text].length * 0.06;
      expect(streams).toBe(1);
      // Two pauses between them.
      expect(seconds).toBeGreaterThan(spoken + 1);
      expect(seconds).toBeLessThan(spoken + 2);
      expect((await scene.everythingAfter(asked, person)).filter(isVoice)).toHaveLength(1);
    });
    expect(paid).toBe(3);
    const calls = scene.service.calls.filter(({ kind }) => kind === 'speech').slice(-3);
    expect(new Set(calls.map(({ parameters }) => parameters.lang))).toEqual(new Set([0, 4, 5]));
  });

  it('of a long text tells when each dialect begins', async () => {
    const text = `${newTibetan()} ${'བོད་ཡིག་'.repeat(50)}`;
    const note = await scene.ask(scene.newcomer(), `/speak all ${text}`, isVoice);
    const seconds = [...text].length * 0.06;
    const at = (time: number) => `0:${String(Math.floor(time)).padStart(2, '0')}`;
    expect(note.caption?.split('\n')[0]).toBe(
      `🔊 0:00 Ü-Tsang → ${at(seconds + 0.6)} Khampa → ${at(2 * (seconds + 0.6))} Amdo`,
    );
    const { anna } = scene;
    const replyTo = anna.forward(note, anna.chat);
    const replied = await scene.answerTo(anna.send(anna.chat, { text: '/speak amdo', replyTo }), isVoice);
    expect(replied.caption).toContain('🔊 Amdo\n');
  });

  it('is paid for and uploaded once, and each dialect of it is kept by itself', async () => {
    const text = newTibetan();
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      await scene.ask(person, `/speak amdo ${text}`, isVoice);
      await scene.ask(person, `/speak all ${text}`, isVoice);
      await scene.atRest();
      await scene.ask(scene.anna, `/speak all ${text}`, isVoice);
      const sent = scene.telegram.calls.findLast(({ method }) => method === 'sendVoice');
      expect(sent?.payload.voice).toBeTypeOf('string');
      await scene.ask(person, `/speak khampa ${text}`, isVoice);
    });
    expect(paid).toBe(3);
  });

  it('translates a Chinese text first', async () => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      const note = await scene.ask(person, `/speak all ${newChinese()}`, isVoice);
      expect(note.caption).toContain(order);
      expect(note.caption).toSatisfy(hasTibetan);
    });
    expect(paid).toBe(4);
  });
});

it('a text in neither script cannot be spoken: told so, unpaid', async () => {
  const paid = await scene.paidBy(async () => {
    expect((await scene.ask(scene.newcomer(), '/speak amdo hello')).text).toBe(says('neither-script'));
    const wylie = await scene.ask(scene.newcomer(), '/speak amdo bkra shis bde legs');
    expect(wylie.text).toBe(says('neither-script-nor-wylie'));
  });
  expect(paid).toBe(0);
});

it('links, names, tags and emoji are not spoken, nor paid for', async () => {
  const person = scene.newcomer();
  const text = newTibetan();
  const adorned = `📢 ${text} @lotsawa_bot #བོད་ཡིག\nhttps://a.cn/西藏?b=1`;
  const note = await scene.ask(person, `/speak amdo ${adorned}`, isVoice);
  expect(note.caption).toContain('@lotsawa_bot');
  expect(scene.lastCall('speech')).toMatchObject({ lang: LANG.amdo, inputText: text });
  const paid = await scene.paidBy(async () => {
    expect((await scene.ask(person, `/speak amdo ${text} 🙏`, isVoice)).voice?.duration).toBe(
      note.voice?.duration,
    );
    expect((await scene.ask(person, '/speak https://a.cn #西藏 @a_name')).text).toBe(says('only-links'));
  });
  expect(paid).toBe(0);
});

describe('slower', () => {
  it('*Slower* makes the note a third longer, unpaid and kept', async () => {
    const person = scene.newcomer();
    const text = `${newTibetan()} ${'བོད་ཡིག '.repeat(30)}`;
    const note = await scene.ask(person, `/speak amdo ${text}`, isVoice);
    const paid = await scene.paidBy(async () => {
      await person.press(note, 'slow:amdo');
      const slow = await scene.answerTo(note, isVoice);
      expect(slow.caption).toContain('🔊 Amdo · 0.75 ×\n');
      expect(slow.reply_to_message?.message_id).toBe(note.message_id);
      expect(buttonsOf(slow)).toEqual([]);
      const { seconds, ...how } = probe(scene.telegram.world.fileBytes(slow.voice?.file_id ?? ''));
      expect(how).toEqual({ streams: 1, container: 'ogg', codec: 'opus', channels: 1, sampleRate: 48_000 });
      expect(seconds).toBeCloseTo(([...text.trim()].length * 0.06) / 0.75, 1);
      expect(slow.voice?.duration).toBe(Math.round(seconds));
      const again = await scene.ask(person, `/speak slow amdo ${text}`, isVoice);
      expect(again.voice?.file_unique_id).toBe(slow.voice?.file_unique_id);
    });
    expect(paid).toBe(0);
  });

  it('/speak slow keeps the note’s voice, and its dialects', async () => {
    const person = scene.newcomer();
    const note = await scene.ask(person, `/speak ${newChinese()}`, isVoice);
    await scene.ask(person, '/voice yunjian');
    const all = await scene.ask(person, `/speak all ${newTibetan()}`, isVoice);
    const paid = await scene.paidBy(async () => {
      await person.press(note, 'slow:xiaoxiao');
      expect((await scene.answerTo(all, isVoice)).caption).toContain('🔊 Chinese · 0.75 ×\n');
      await person.press(all, 'slow:all');
      const slow = await scene.answerTo(
        all,
        (answer) => isVoice(answer) && answer.reply_to_message?.message_id === all.message_id,
      );
      expect(slow.caption).toContain('Amdo · 0.75 ×\n');
    });
    expect(paid).toBe(0);
    expect((await scene.ask(person, '/speak khampa slowly', isVoice)).caption).toContain(
      '🔊 Khampa · 0.75 ×\n',
    );
  });
});

it('a text too long for one call becomes one voice note', async () => {
  const person = scene.newcomer();
  const text = `${'བཀྲ་ཤིས།'.repeat(380)}`;
  expect([...text].length).toBeGreaterThan(3000);
  const asked = person.send(person.chat, { text: `/speak ${text}` });
  const paid = await scene.paidBy(async () => {
    const voice = await scene.answerTo(asked, isVoice);
    expect(voice.voice?.duration).toBe(Math.round([...text].length * 0.06));
    const sent = await scene.everythingAfter(asked, person);
    expect(sent.filter(isVoice)).toHaveLength(1);
  });
  expect(paid).toBe(2);
  const pieces = scene.service.calls.filter(({ kind }) => kind === 'speech').slice(-2);
  expect(pieces.map(({ parameters }) => parameters.inputText).join('')).toBe(text);
});

it('the chat shows the recording, then the upload, of a note', async () => {
  const endSpeech = scene.service.faults.hold('speech');
  const endSending = scene.telegram.faults.hold('sendVoice');
  const person = scene.newcomer();
  const asked = person.send(person.chat, { text: `/speak amdo ${newTibetan()}` });
  const { world } = scene.telegram;
  await world.waitUntil(() => world.chatAction(person.chat) === 'record_voice');
  endSpeech();
  await world.waitUntil(() => world.chatAction(person.chat) === 'upload_voice');
  endSending();
  await scene.answerTo(asked, isVoice);
});
