/** The service refuses the credentials: people read that it is not their mistake. */
import { afterEach, expect, it } from 'vitest';
import { newTibetan, saysWithTime } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene();
afterEach(() => scene.service.faults.clear());

const callsOf = (kind: string) => scene.service.calls.filter((call) => call.kind === kind).length;

it('a photo for which no token is to be had is answered in words', async () => {
  scene.service.faults.set('token', 'auth');
  const photo = await scene.anna.sendPhoto(scene.anna.chat, await aJpeg());
  expect((await scene.answerTo(photo)).text).toMatch(saysWithTime('failure-auth-until'));
  expect(scene.bot().output()).not.toContain(scene.service.credentials.secretKey);
});

it('speech is asked for once, and answered in words', async () => {
  scene.service.faults.set('speech', 'auth');
  expect((await scene.ask(scene.anna, `/speak ${newTibetan()}`)).text).toMatch(
    saysWithTime('failure-auth-until'),
  );
  expect(callsOf('speech')).toBe(1);
});
