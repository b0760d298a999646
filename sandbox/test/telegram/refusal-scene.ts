/** A bot with people, groups and messages around it, and tables of calls that Telegram refuses. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Group } from '../../telegram/group.ts';
import type { Message } from '../../telegram/objects.ts';
import { type BotClient, startBotClient } from './bot-client.ts';

/** The person whose private chat with the bot has this id. */
export const TASHI = 42;

interface RefusalScene {
  bot: BotClient;
  group: Group;
  forum: Group;
  closedTopic: number;
  deletedTopic: number;
  /** A text of the person, a text of the bot with a button, and a photo of the bot, all in the private chat. */
  asked: Message;
  own: Message;
  ownPhoto: Message;
  /** A text of the person in the group, and another that replies to it. */
  inGroup: Message;
  answerInGroup: Message;
  /** The id of a file of 21 MB. */
  hugeFile: string;
}

/** What is tried, the method, its parameters, and what Telegram says. */
export type Refusal = [
  what: string,
  method: string,
  parameters: (scene: RefusalScene) => Record<string, unknown>,
  description: string,
];

/** Makes one test of every line of the table. */
export function testRefusals(refusals: Refusal[]): void {
  let scene: RefusalScene;
  beforeAll(async () => {
    scene = await startRefusalScene();
  });
  afterAll(() => scene.bot.close());

  test.each(refusals)('%s is refused', async (_what, method, parameters, description) => {
    expect(await scene.bot.call(method, parameters(scene))).toEqual({
      ok: false,
      error_code: 400,
      description: `Bad Request: ${description}`,
    });
  });
}

async function startRefusalScene(): Promise<RefusalScene> {
  const bot = await startBotClient();
  const { world } = bot.telegram;
  const tashi = world.addPerson({ firstName: 'Tashi', id: TASHI });
  const group = world.addGroup({ title: 'Tea', members: [tashi], type: 'supergroup' });
  const forum = world.addGroup({ title: 'Forum', members: [tashi], isForum: true });
  const closedTopic = forum.createTopic('Closed');
  forum.closeTopic(closedTopic);
  const deletedTopic = forum.createTopic('Deleted');
  forum.deleteTopic(deletedTopic);
  const inGroup = tashi.send(group, { text: 'among us' });
  const photo = await tashi.sendPhoto(tashi, PNG);
  const huge = { fileName: 'huge.pdf', mimeType: 'application/pdf', declaredSize: 21 * 1024 * 1024 };
  const reply_markup = button({ callback_data: 'a' });
  return {
    bot,
    group,
    forum,
    closedTopic,
    deletedTopic,
    asked: tashi.send(tashi, { text: 'hello' }),
    own: await bot.send({ chat_id: TASHI, text: 'own', reply_markup }),
    ownPhoto: await bot.send({ chat_id: TASHI, photo: photo.photo?.at(-1)?.file_id }, 'sendPhoto'),
    inGroup,
    answerInGroup: tashi.send(group, { text: 'among us too', replyTo: inGroup }),
    hugeFile: (await tashi.sendDocument(tashi, Buffer.from('%PDF'), huge)).document?.file_id ?? '',
  };
}

/** One red pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** An inline keyboard of these rows. */
export function keyboard(...rows: Array<Array<Record<string, unknown>>>): Record<string, unknown> {
  return { inline_keyboard: rows };
}

/** An inline keyboard of one button with these fields beside its text. */
export function button(fields: Record<string, unknown>): Record<string, unknown> {
  return keyboard([{ text: 'Press', ...fields }]);
}
