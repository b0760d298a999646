/** Answers to `getUpdates` that no Telegram would give: the bot asks on, at a pace, and whoever wrote is answered. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MeddledScene, startMeddledScene } from '../hostile/meddled-scene.ts';
import type { Meddling } from '../hostile/meddler.ts';
import { hasTibetan, newChinese } from '../phrases.ts';

let scene: MeddledScene;
beforeAll(async () => {
  scene = await startMeddledScene();
});
afterAll(() => scene.close());

const FIRST_ID = 900_000_000;

/** Answers every poll like this while `work` is done; gives how many there were. */
async function whilePollsAre(meddling: Meddling, work: () => Promise<unknown>): Promise<number> {
  let polls = 0;
  const begun = scene.beforeTelegram.next('/getUpdates', meddling);
  const stop = scene.beforeTelegram.always('/getUpdates', (response, call) => {
    polls += 1;
    return meddling(response, call);
  });
  // Ends the poll that is under way.
  const person = scene.newcomer();
  person.send(person.chat, { text: '/start' });
  await begun;
  await work();
  stop();
  return polls;
}

const updates =
  (batch: readonly object[]): Meddling =>
  (response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result: batch }));

/** Two hundred questions of somebody else, one after another. */
const QUESTIONS = 200;
async function askTwoHundredTimes(): Promise<void> {
  const port = /"port":(\d+)/.exec(scene.bot.output())?.[1];
  for (let asked = 0; asked < QUESTIONS; asked += 1) {
    await (await fetch(`http://127.0.0.1:${port}/healthz`)).text();
  }
}

it('empty ones that are not held back are not asked for without a pause', async () => {
  const startedAt = performance.now();
  const polls = await whilePollsAre(updates([]), askTwoHundredTimes);
  // Without one they come faster than one a millisecond.
  expect(polls).toBeLessThan(10 + (performance.now() - startedAt) / 20);
  await scene.servesOthers();
});

it('the same batch over and over is taken in once, and asked for with pauses', async () => {
  const batch = [{ update_id: 1, poll: {} }];
  await whilePollsAre(updates(batch), () => scene.bot.says('returned confirmed updates again'));
  await scene.servesOthers();
});

it('of a batch larger than was asked for the beginning is taken, and the rest asked for again', async () => {
  const person = scene.newcomer();
  const started = person.send(person.chat, { text: '/start' });
  await scene.answerTo(started);
  const bots = Array.from({ length: 20_000 }, (_, index) => ({
    update_id: FIRST_ID + 1 + index,
    message: { ...started, message_id: FIRST_ID + index, from: { ...started.from, is_bot: true } },
  }));
  const { text: _, entities: __, ...place } = started;
  const message = { ...place, message_id: started.message_id + 1000, text: newChinese() };
  const batch = [{ update_id: FIRST_ID, message }, ...bots];
  const given = scene.beforeTelegram.next('/getUpdates', updates(batch));
  // Ends the poll that is under way.
  person.send(person.chat, { text: '/start' });
  await given;
  await scene.telegram.world.waitForMessage(started.chat, ({ text }) => hasTibetan(text), { after: started });
});
