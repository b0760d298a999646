/** A reply to a part that its person has chosen means that part, whatever is asked about it. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { hasChinese, isVoice, newTibetan, says } from './phrases.ts';
import { sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

/** A friend's message in a group with the person. */
function saidTo(person: Person, text: string): Message {
  const friend = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person, friend] });
  return friend.send(group, { text });
}

/** What answers words that quote a part of a message. */
async function about(said: Message, quote: string, { person, text }: { person: Person; text: string }) {
  const asked = person.send(said.chat, { text, replyTo: said, quote });
  return scene.answerTo(asked, (answer) => answer.voice !== undefined || answer.text !== undefined);
}

describe('a quoted part', () => {
  it('is what is translated, spoken, transliterated and shown by its sound', async () => {
    const person = scene.newcomer();
    const said = saidTo(person, 'བཀྲ་ཤིས། བདེ་ལེགས། བོད་ཡིག');
    const part = 'བདེ་ལེགས།';
    expect((await about(said, part, { person, text: '/wylie' })).text).toBe('bde legs/');
    expect((await about(said, part, { person, text: '/phonetics' })).text?.split('\n')).toHaveLength(2);
    expect((await about(said, part, { person, text: '/chinese' })).text).toSatisfy(hasChinese);
    expect(scene.lastCall('translation')?.inputText).toBe(part);
    expect(await about(said, part, { person, text: '/speak amdo' })).toSatisfy(isVoice);
    expect(scene.lastCall('speech')?.inputText).toBe(part);
    expect((await about(said, 'བོད་ཡིག', { person, text: '@lotsawa_bot' })).text).toSatisfy(hasChinese);
    expect(scene.lastCall('translation')?.inputText).toBe('བོད་ཡིག');
  });

  it('may be half a syllable', async () => {
    const person = scene.newcomer();
    const said = saidTo(person, 'བཀྲ་ཤིས་བདེ་ལེགས།');
    const half = 'ྲ་ཤི';
    expect((await about(said, half, { person, text: '/chinese' })).text).toSatisfy(hasChinese);
    expect(scene.lastCall('translation')?.inputText).toBe(half);
    expect(await about(said, half, { person, text: '/speak' })).toSatisfy(isVoice);
    expect((await about(said, half, { person, text: '/wylie' })).text).toBeTruthy();
  });

  it('is meant by a question in another language: in private, and beside a mention also about an own answer', async () => {
    const person = scene.newcomer();
    const answer = await scene.ask(person, `${newTibetan()} ${newTibetan()}`);
    const part = answer.text?.slice(0, 4) ?? '';
    const asked = { person, text: 'what does this say?' };
    await about(answer, part, asked);
    expect(scene.lastCall('translation')?.inputText).toBe(part);
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
    const translated = await scene.answerTo(person.send(group, { text: `/chinese ${newTibetan()}` }));
    const piece = translated.text?.slice(0, 3) ?? '';
    await about(translated, piece, { person, text: '@lotsawa_bot and this?' });
    expect(scene.lastCall('translation')?.inputText).toBe(piece);
    // Without a quote as before.
    const plain = person.send(person.chat, { text: 'what does this say?', replyTo: answer });
    expect((await scene.answerTo(plain)).text).toBe(says('neither-script'));
  });

  it('of a caption keeps nobody from reading its picture', async () => {
    const person = scene.newcomer();
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
    const photo = await sendPage(person, group, 'བོད་ཡིག 66', 'བཀྲ་ཤིས། བདེ་ལེགས།');
    expect((await about(photo, 'བདེ་ལེགས།', { person, text: '/ocr' })).text).toContain('66');
  });
});
