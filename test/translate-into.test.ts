/** /tibetan, /chinese and /auto: for one text, for a message replied to, and from now on. */
import { describe, expect, it } from 'vitest';
import {
  buttonsOf,
  CHINESE,
  hasChinese,
  hasTibetan,
  newTibetan,
  numberOf,
  says,
  TIBETAN,
} from './phrases.ts';
import { sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it('/chinese with a text translates just that', async () => {
  const paid = await scene.paidBy(async () => {
    const answer = await scene.ask(scene.anna, `/chinese ${TIBETAN} 7`);
    expect(answer.text).toSatisfy(hasChinese);
    expect(answer.text).toContain('7');
  });
  expect(paid).toBe(1);
  expect((await scene.ask(scene.anna, CHINESE)).text).toSatisfy(hasTibetan);
});

it.each(['/tibetan', '/Tibetan', '/TIBETAN@lotsawa_bot'])(
  '%s with a text on the next line is heard',
  async (command) => {
    const answer = await scene.ask(scene.anna, `${command}\n${CHINESE}`);
    expect(answer.text).toSatisfy(hasTibetan);
  },
);

it.each([
  ['😀', '😀'],
  ['“', '“'],
  ['：', ''],
])('with %s and no space before the text, that text is translated', async (between, kept) => {
  await scene.ask(scene.anna, `/tibetan${between}没有空格${between}`);
  expect(scene.lastCall('translation')?.inputText).toBe(`${kept}没有空格${between}`);
});

it.each([
  ['/tibetan', TIBETAN, 'already-tibetan'],
  ['/chinese', CHINESE, 'already-chinese'],
])('%s of a text that is in it already is said so, unpaid', async (command, text, id) => {
  const paid = await scene.paidBy(async () => {
    expect((await scene.ask(scene.anna, `${command} ${text}`)).text).toBe(says(id));
  });
  expect(paid).toBe(0);
});

it('/tibetan with a text in neither script is told so, unpaid', async () => {
  const paid = await scene.paidBy(async () => {
    expect((await scene.ask(scene.anna, '/tibetan good morning')).text).toBe(says('neither-script'));
  });
  expect(paid).toBe(0);
});

it('as a reply it translates the message replied to, and answers under it', async () => {
  const { anna } = scene;
  const said = anna.send(anna.chat, { text: '没有人问这个 3' });
  await scene.answerTo(said);
  const asked = anna.send(anna.chat, { text: '/tibetan', replyTo: said });
  const answer = await scene.answerTo(asked);
  expect(answer.text).toSatisfy(hasTibetan);
  expect(answer.reply_to_message?.message_id).toBe(said.message_id);
});

describe('as a reply to a message that asked the bot for something', () => {
  it.each([
    ['/tibetan ', 'a text that was in its language already'],
    ['/speak amdo ', 'a text to be spoken'],
    ['@lotsawa_bot ', 'a text with a mention'],
    ['@lotsawa_bot /speak amdo ', 'a text with both'],
    ['/tibetan@another_bot ', 'a text for another bot'],
  ])('%s(%s) it translates just the text', async (request) => {
    const person = scene.newcomer();
    const text = newTibetan();
    const said = person.send(person.chat, { text: `${request}${text}` });
    await scene.answerTo(said);
    const answer = await scene.answerTo(person.send(person.chat, { text: '/chinese', replyTo: said }));
    expect(scene.lastCall('translation')?.inputText).toBe(text);
    expect(numberOf(answer.text)).toBe(numberOf(text));
  });
});

it('as a reply with a text it translates that text', async () => {
  const { anna } = scene;
  const said = anna.send(anna.chat, { text: `${TIBETAN} 1` });
  await scene.answerTo(said);
  const answer = await scene.answerTo(anna.send(anna.chat, { text: `/tibetan ${CHINESE} 2`, replyTo: said }));
  expect(answer.text).toContain('2');
});

it('of a message of which a part is quoted, it translates that part', async () => {
  const { anna } = scene;
  const said = anna.send(anna.chat, { text: '第一 1。第二 2。第三 3。' });
  await scene.answerTo(said);
  const asked = anna.send(anna.chat, { text: '/tibetan', replyTo: said, quote: '第二 2。' });
  const answer = await scene.answerTo(asked);
  expect(answer.text?.match(/\d/g)).toEqual(['2']);
});

it('as a reply to a photo it reads the photo and translates what it says, for two paid calls', async () => {
  const { anna } = scene;
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna] });
  const sent = await sendPage(anna, group, 'བོད་ཡིག 55');
  const paid = await scene.paidBy(async () => {
    const asked = anna.send(group, { text: '/chinese', replyTo: sent });
    const answer = await scene.answerTo(asked, ({ text }) => text?.includes('55') === true);
    expect(answer.text).toSatisfy(hasChinese);
    expect(answer.reply_to_message?.message_id).toBe(sent.message_id);
    await scene.everythingAfter(asked, anna);
  });
  expect(paid).toBe(2);
});

