/** What a person chose and said is still there after the bot was stopped and started. */
import { expect, it } from 'vitest';
import { hasChinese, isVoice, newChinese, newTibetan, numberOf, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it('settings, last text and token survive SIGKILL', async () => {
  const person = scene.newcomer();
  await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  const exchanges = () => scene.service.calls.filter(({ kind }) => kind === 'token').length;
  const before = exchanges();
  for (const setting of ['/lang zh', '/dialect amdo', '/ocr zh', '/tibetan'])
    await scene.ask(person, setting);
  const asked = person.send(person.chat, { text: newChinese() });
  const [translation] = await scene.everythingAfter(asked, person);

  await scene.restart('SIGKILL');

  const voice = await scene.ask(person, '/speak', isVoice);
  expect(voice.caption).toBe(`🔊 ${says('amdo', 'zh')}\n${translation?.text}`);
  expect((await scene.ask(person, newTibetan())).text).toBe(says('already-tibetan', 'zh'));
  const read = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  expect(read.text).toSatisfy(hasChinese);
  expect(exchanges()).toBe(before);
});

it('what is sent while the bot is away is answered when it is back, once', async () => {
  const person = scene.newcomer();
  const stopped = await scene.bot().stop();
  expect(stopped).toBe(0);
  const asked = person.send(person.chat, { text: newTibetan() });
  await scene.restart();
  expect(numberOf((await scene.answerTo(asked)).text)).toBe(numberOf(asked.text));
  expect(await scene.everythingAfter(asked, person)).toHaveLength(1);
});

it.each<{ signals: NodeJS.Signals[] }>([
  { signals: ['SIGTERM'] },
  // Ctrl-C, and the window is closed.
  { signals: ['SIGINT', 'SIGHUP'] },
])('$signals finishes what runs, and ends with exit code 0', async ({ signals }) => {
  const endSpeech = scene.service.faults.hold('speech');
  const person = scene.newcomer();
  const asked = person.send(person.chat, { text: `/speak amdo ${newTibetan()}` });
  await scene.underWay();
  const ended = signals.map((signal) => scene.bot().stop(signal));
  await scene.bot().says('"stopping"');
  endSpeech();
  expect(await Promise.all(ended)).toEqual(signals.map(() => 0));
  expect(scene.telegram.world.messages(person.chat).filter(isVoice)).toHaveLength(1);
  await scene.restart();
  expect((await scene.everythingAfter(asked, person)).filter(isVoice)).toHaveLength(1);
});

it('under npm, a Ctrl-C that comes twice lets work end', async () => {
  await scene.restart('SIGTERM', { npm_lifecycle_event: 'start' });
  const endCall = scene.service.faults.hold('translation');
  const person = scene.newcomer();
  const asked = person.send(person.chat, { text: newTibetan() });
  await scene.underWay();
  const ended = scene.bot().stop('SIGINT');
  await scene.bot().says('"stopping"');
  scene.bot().stop('SIGINT');
  endCall();
  expect(await ended).toBe(0);
  await scene.restart();
  expect(await scene.everythingAfter(asked, person)).toHaveLength(1);
});

it('a second Ctrl-C ends it at once', async () => {
  scene.service.faults.next('translation', 'hang');
  const person = scene.newcomer();
  person.send(person.chat, { text: newChinese() });
  await scene.underWay();
  const ended = scene.bot().stop('SIGINT');
  await scene.bot().says('"stopping"');
  await scene.bot().stop('SIGINT');
  expect(await ended).toBe('SIGINT');
  scene.service.faults.clear();
  await scene.restart();
});
