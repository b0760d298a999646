/** Answers to `getUpdates` that Telegram would not give: the bot polls on with pauses, and people are answered. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MeddledScene, startMeddledScene } from '../hostile/meddled-scene.ts';
import type { Meddling } from '../hostile/meddler.ts';

let scene: MeddledScene;
beforeAll(async () => {
  scene = await startMeddledScene();
});
afterAll(() => scene.close());

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
  const port = /"port":(\d+)/.exec(scene.log())?.[1];
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
