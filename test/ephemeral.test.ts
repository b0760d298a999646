/** What concerns one person alone is shown to them alone in a group: commands about a person, and limits that a press meets. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { hasChinese, LIMIT, labelsOf, newTibetan, says } from './phrases.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '1' } });
let group: Group;
let pema: Person;
let dolma: Person;
beforeAll(async () => {
  const { world } = scene.telegram;
  [pema, dolma] = [scene.newcomer(), scene.newcomer({ firstName: 'Dolma' })];
  group = world.addGroup({ title: 'Readers', members: [pema, dolma], type: 'supergroup' });
  // The menus are registered one after another; this person's is that of English.
  const isRegistered = () => world.commandsFor(group, pema).some(({ is_ephemeral }) => is_ephemeral);
  await world.waitUntil(isRegistered);
});

/** What the bot shows a person alone in the group. */
const shownTo = (person: Person): Message[] =>
  scene.telegram.world.ephemerals(group, person).filter(({ from }) => from?.is_bot);
const inGroup = (): Message[] => scene.telegram.world.messages(group).filter(({ from }) => from?.is_bot);

/** The bot's next message to a person alone. */
async function whispered(person: Person, ask: () => unknown): Promise<Message> {
  const before = shownTo(person).length;
  ask();
  return scene.telegram.world.waitUntil(() => shownTo(person)[before]);
}

function refuse(times = 1): void {
  const refusal = { status: 400, description: 'Bad Request: BOT_NOT_ADMIN' };
  for (let time = 0; time < times; time += 1) scene.telegram.faults.next('sendMessage', refusal);
}

describe('a command about a person', () => {
  it.each(['usage', 'settings', 'lang', 'dialect', 'voice', 'help'])(
    '/%s is answered to who sent it, and nobody else is told anything',
    async (command) => {
      const elsewhere = () =>
        [inGroup(), shownTo(dolma), scene.telegram.world.messages(pema.chat)].map(({ length }) => length);
      const before = elsewhere();
      const answer = await whispered(pema, () => pema.sendEphemeral(group, `/${command}`));
      expect(answer.text).toBeTruthy();
      expect(scene.telegram.world.chatAction(group)).toBeUndefined();
      expect(elsewhere()).toEqual(before);
    },
  );

  it('has buttons that change it in place, each person their own', async () => {
    const [hers, his] = await Promise.all(
      [pema, dolma].map((person) => whispered(person, () => person.sendEphemeral(group, '/settings'))),
    );
    const at = (person: Person) => shownTo(person).slice(-1).flatMap(labelsOf).join();
    if (hers === undefined || his === undefined) throw new Error('there are not two panels');
    const choose = async (person: Person, panel: Message, dialect: 'amdo' | 'khampa') => {
      await person.press(panel, `set:${person.id}:dialect`);
      await scene.telegram.world.waitUntil(() => at(person).includes(says('button-back')));
      await person.press(shownTo(person).at(-1) ?? panel, `set:${person.id}:dialect:${dialect}`);
      await scene.telegram.world.waitUntil(() => !at(person).includes(says('button-back')));
    };
    await Promise.all([choose(pema, hers, 'amdo'), choose(dolma, his, 'khampa')]);
    expect(at(pema)).toContain(says('settings-dialect', 'en', { value: says('amdo') }));
    expect(at(dolma)).toContain(says('settings-dialect', 'en', { value: says('khampa') }));
  });
});

describe('where Telegram shows nothing to one person alone', () => {
  it('what anybody may read comes in the group', async () => {
    const before = inGroup().length;
    refuse();
    pema.sendEphemeral(group, '/dialect');
    const answer = await scene.telegram.world.waitUntil(() => inGroup()[before]);
    expect(answer.text).toBe(says('dialect-which'));
  });

  it('what is personal comes in the private chat, or not at all', async () => {
    const before = inGroup().length;
    const inPrivate = () => scene.telegram.world.messages(pema.chat).filter(({ from }) => from?.is_bot);
    const count = inPrivate().length;
    refuse();
    pema.sendEphemeral(group, '/usage');
    expect((await scene.telegram.world.waitUntil(() => inPrivate()[count])).text).toContain('1 of 1');
    refuse(2);
    pema.sendEphemeral(group, '/settings');
    // Answered in their order.
    await whispered(pema, () => pema.sendEphemeral(group, '/help'));
    expect(inPrivate()).toHaveLength(count + 1);
    expect(inGroup()).toHaveLength(before);
  });
});

it('a limit that a press meets is told to its presser alone', async () => {
  const translated = await scene.answerTo(
    pema.send(group, { text: `/chinese ${newTibetan()}` }),
    ({ text }) => hasChinese(text),
  );
  const before = inGroup().length;
  const [told] = await Promise.all([whispered(pema, () => {}), pema.press(translated, 'speak:chinese')]);
  expect(told.text).toContain(LIMIT);
  expect(inGroup()).toHaveLength(before);
  // Until then another press of the button counts as the same tap.
  await scene.atRest();
  refuse();
  const [openly] = await Promise.all([
    scene.telegram.world.waitUntil(() => inGroup()[before]),
    pema.press(translated, 'speak:chinese'),
  ]);
  expect(openly.text).toContain(LIMIT);
  expect(openly.reply_to_message?.message_id).toBe(translated.message_id);
});

it('a limit holds for guests, too', async () => {
  const guest = scene.newcomer();
  const elsewhere = { title: 'Elsewhere', type: 'supergroup', botIsMember: false } as const;
  const chat = scene.telegram.world.addGroup({ ...elsewhere, members: [guest] });
  for (const isRight of [hasChinese, (text = '') => text.startsWith(LIMIT)]) {
    const mention = guest.send(chat, { text: `@lotsawa_bot ${newTibetan()}` });
    await scene.telegram.world.waitForMessage(chat, ({ text }) => isRight(text), { after: mention });
  }
});