it('as a reply to a photo that is in that language already it shows what it read', async () => {
  const { anna } = scene;
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna] });
  const sent = await sendPage(anna, group, 'བོད་ཡིག 56');
  const paid = await scene.paidBy(async () => {
    const asked = anna.send(group, { text: '/tibetan', replyTo: sent });
    await scene.answerTo(asked);
    const texts = (await scene.everythingAfter(asked, anna)).map(({ text }) => text);
    expect(texts).toEqual([says('already-tibetan'), 'བོད་ཡིག 56']);
  });
  expect(paid).toBe(1);
});

describe('as a reply to a photo without text', () => {
  const sentWith = async (caption: string) => {
    const sent = await sendPage(scene.anna, scene.anna.chat, '', caption);
    await scene.answerTo(sent);
    return scene.anna.send(scene.anna.chat, { text: '/chinese', replyTo: sent });
  };

  it('it translates what was written under it', async () => {
    const caption = newTibetan();
    const answer = await scene.answerTo(await sentWith(caption));
    expect(answer.text).toSatisfy(hasChinese);
    expect(numberOf(answer.text)).toBe(numberOf(caption));
  });

  it('of which only its language is told it says that nothing was found', async () => {
    expect((await scene.answerTo(await sentWith('བོད་ཡིག'))).text).toBe(says('nothing-found-tibetan'));
  });
});

it('as a reply to a photo without text it says that nothing was found', async () => {
  const { anna } = scene;
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna] });
  const sent = await sendPage(anna, group, '');
  const answer = await scene.answerTo(anna.send(group, { text: '/chinese', replyTo: sent }));
  expect(answer.text).toBe(says('nothing-found-tibetan'));
});

it('as a reply to a voice note it translates what is spoken in it, without its heading', async () => {
  const { anna } = scene;
  const voice = await scene.ask(anna, `/speak amdo ${TIBETAN} 4`);
  const answer = await scene.answerTo(anna.send(anna.chat, { text: '/chinese', replyTo: voice }));
  expect(answer.text).toSatisfy(hasChinese);
  expect(answer.text).not.toContain('Amdo');
});

it('as a reply to a sticker it says what it needs, unpaid', async () => {
  const { anna } = scene;
  const sticker = anna.sendOther(anna.chat, 'sticker');
  await scene.answerTo(sticker);
  const paid = await scene.paidBy(async () => {
    const answer = await scene.answerTo(anna.send(anna.chat, { text: '/tibetan', replyTo: sticker }));
    expect(answer.text).toBe(says('neither-script'));
  });
  expect(paid).toBe(0);
});

it('alone it holds from now on, for this person, until /auto', async () => {
  const person = scene.newcomer();
  expect((await scene.ask(person, '/tibetan')).text).toBe(says('target-tibetan'));
  expect((await scene.ask(person, CHINESE)).text).toSatisfy(hasTibetan);
  const paid = await scene.paidBy(async () => {
    expect((await scene.ask(person, TIBETAN)).text).toBe(says('already-tibetan'));
  });
  expect(paid).toBe(0);
  expect((await scene.ask(scene.anna, `${TIBETAN} 9`)).text).toSatisfy(hasChinese);
  expect((await scene.ask(person, '/auto')).text).toBe(says('target-auto'));
  expect((await scene.ask(person, `${TIBETAN} 10`)).text).toSatisfy(hasChinese);
});

it('/chinese alone holds from now on', async () => {
  const person = scene.newcomer();
  expect((await scene.ask(person, '/chinese')).text).toBe(says('target-chinese'));
  expect((await scene.ask(person, '你好')).text).toBe(says('already-chinese'));
});

it('/auto with a text translates it by its script, whatever holds', async () => {
  const person = scene.newcomer();
  await scene.ask(person, '/tibetan');
  const answer = await scene.ask(person, `/auto ${TIBETAN} 11`);
  expect(answer.text).toSatisfy(hasChinese);
  expect(buttonsOf(answer)).toContain('speak:chinese');
});
