/** Whatever comes as an update, through polling or the webhook: the bot lives, serves others, and apologises to nobody. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { says } from '../phrases.ts';
import { type MeddledScene, startMeddledScene } from './meddled-scene.ts';
import { anyUpdate, NESTED, onTheWire, wholeUpdates } from './updates.ts';

/** The log line of an unforeseen error. */
const UNFORESEEN = /an update failed|became a dead letter|polling failed|storing an update failed/;

type Deliver = (updates: readonly object[]) => Promise<void>;

/** Sends the updates, numbered, and waits until the bot has done with them. */
async function expectBorne(scene: MeddledScene, deliver: Deliver, updates: readonly object[]) {
  const before = scene.bot.output().length;
  await deliver(updates);
  await scene.servesOthers();
  await scene.idle();
  expect(scene.bot.output().slice(before)).not.toMatch(UNFORESEEN);
}

describe.each(['polling', 'webhook'] as const)('by %s', (mode) => {
  let scene: MeddledScene;
  let deliver: Deliver;
  let origin: { person: number; group: number };
  let nextId = 1;

  beforeAll(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const webhook = { WEBHOOK_URL: url, WEBHOOK_SECRET: 'secret_123', PORT: String(port) };
    scene = await startMeddledScene(mode === 'webhook' ? webhook : {});
    const person = scene.newcomer();
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], type: 'supergroup' });
    origin = { person: person.id, group: group.chat.id };

    const post = async (update: object) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-telegram-bot-api-secret-token': webhook.WEBHOOK_SECRET,
        },
        body: onTheWire(update),
      });
      expect(response.status).toBe(200);
    };
    const numbered = (updates: readonly object[]) =>
      updates.map((update) => ({ update_id: nextId++, ...update }));
    deliver = async (updates) => {
      if (mode === 'webhook') await Promise.all(numbered(updates).map(post));
      else await scene.givesUpdates(`{"ok":true,"result":[${numbered(updates).map(onTheWire).join(',')}]}`);
    };
  });
  afterAll(() => scene.close());

  it('updates of every kind are borne, also those that were never asked for', async () => {
    await expectBorne(scene, deliver, wholeUpdates(origin));
  });

  it('updates damaged in any place are ignored, or answered as far as they make sense', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyUpdate(origin), { minLength: 40, maxLength: 80, size: 'max' }),
        (updates) => expectBorne(scene, deliver, updates),
      ),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('what is no update at all is passed over', async () => {
    const junk = [{ update_id: null }, { update_id: '7' }, { update_id: 1.5 }, { update_id: 2 ** 60 }];
    await expectBorne(scene, deliver, [...junk, {}, { message: NESTED }, { poll: NESTED }]);
  });

  it('numbers that fall, repeat, and jump by a week: each update is answered once', async () => {
    const numbers = [700_005, 700_003, 700_004, 2_000_000_000, 400_000, 700_003, -7];
    const message = (message_id: number) => ({
      message_id,
      date: 1,
      chat: { id: origin.person, type: 'private' },
      from: { id: origin.person, is_bot: false, first_name: 'Pema' },
      text: '/help',
      entities: [{ type: 'bot_command', offset: 0, length: 5 }],
    });
    const answers = () =>
      scene.telegram.world.messages(origin.person).filter(({ text }) => text === says('help'));
    const before = answers().length;
    const updates = numbers.map((update_id, index) => ({ update_id, message: message(910_000 + index) }));
    await expectBorne(scene, deliver, updates);
    await expect.poll(() => answers().length - before).toBe(new Set(numbers).size);
  });

  it('one update under many numbers, and many updates under one, end well', async () => {
    const message = {
      message_id: 900_002,
      date: 1,
      chat: { id: origin.person, type: 'private' },
      from: { id: origin.person, is_bot: false, first_name: 'Pema' },
      text: '/help',
      entities: [{ type: 'bot_command', offset: 0, length: 5 }],
    };
    const asked = () =>
      scene.telegram.world.messages(origin.person).filter(({ text }) => text === says('help')).length;
    const before = asked();
    const update = { update_id: 500_000, message };
    await expectBorne(scene, deliver, [update, update, { ...update, update_id: 500_000, poll: {} }, {}]);
    await expect.poll(() => asked() - before).toBe(1);
  });

  it('nobody got an apology for any of it', () => {
    const texts = scene.telegram.calls.flatMap(({ payload }) => ('text' in payload ? [payload.text] : []));
    expect(texts).not.toContain(says('given-up'));
  });
});
