/** A forwarded message is text: nobody gives orders by being forwarded. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { buttonsOf, hasChinese, hasTibetan, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { sendPage, sendPages } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { ADMIN_IDS: '42' } });
let admin: Person;
let eve: Person;
/** Where Eve writes what others forward; the bot is not meant there. */
let elsewhere: Group;
beforeAll(async () => {
  admin = scene.newcomer({ id: 42 });
});
beforeEach(() => {
  eve = scene.newcomer();
  elsewhere = aGroup();
});

function aGroup(): Group {
  const people = { members: [eve, admin], admins: [admin], privacyMode: false };
  return scene.telegram.world.addGroup({ title: 'Readers', type: 'supergroup', ...people });
}

/** The admin forwards what Eve wrote. */
const forwards = (text: string, to: Parameters<Person['forward']>[1] = admin.chat): Message =>
  admin.forward(eve.send(elsewhere, { text }), to);

it.each([
  '/pause closed',
  '/forget',
  '/start settings',
  '/lang zh',
  '/listen on',
  '/nonsense',
  '@lotsawa_bot',
])('in a private chat %s is a text in neither language', async (text) => {
  expect((await scene.answerTo(forwards(text))).text).toBe(says('neither-script'));
  expect((await scene.ask(scene.anna, newChinese())).text).toSatisfy(hasTibetan);
});

it('a text behind a command is translated, or spoken for its replier', async () => {
  const forwarded = forwards(`/chinese ${newChinese()}`);
  expect((await scene.answerTo(forwarded)).text).toSatisfy(hasTibetan);
  const spoken = admin.send(admin.chat, { text: '/speak', replyTo: forwarded });
  expect((await scene.answerTo(spoken)).voice).toBeDefined();
});

it('a page, an album and a film are what they are, whatever their captions command', async () => {
  const { anna } = scene;
  const page = await sendPage(eve, elsewhere, newTibetan(), '/speak');
  const texts = [newTibetan(), newTibetan()];
  const [album] = await sendPages(eve, elsewhere, texts, '/speak', '/ocr@lotsawa_bot');
  for (const [first, count] of [
    [page, 1],
    [album, 2],
  ] as const) {
    const [forwarded] = admin.forwardWhole(first, admin.chat);
    const answer = await scene.answerTo(forwarded ?? page);
    expect(answer.text?.match(/བཀྲ་ཤིས/g)).toHaveLength(count);
    expect(buttonsOf(answer)).toContain('translate');
  }
  const film = eve.sendOther(elsewhere, 'video', { caption: `/speak ${newTibetan()}` });
  expect((await scene.answerTo(anna.forward(film, anna.chat))).text).toSatisfy(hasChinese);
});

it('a forwarded command is a text, also in a listening group', async () => {
  const group = aGroup();
  const orders = () => [
    `/listen on ${newTibetan()}`,
    `@lotsawa_bot ${newTibetan()}`,
    `@lotsawa_bot /speak ${newTibetan()}`,
  ];
  for (const text of orders()) {
    const forwarded = forwards(text, group);
    expect(await scene.everythingAfter(forwarded, admin)).toEqual([]);
  }
  const page = await sendPage(eve, elsewhere, newTibetan(), `@lotsawa_bot /ocr`);
  expect(await scene.everythingAfter(admin.forward(page, group), admin)).toEqual([]);
  await scene.answerTo(admin.send(group, { text: '/listen on' }));
  for (const text of orders()) {
    const answer = await scene.answerTo(forwards(text, group));
    expect(answer).not.toSatisfy(isVoice);
    expect(answer.text).toSatisfy(hasChinese);
  }
});

it('a /cancel stops nothing', async () => {
  const text = newChinese();
  // Two: one for a call that an earlier forward may still make.
  const endCalls = scene.service.faults.hold('translation', 2);
  const asked = admin.send(admin.chat, { text });
  const own = () => scene.service.calls.find(({ parameters }) => parameters.inputText === text);
  await expect.poll(() => own()?.outcome).toBe('running');
  forwards('/cancel');
  endCalls();
  expect((await scene.answerTo(asked)).text).toSatisfy(hasTibetan);
});
