/** A process that may open nothing more for a while: it lives, loses nothing, and needs no restart. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import { freePort } from '../free-port.ts';
import { hasTibetan, isAnswer, isVoice, newChinese, newTibetan } from '../phrases.ts';
import { sendPage } from '../pictures.ts';
import { recognition, speech } from './errands.ts';
import { answerWith } from './fault-proxy.ts';
import { type Stage, startStage } from './stage.ts';

const ENOUGH = 1000;
/** Two in four of them want an encoder, and one a decoder: more than so few files let run at once. */
const CROWD = 40;

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** What is open stays open; from now on so many files may be. */
function allowOpenFiles(most: number): void {
  execFileSync('prlimit', ['--pid', String(stage.scene.bot().pid), `--nofile=${most}:`]);
}

async function isServed(errand: typeof speech): Promise<void> {
  const { scene } = stage;
  const ready = await errand(stage, scene.newcomer());
  await scene.telegram.world.waitForMessage((await ready.begin()).chat, (answer) => ready.isAnswer(answer));
  expect(stage.charged(ready.text)).toBe(1);
}

it('speech that no encoder can be started for is encoded once one can, and paid for once', async () => {
  const { scene, base } = stage;
  await isServed(speech);
  const person = scene.newcomer();
  const ready = await speech(stage, person);
  const released = Promise.withResolvers<void>();
  base.breakNext({
    call: 'stream',
    mark: ready.mark(),
    breakage: async ({ response, forward }) => {
      const answer = await forward();
      await released.promise;
      answerWith(response, answer);
    },
  });
  const asked = await ready.begin();
  await expect.poll(() => stage.charged(ready.text)).toBe(1);
  allowOpenFiles(1);
  released.resolve();
  // All of it has come, and there is nobody to encode it.
  await expect.poll(() => base.connections()).toBe(0);
  allowOpenFiles(ENOUGH);
  const answer = await scene.answerTo(asked);
  expect(answer).toSatisfy(ready.isAnswer);
  expect(stage.charged(ready.text)).toBe(1);
});

it('a start that finds nothing left for encoders and pictures goes on, and has both once there is', async () => {
  const { scene, telegram } = stage;
  await scene.bot().stop();
  const held = Promise.withResolvers<void>();
  const lastCall = telegram.breakNext({
    call: 'deleteWebhook',
    mark: '',
    breakage: async ({ response, forward }) => {
      const answer = await forward();
      await held.promise;
      answerWith(response, answer);
    },
  });
  const restarted = scene.restart();
  await expect.poll(() => lastCall.broken()).toBe(1);
  allowOpenFiles(1);
  held.resolve();
  await scene.bot().says('the machine is too short of resources to start ffmpeg');
  allowOpenFiles(ENOUGH);
  await restarted;
  await isServed(recognition);
  await isServed(speech);
});

describe('a bot that may open next to nothing', () => {
  let place: BotPlace;
  beforeEach(async () => {
    place = await openBotPlace();
  });
  afterEach(() => place.close());

  it('does its work, whatever connections others open and leave idle', async () => {
    const port = await freePort();
    const openFiles = 300;
    place.start({ PORT: String(port) }, { openFiles });
    await place.telegram.botReady();
    const idle = Array.from({ length: openFiles }, () => connect(port, '127.0.0.1'));
    for (const socket of idle) socket.on('error', () => {});
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
    const asked = person.send(person.chat, { text: `/speak amdo ${newTibetan()}` });
    await place.telegram.world.waitForMessage(person.chat, isVoice, { after: asked });
    expect(place.service.paid().calls).toBe(1);
    for (const socket of idle) socket.destroy();
  });

  it('answers a crowd that asks for everything', async () => {
    place.start({}, { openFiles: 64 });
    await place.telegram.botReady();
    const { world } = place.telegram;
    const kinds = ['text', 'speech', 'picture', 'speech'] as const;
    const ask = async (kind: (typeof kinds)[number]): Promise<void> => {
      const person = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
      const text = newTibetan();
      const asked =
        kind === 'picture'
          ? await sendPage(person, person.chat, text)
          : person.send(person.chat, { text: kind === 'speech' ? `/speak amdo ${text}` : newChinese() });
      // Encoders one after another, at the lowest priority of a busy machine.
      const answer = await world.waitForMessage(person.chat, isAnswer, { after: asked, timeoutMs: 110_000 });
      const isMeant = {
        text: () => hasTibetan(answer.text),
        speech: isVoice,
        picture: (message: Message) => message.text?.includes(text) === true,
      }[kind];
      expect(answer).toSatisfy(isMeant);
    };
    const crowd = Array.from({ length: CROWD }, (_one, index) => kinds[index % kinds.length] ?? 'speech');
    await Promise.all(crowd.map(ask));
    expect(place.service.paid().calls).toBe(CROWD);
  });
});
