/** In groups the bot answers what is meant for it, and nothing else. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message, MessageEntity } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import {
  hasChinese,
  hasTibetan,
  isProgress,
  isReplyTo,
  isVoice,
  newChinese,
  newTibetan,
  says,
} from './phrases.ts';
import { aJpeg, sendPage, sendPdf, wordsIn } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
let anna: Person;
let pema: Person;
/** The bot sees everything that is said in it. */
let group: Group;
beforeAll(async () => {
  ({ anna } = scene);
  pema = scene.newcomer();
  group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna, pema], privacyMode: false });
});

/** What the bot says in the group after this message, once it has answered everything of its sender. */
async function heardAfter(message: Message, from: Person): Promise<(string | undefined)[]> {
  return (await scene.everythingAfter(message, from)).map(({ text }) => text);
}

it('it is deaf to what is not meant for it', async () => {
  const paid = await scene.paidBy(async () => {
    const said = pema.send(group, { text: newChinese() });
    const first = anna.send(group, { text: newTibetan() });
    await anna.sendPhoto(group, await aJpeg());
    await anna.sendPhoto(group, await aJpeg(), { caption: '/ocr@other_bot' });
    anna.sendOther(group, 'sticker');
    anna.send(group, { text: newTibetan(), replyTo: said });
    for (const text of [
      `@lotsawa_bots ${newTibetan()}`,
      '/speak@other_bot amdo བོད།',
      '/start@other_bot',
      '/nonsense',
    ])
      anna.send(group, { text });
    expect(await heardAfter(first, anna)).toEqual([]);
  });
  expect(paid).toBe(0);
});

it.each([
  ['/chinese', ''],
  ['/chinese@lotsawa_bot', ''],
  ['/chinese', ' in bold'],
])('%s%s is answered as a reply', async (command, style) => {
  const text = `${command} ${newTibetan()}`;
  const entities: MessageEntity[] = [
    { type: 'bold', offset: 0, length: text.length },
    { type: 'bot_command', offset: 0, length: command.length },
  ];
  const asked = anna.send(group, { text, ...(style !== '' && { entities }) });
  const answer = await scene.answerTo(asked);
  expect(answer.text).toSatisfy(hasChinese);
  expect(answer.reply_to_message?.message_id).toBe(asked.message_id);
});

it('a command after a mention of the bot is one', async () => {
  const circle = scene.telegram.world.addGroup({ title: 'Circle', members: [anna], privacyMode: false });
  const asked = anna.send(circle, { text: `@lotsawa_bot /speak amdo ${newTibetan()}` });
  expect(await scene.answerTo(asked)).toSatisfy(isVoice);
  const others = anna.send(circle, { text: `@other_bot /speak amdo ${newTibetan()}` });
  expect(await heardAfter(others, anna)).toEqual([]);
});

it('a reply to the bot is translated or read, in reply', async () => {
  const question = anna.send(group, { text: '/help' });
  const help = await scene.answerTo(question);
  expect(help.text).toBe(says('help'));
  expect(help.reply_to_message?.message_id).toBe(question.message_id);
  const text = pema.send(group, { text: newChinese(), replyTo: help });
  const photo = await pema.sendPhoto(group, await aJpeg(), { replyTo: help });
  for (const asked of [text, photo]) {
    const answer = await scene.answerTo(asked, isReplyTo(asked));
    expect(answer.text).toSatisfy(hasTibetan);
  }
});

it.each(['@lotsawa_bot ', '@Lotsawa_Bot, '])(
  'a text with the mention %s is translated without it',
  async (mention) => {
    const answer = await scene.answerTo(anna.send(group, { text: `😀 ${mention}${newTibetan()}` }));
    expect(answer.text).toSatisfy(hasChinese);
    expect(answer.text?.toLowerCase()).not.toContain('lotsawa');
    expect(answer.text).toContain('😀');
  },
);

it.each([
  ['@lotsawa_bot', hasTibetan],
  ['@lotsawa_bot 中文', hasChinese],
  ['/ocr', hasTibetan],
  ['/ocr@lotsawa_bot zh', hasChinese],
])('a photo with the caption %s is read, in the language that it names', async (caption, isRight) => {
  const sent = await anna.sendPhoto(group, await aJpeg(), { caption });
  expect((await scene.answerTo(sent)).text).toSatisfy(isRight);
});

it('called by its name for what it cannot do, it says what it can', async () => {
  const circle = scene.telegram.world.addGroup({ title: 'Callers', members: [anna] });
  const file = { fileName: 'a.zip', mimeType: 'application/zip', caption: '@lotsawa_bot' };
  for (const asked of [
    ...['/nonsense@lotsawa_bot', '@lotsawa_bot /nonsense', '@lotsawa_bot'].map((text) =>
      anna.send(circle, { text }),
    ),
  ])
    expect((await scene.answerTo(asked, isReplyTo(asked))).text).toBe(says('anything-else'));
  const asked = await anna.sendDocument(circle, Buffer.from('PK'), file);
  expect((await scene.answerTo(asked, isReplyTo(asked))).text).toBe(says('document-unknown'));
});

