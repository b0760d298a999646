/** A photo whose caption is a command: what the command asks is done with that photo. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import { buttonsOf, hasChinese, isVoice, newTibetan, numberOf, says } from './phrases.ts';
import { aJpeg, sendPage, wordsIn } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
/** The bot sees in it only what is meant for it. */
let group: Group;
beforeAll(async () => {
  scene = await startScene();
  group = scene.telegram.world.addGroup({ title: 'Readers', members: [scene.anna], type: 'supergroup' });
});
afterAll(() => scene.close());

async function send(where: 'private' | 'group', text: string, caption: string): Promise<Message> {
  const { anna } = scene;
  return sendPage(anna, where === 'private' ? anna.chat : group, text, caption);
}

describe.each(['private', 'group'] as const)('in a chat (%s)', (where) => {
  it('/speak amdo speaks what stands in the photo', async () => {
    const text = newTibetan();
    const paid = await scene.paidBy(async () => {
      const sent = await send(where, text, '/speak amdo');
      const voice = await scene.answerTo(sent, isVoice);
      expect(voice.caption).toContain(says('amdo'));
      expect(numberOf(voice.caption)).toBe(numberOf(text));
      expect(voice.reply_to_message?.message_id).toBe(sent.message_id);
    });
    expect(paid).toBe(2);
  });

  it('/chinese translates it', async () => {
    const text = newTibetan();
    const sent = await send(where, text, '/chinese@lotsawa_bot');
    const answer = await scene.answerTo(sent, ({ text }) => hasChinese(text));
    expect(numberOf(answer.text)).toBe(numberOf(text));
    expect(buttonsOf(answer)).toContain('speak:chinese');
  });

  it('/ocr zh reads it as Chinese, for this once', async () => {
    const { anna, telegram } = scene;
    const chat = where === 'private' ? anna.chat : group;
    const sent = await anna.sendPhoto(chat, await aJpeg(), { caption: '/ocr zh' });
    const answer = await scene.answerTo(sent);
    expect(answer.text).toBe(await wordsIn(telegram, sent, 'zh'));
    const plain = await anna.sendPhoto(anna.chat, await aJpeg());
    expect((await scene.answerTo(plain)).text).toBe(await wordsIn(telegram, plain, 'bo'));
  });
});

it('a command with a text of its own is about that text', async () => {
  const text = newTibetan();
  const paid = await scene.paidBy(async () => {
    const answer = await scene.answerTo(await send('private', newTibetan(), `/chinese ${text}`));
    expect(numberOf(answer.text)).toBe(numberOf(text));
  });
  expect(paid).toBe(1);
});

it('a command for another bot is not answered in a group, whose members talk to that one', async () => {
  const loud = scene.telegram.world.addGroup({ title: 'Loud', members: [scene.anna], privacyMode: false });
  const paid = await scene.paidBy(async () => {
    const sent = await scene.anna.sendPhoto(loud, await aJpeg(), { caption: '/ocr@other_bot zh' });
    expect(await scene.everythingAfter(sent, scene.anna)).toEqual([]);
  });
  expect(paid).toBe(0);
});
