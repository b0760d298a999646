/** One scene for several tests: to start a bot takes a second of work. */
import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import { type Scene, type SceneOptions, startScene } from './scene.ts';

/** The scene of all tests of the file, or the `describe`, that calls this; it is there from the first test to the last. */
export function useScene(options?: SceneOptions): Scene {
  let scene: Scene | undefined;
  beforeAll(async () => {
    scene = await startScene(options);
  });
  afterAll(() => scene?.close());
  return behind(() => scene);
}

/** The same without a bot, for tests that start its processes themselves. */
export function useBotPlace(): BotPlace {
  let place: BotPlace | undefined;
  beforeAll(async () => {
    place = await openBotPlace();
  });
  afterAll(() => place?.close());
  return behind(() => place);
}

/** What the files of a worker, which runs them one after another (vitest.config.ts), have together. */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads there which fixtures are needed.
const ofWorker = test.extend('worker', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const worker: { scene?: Scene | undefined } = {};
  onCleanup(() => worker.scene?.close());
  return worker;
});

/**
 * A scene without settings of its own, which other files use before and after this one: for tests that each have people of their own, and
 * leave behind neither a fault nor a pause. `anna`, and the `log`, are this file's alone.
 */
export function useSharedScene(): Scene {
  let scene: Scene | undefined;
  let hasFailed = false;
  ofWorker.beforeAll(async ({ worker }) => {
    worker.scene ??= await startScene();
    const shared = worker.scene;
    // What one file has had translated or spoken is paid for again in the next.
    shared.rows('delete from results');
    const logged = shared.log().length;
    const anna = shared.newcomer({ firstName: 'Anna' });
    scene = { ...shared, anna, log: () => shared.log().slice(logged) };
  });
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === 'fail';
  });
  ofWorker.afterAll(async ({ worker }) => {
    scene?.service.faults.clear();
    scene?.telegram.faults.clear();
    scene?.checkCalls();
    // What the bot still paid for would count in the next file.
    if (!hasFailed) await scene?.atRest();
    if (!hasFailed) return;
    // What failed may have left anything behind.
    worker.scene = undefined;
    await scene?.close();
  });
  return behind(() => scene);
}

/** Stands for what a hook starts. */
export function behind<T extends object>(get: () => T | undefined): T {
  return new Proxy<T>(Object.create(null), {
    get: (_, name) => {
      const started = get();
      if (started === undefined) throw new Error('it starts before the first test, and not before');
      return Reflect.get(started, name);
    },
  });
}
