/** Malformed updates (by webhook: `http/webhook`): the bot survives, serves others, and sends no apology. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { says } from '../phrases.ts';
import { type MeddledScene, startMeddledScene } from './meddled-scene.ts';
import { anyUpdate, NESTED, onTheWire, wholeUpdates } from './updates.ts';

/** The log line of an unforeseen error. */
const UNFORESEEN = /an update failed|became a dead letter|polling failed|storing an update failed/;

let scene: MeddledScene;
let origin: { person: number; group: number };
let nextId = 1;
beforeAll(async () => {
  scene = await startMeddledScene();
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person], type: 'supergroup' });
  origin = { person: person.id, group: group.chat.id };
});
afterAll(() => scene.close());

/** Delivers the updates, numbered, and waits until the bot has handled them. */
async function expectBorne(updates: readonly object[]): Promise<void> {
  const before = scene.log().length;
  const numbered = updates.map((update) => ({ update_id: nextId++, ...update }));
  await scene.givesUpdates(`{"ok":true,"result":[${numbered.map(onTheWire).join(',')}]}`);
  await scene.servesOthers();
  await scene.idle();
  expect(scene.log().slice(before)).not.toMatch(UNFORESEEN);
}

it('updates of every kind are borne, also those that were never asked for', async () => {
  await expectBorne(wholeUpdates(origin));
});

it('updates damaged in any place are ignored, or answered as far as they make sense', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyUpdate(origin), { minLength: 40, maxLength: 80, size: 'max' }), (updates) =>
      expectBorne(updates),
    ),
    { numRuns: 5, endOnFailure: true },
  );
});

it('what is no update at all is passed over', async () => {
  const junk = [{ update_id: null }, { update_id: '7' }, { update_id: 1.5 }, { update_id: 2 ** 60 }];
  await expectBorne([...junk, {}, { message: NESTED }, { poll: NESTED }]);
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
  await expectBorne(updates);
  await expect.poll(() => answers().length - before).toBe(new Set(numbers).size);
});

it('nobody got an apology for any of it', () => {
  const texts = scene.telegram.calls.flatMap(({ payload }) => ('text' in payload ? [payload.text] : []));
  expect(texts).not.toContain(says('given-up'));
});
