/** Malformed updates (by webhook: `http/webhook`): the bot survives, serves others, and sends no apology. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { useStage } from '../faults/stage.ts';
import { says } from '../phrases.ts';
import { hostileText } from './text.ts';

/** Who and where a made-up update is from. */
interface Origin {
  readonly person: number;
  readonly group: number;
}

type Json = Readonly<Record<string, unknown>>;

/** One whole update of every kind (Bot API, Update), also of those that the bot never asked for. */
function wholeUpdates({ person, group }: Origin): Json[] {
  const from = { id: person, is_bot: false, first_name: 'Pema', language_code: 'en' };
  const chat = { id: person, type: 'private', first_name: 'Pema' };
  const inGroup = { id: group, type: 'supergroup', title: 'Readers' };
  const channel = { id: -1_001_234_567_890, type: 'channel', title: 'News' };
  const date = Math.floor(Date.now() / 1000);
  const file = { file_id: 'AgACx', file_unique_id: 'AQADx', file_size: 900 };
  const entities = [{ type: 'bot_command', offset: 0, length: 6 }];
  const message = { message_id: 900_001, date, chat, from };
  const said = { ...message, text: 'hello' };
  const command = (text: string, where: Json = chat) => ({ ...message, chat: where, text, entities });
  const replied = { ...command('/speak amdo'), reply_to_message: { ...said, text: 'hello there' } };
  const member = (status: string) => ({ user: { id: 1_000_000_001, is_bot: true, first_name: 'L' }, status });
  const membership = {
    chat: inGroup,
    from,
    date,
    old_chat_member: member('left'),
    new_chat_member: member('member'),
  };
  const presses = ['speak:amdo', `set:${person}:dialect:amdo`, 'forget:1'];
  const inline_keyboard = [presses.map((data) => ({ text: 'x', callback_data: data }))];
  const pressed = { ...said, from: { ...from, is_bot: true }, reply_markup: { inline_keyboard } };
  const press = { id: '77', from, chat_instance: '5', message: pressed };
  return [
    { message: said },
    { message: command('/help') },
    { message: command('/lang zh') },
    { message: command('/voice xiaoxiao') },
    { message: command('/stats') },
    { message: command('/listen on', inGroup) },
    { message: command('/quota 5', inGroup) },
    { message: { ...command('/listen on', inGroup), sender_chat: inGroup } },
    { message: { ...said, chat: inGroup, sender_chat: channel } },
    { message: replied },
    { message: { ...said, quote: { text: 'hell', position: 0, is_manual: true } } },
    { message: { ...message, photo: [file, file], caption: 'bo', caption_entities: entities } },
    { message: { ...message, photo: [file], media_group_id: '9' } },
    { message: { ...message, document: { ...file, file_name: 'a.png', mime_type: 'image/png' } } },
    { message: { ...message, sticker: { ...file, emoji: '😀', type: 'regular' } } },
    { message: { ...message, chat: inGroup, new_chat_members: [from] } },
    { message: { ...message, chat: inGroup, migrate_to_chat_id: group - 1 } },
    { message: { ...message, chat: inGroup, migrate_from_chat_id: group + 1 } },
    { message: { ...said, forward_origin: { type: 'user', sender_user: from, date } } },
    { edited_message: { ...said, edit_date: date } },
    { channel_post: { ...said, chat: channel, sender_chat: channel } },
    { edited_channel_post: { ...said, chat: channel, edit_date: date } },
    { inline_query: { id: '78', from, query: 'hello', offset: '' } },
    { chosen_inline_result: { result_id: 'x', from, query: 'hello' } },
    ...presses.map((data) => ({ callback_query: { ...press, data } })),
    { callback_query: { id: '77', from, chat_instance: '5', inline_message_id: 'i', data: 'translate' } },
    { callback_query: { ...press, game_short_name: 'chess' } },
    { my_chat_member: membership },
    { my_chat_member: { ...membership, chat, new_chat_member: member('kicked') } },
    { chat_member: membership },
    // None of these was asked for.
    ...[
      'message_reaction',
      'shipping_query',
      'pre_checkout_query',
      'poll',
      'poll_answer',
      'chat_join_request',
    ].map((kind) => ({ [kind]: { id: '1', from, chat: inGroup, date } })),
    { business_connection: { id: 'c', user: from, user_chat_id: person, date, is_enabled: true } },
    { business_message: { ...command('/forget'), business_connection_id: 'c' } },
  ];
}