describe('a mention with nothing to translate', () => {
  let readers: Group;
  beforeAll(() => {
    readers = scene.telegram.world.addGroup({ title: 'Asked', members: [anna, pema], privacyMode: false });
  });

  it.each(['@lotsawa_bot', '@lotsawa_bot what does this say?'])(
    'a mention in reply translates or reads that message: %s',
    async (mention) => {
      const text = pema.send(readers, { text: newTibetan() });
      const photo = await pema.sendPhoto(readers, await aJpeg());
      for (const [said, isRight] of [
        [text, hasChinese],
        [photo, hasTibetan],
      ] as const) {
        const answer = await scene.answerTo(anna.send(readers, { text: mention, replyTo: said }));
        expect(answer.text).toSatisfy(isRight);
        expect(answer.reply_to_message?.message_id).toBe(said.message_id);
      }
    },
  );

  it('an order in reply reads a photo or PDF, in each language', async () => {
    const sent = await pema.sendPhoto(readers, await aJpeg());
    const ask = (text: string, replyTo: Message) => anna.send(readers, { text, replyTo });
    for (const words of ['中文', 'the Chinese, please']) {
      const inChinese = await scene.answerTo(ask(`@lotsawa_bot ${words}`, sent));
      expect(inChinese.text).toBe(await wordsIn(scene.telegram, sent, 'zh'));
    }
    const inTibetan = await scene.answerTo(ask('@lotsawa_bot བོད་ཡིག', sent));
    expect(inTibetan.text).toBe(await wordsIn(scene.telegram, sent, 'bo'));

    const pages = [newTibetan(), newTibetan()].map((line) => ({ lines: [line] }));
    const pdf = await sendPdf(pema, readers, pages);
    const chosen = await scene.answerTo(ask('@lotsawa_bot 第2页', pdf));
    expect(chosen.text).toMatch(/^———— 2 ————/);
  });

  it('in reply to the bot itself has nothing translated back', async () => {
    const said = await scene.answerTo(anna.send(readers, { text: `@lotsawa_bot ${newTibetan()}` }));
    const answer = await scene.answerTo(anna.send(readers, { text: 'thanks, @lotsawa_bot', replyTo: said }));
    expect(answer.text).toBe(says('neither-script'));
  });
});

it('settings belong to the person, also in a group', async () => {
  const [one, other] = [scene.newcomer(), scene.newcomer()];
  group.add(one);
  group.add(other);
  await scene.ask(one, '/dialect amdo');
  await scene.answerTo(one.send(group, { text: `/speak ${newTibetan()}` }), isVoice);
  expect(scene.lastCall('speech')?.lang).toBe(5);
  await scene.answerTo(other.send(group, { text: `/speak ${newTibetan()}` }), isVoice);
  expect(scene.lastCall('speech')?.lang).toBe(0);
});

it("an anonymous admin's settings are the chat's", async () => {
  const circle = scene.telegram.world.addGroup({ title: 'Circle', members: [anna], type: 'supergroup' });
  const other = scene.telegram.world.addGroup({ title: 'Other', members: [anna], type: 'supergroup' });
  await scene.answerTo(circle.sendAsAnonymousAdmin({ text: '/dialect amdo' }));
  await scene.answerTo(circle.sendAsAnonymousAdmin({ text: `/speak ${newTibetan()}` }), isVoice);
  expect(scene.lastCall('speech')?.lang).toBe(5);
  await scene.answerTo(other.sendAsAnonymousAdmin({ text: `/speak ${newTibetan()}` }), isVoice);
  expect(scene.lastCall('speech')?.lang).toBe(0);
});

it('a thread of replies is no topic, also in privacy mode', async () => {
  const shy = scene.telegram.world.addGroup({ title: 'Shy', members: [anna], type: 'supergroup' });
  const said = anna.send(shy, { text: newTibetan() });
  const answer = await scene.answerTo(anna.send(shy, { text: '/chinese', replyTo: said }));
  expect(answer.text).toSatisfy(hasChinese);
  const sent = await sendPage(anna, shy, 'བོད།');
  expect((await scene.answerTo(anna.send(shy, { text: '/ocr', replyTo: sent }))).text).toBe('བོད།');
});

it('a group that became a supergroup meanwhile gets its answer there', async () => {
  const small = scene.telegram.world.addGroup({ title: 'Small', members: [anna], type: 'group' });
  const endCall = scene.service.faults.hold('translation');
  anna.send(small, { text: `/chinese ${newTibetan()}` });
  await scene.telegram.world.waitUntil(() => scene.telegram.world.chatAction(small) === 'typing');
  const large = small.upgradeToSupergroup();
  endCall();
  const answer = await scene.telegram.world.waitForMessage(large.chat, ({ text }) => hasChinese(text));
  expect(answer.from?.is_bot).toBe(true);
});

it('a request of an upgraded group is answered there, without a reply', async () => {
  const { telegram, service, bot, restart } = scene;
  const small = telegram.world.addGroup({ title: 'Small', members: [anna], type: 'group' });
  await bot().stop();
  const text = `/chinese ${newTibetan()}\n${'ཀ་'.repeat(1800)}`;
  anna.send(small, { text });
  const large = small.upgradeToSupergroup();
  // Of the numbers that messages had in the small group some are taken in the large one.
  for (let more = 0; more < 5; more += 1) anna.send(large, { text: 'tea?' });
  service.faults.hold('translation', 2);
  await restart();
  await telegram.world.waitForMessage(large, isProgress);
  service.faults.clear();
  const answer = await telegram.world.waitForMessage(large.chat, (said) => hasChinese(said.text));
  expect(answer.reply_to_message).toBeUndefined();
  await telegram.world.waitUntil(() => !telegram.world.messages(large.chat).some(isProgress));
  expect(telegram.calls.some(({ method, errorCode }) => method === 'deleteMessage' && !errorCode)).toBe(true);
});
