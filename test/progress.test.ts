/** The message that counts what is done goes away with the work, whatever becomes of the process. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Message } from '../src/sandbox/telegram/objects.ts';
import { hasTibetan, isProgress, newChinese, says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

/** A text of two paid calls, and the message that counts them. */
async function beginSlowWork(): Promise<{ asked: Message; count: Message }> {
  const { anna, service, answerTo, telegram } = scene;
  service.faults.latency.translation = 120_000;
  const asked = anna.send(anna.chat, { text: `${newChinese()}\n${'长'.repeat(3500)}` });
  const count = await answerTo(asked, isProgress);
  await telegram.world.waitUntil(
    () => service.calls.filter(({ outcome }) => outcome === 'running').length === 2,
  );
  // A kill between Telegram's taking the count and our note of it leaves it there: nobody has its id.
  await expect.poll(countsNoted).toBe(1);
  return { asked, count };
}

function countsNoted(): unknown {
  const database = new DatabaseSync(scene.databaseFile, { readOnly: true });
  const row = database.prepare('select count(*) as n from progress_messages').get();
  database.close();
  return row?.n;
}

const isGone = (message: Message) => scene.telegram.world.message(message) === undefined;

it('when a process was killed meanwhile, its count is removed by the next one', async () => {
  const { asked, count } = await beginSlowWork();
  scene.service.faults.clear();
  await scene.restart('SIGKILL');
  await scene.telegram.world.waitUntil(() => isGone(count));
  await scene.answerTo(asked, ({ text }) => hasTibetan(text));
  const left = (await scene.everythingAfter(asked, scene.anna)).filter(isProgress);
  expect(left).toEqual([]);
});

it('when the work was cancelled while no process ran, its count is removed as well', async () => {
  const { asked, count } = await beginSlowWork();
  await scene.bot().stop('SIGKILL');
  scene.anna.send(scene.anna.chat, { text: '/cancel' });
  await scene.restart();
  await scene.answerTo(asked, ({ text }) => text === says('cancelled'));
  await scene.telegram.world.waitUntil(() => isGone(count));
  expect((await scene.everythingAfter(asked, scene.anna)).filter(isProgress)).toEqual([]);
  expect(countsNoted()).toBe(0);
});

it('a person who deletes the count, or a Telegram that will not, disturbs nothing', async () => {
  const { anna, service, answerTo, telegram } = scene;
  service.faults.latency.translation = 500;
  const asked = anna.send(anna.chat, { text: `${newChinese()}\n${'长'.repeat(3500)}` });
  const count = await answerTo(asked, isProgress);
  anna.deleteMessage(count);
  await answerTo(asked, ({ text }) => hasTibetan(text));
  telegram.faults.next('deleteMessage', { status: 400 });
  const again = anna.send(anna.chat, { text: `${newChinese()}\n${'短'.repeat(3500)}` });
  await answerTo(again, ({ text }) => hasTibetan(text));
  expect((await scene.ask(anna, newChinese())).text).toSatisfy(hasTibetan);
});

it('is shown once and edited seldom, however many calls there are', async () => {
  const { anna, service, answerTo, telegram } = scene;
  service.faults.latency.speechFirstByte = 50;
  const asked = anna.send(anna.chat, { text: `/speak chinese ${'长'.repeat(4000)}` });
  await answerTo(asked, ({ voice }) => voice !== undefined);
  const edits = telegram.calls.filter(({ method }) => method === 'editMessageText');
  expect(edits).toEqual([]);
});
