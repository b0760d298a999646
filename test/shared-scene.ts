/** One scene for several tests: to start a bot takes a second of work. */
import { afterAll, beforeAll } from 'vitest';
import { type Scene, type SceneOptions, startScene } from './scene.ts';

/** The scene of all tests of the file, or the `describe`, that calls this; it is there from the first test to the last. */
export function useScene(options?: SceneOptions): Scene {
  let scene: Scene | undefined;
  beforeAll(async () => {
    scene = await startScene(options);
  });
  afterAll(() => scene?.close());
  return new Proxy<Scene>(Object.create(null), {
    get: (_, name) => {
      if (scene === undefined) throw new Error('the scene starts before the first test, and not before');
      return Reflect.get(scene, name);
    },
  });
}