/** Stands for a value nested so deeply that JavaScript itself could not write it. */
const NESTED = 'nested 50,000 levels deep';
const LEVELS = 50_000;
const NESTED_JSON = '{"a":['.repeat(LEVELS / 2) + ']}'.repeat(LEVELS / 2);

/** What a damaged place may hold instead; undefined: nothing at all. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(undefined, null, true, [], {}, [null], '', '0'),
  fc.constantFrom(0, -1, 0.5, 2 ** 31, -(2 ** 31), 2 ** 53, 2 ** 60, 1e308),
  fc.constantFrom(-62_135_596_800, 253_402_300_800, 4_102_444_800_000),
  fc.constant(NESTED),
  fc.constant(JSON.parse('{"__proto__": {"id": 1}, "constructor": {"prototype": 1}}')),
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
);

/** An update of any kind, damaged in up to three places. */
function anyUpdate(origin: Origin): fc.Arbitrary<Json> {
  const damage = fc.record({ place: fc.nat(), junk });
  return fc
    .record({
      update: fc.constantFrom(...wholeUpdates(origin)),
      damages: fc.array(damage, { minLength: 0, maxLength: 3 }),
    })
    .map(({ update, damages }) => {
      // Each place by itself, though the update above holds one person in several: damaged in all of them, it could be larger than any update.
      const copy: Json = JSON.parse(JSON.stringify(update));
      for (const { place, junk } of damages) {
        const [holder, key] = places(copy).at(place % places(copy).length) ?? [copy, 'message'];
        if (junk === undefined) Reflect.deleteProperty(holder, key);
        else Reflect.set(holder, key, structuredClone(junk));
      }
      return copy;
    });
}

/** Every place in a value: what holds it, and under which key. */
function places(value: object): [object, string][] {
  return Object.entries(value).flatMap(([key, inner]): [object, string][] => [
    [value, key],
    ...(typeof inner === 'object' && inner !== null ? places(inner) : []),
  ]);
}

/** An update as it comes over the wire. */
function onTheWire(update: object): string {
  return JSON.stringify(update).replaceAll(JSON.stringify(NESTED), NESTED_JSON);
}

/** The log line of an unforeseen error. */
const UNFORESEEN = /an update failed|became a dead letter|polling failed|storing an update failed/;

const stage = useStage();
let origin: { person: number; group: number };
let nextId = 1;
beforeAll(() => {
  const person = stage.newcomer();
  const group = stage.telegram.world.addGroup({ title: 'Readers', members: [person], type: 'supergroup' });
  origin = { person: person.id, group: group.chat.id };
});

/** Delivers the updates, numbered, and waits until the bot has handled them. */
async function deliver(updates: readonly object[]): Promise<void> {
  const numbered = updates.map((update) => ({ update_id: nextId++, ...update }));
  await stage.givesUpdates(`{"ok":true,"result":[${numbered.map(onTheWire).join(',')}]}`);
  await stage.servesOthers();
  await stage.idle();
}

/** The same, without a failure. */
async function expectBorne(updates: readonly object[]): Promise<void> {
  const before = stage.log().length;
  await deliver(updates);
  expect(stage.log().slice(before)).not.toMatch(UNFORESEEN);
}

it('updates of every kind are borne, also those that were never asked for', async () => {
  await expectBorne(wholeUpdates(origin));
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
    stage.telegram.world.messages(origin.person).filter(({ text }) => text === says('help'));
  const before = answers().length;
  const updates = numbers.map((update_id, index) => ({ update_id, message: message(910_000 + index) }));
  await expectBorne(updates);
  await expect.poll(() => answers().length - before).toBe(new Set(numbers).size);
});

it('nobody got an apology for any of it', () => {
  const texts = stage.telegram.calls.flatMap(({ payload }) => ('text' in payload ? [payload.text] : []));
  expect(texts).not.toContain(says('given-up'));
});

it('updates damaged in any place hold up nobody else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyUpdate(origin), { minLength: 20, maxLength: 40, size: 'max' }), deliver),
    { numRuns: 5, endOnFailure: true },
  );
});
