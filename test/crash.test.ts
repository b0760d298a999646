/** A process killed at any moment: every request is answered afterwards, in order, and nothing is paid for twice. */
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { makeBotFolder } from './bot-process.ts';
import { hasTibetan, isVoice, newTibetan } from './phrases.ts';
import { useScene } from './shared-scene.ts';

/** An encoder that waits while there is a file `busy`. */
const folder = makeBotFolder();
afterAll(() => folder.remove());
const [encoder, busy] = [join(folder.path, 'ffmpeg'), join(folder.path, 'busy')];
const untilFree = `case "$*" in *s16le*) while [ -e '${busy}' ]; do sleep 0.05; done;; esac`;
writeFileSync(encoder, `#!/bin/sh\n${untilFree}\nexec ffmpeg "$@"\n`, { mode: 0o700 });

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '0', FFMPEG_PATH: encoder } });
afterEach(() => scene.service.faults.clear());

const ROUNDS = 4;
const PEOPLE = 6;
const TEXTS_EACH = 4;

it('killed again and again under load', async () => {
  const { newcomer, telegram, service, restart } = scene;
  service.faults.latency.translation = 60;
  const people = Array.from({ length: PEOPLE }, () => newcomer());
  const all = () =>
    people
      .flatMap(({ chat }) => telegram.world.messages(chat))
      .filter(({ from, text }) => from?.is_bot && hasTibetan(text));
  const asked: Message[] = [];
  let number = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const person of people) {
      for (let each = 0; each < TEXTS_EACH; each += 1) {
        number += 1;
        asked.push(person.send(person.chat, { text: `这是第${number}句话。` }));
      }
    }
    // Kills once this many answers of the round have come: early, midway, late.
    const wanted = asked.length - PEOPLE * TEXTS_EACH + 1 + ((round * 9) % (PEOPLE * TEXTS_EACH));
    await telegram.world.waitUntil(() => all().length >= wanted);
    await restart('SIGKILL');
  }
  const answered = () => new Set(all().map((answer) => answer.reply_to_message?.message_id));
  await telegram.world.waitUntil(() => asked.every(({ message_id }) => answered().has(message_id)));

  // An answer comes twice only if the kill fell between Telegram's receipt and our note of it: at most one per lane and kill.
  expect(all().length - asked.length).toBeLessThanOrEqual(ROUNDS * PEOPLE);
  for (const person of people) {
    const order = all()
      .filter(({ chat }) => chat.id === person.id)
      .map(({ text }) => Number(text?.match(/\d+/)?.[0]));
    expect([...new Set(order)]).toEqual([...new Set(order)].sort((one, other) => one - other));
  }
  // Only a call that was in flight when the process died is made again: at most one per lane and kill.
  const made = service.calls.filter(({ kind }) => kind === 'translation').length;
  expect(made).toBeLessThanOrEqual(asked.length + ROUNDS * PEOPLE);
});

it('a long answer that was cut off by the kill goes on where it stopped', async () => {
  const { anna, telegram, restart, everythingAfter } = scene;
  const long = Array.from({ length: 400 }, (_, index) => `第${index}句话在这里。`).join('\n');
  const asked = anna.send(anna.chat, { text: long.slice(0, 4000) });
  const first = await telegram.world.waitForMessage(anna.chat, ({ text }) => hasTibetan(text), {
    after: asked,
  });
  // Parts go out one after another: with the second there, the first is confirmed and noted.
  await telegram.world.waitForMessage(anna.chat, ({ text }) => hasTibetan(text), { after: first });
  await restart('SIGKILL');
  const texts = (await everythingAfter(asked, anna)).map(({ text }) => text).filter(hasTibetan);
  expect(new Set(texts).size).toBeGreaterThan(1);
  expect(texts.filter((text) => text === first.text)).toHaveLength(1);
});

it('speech that waited for an encoder when the kill came is not paid for again', async () => {
  writeFileSync(busy, '');
  const { newcomer, service, rows, restart, answerTo } = scene;
  // Two more than there are encoders (voice-note.ts).
  const asked = Array.from({ length: availableParallelism() + 4 }, () => {
    const person = newcomer();
    return person.send(person.chat, { text: `/speak amdo ${newTibetan()}` });
  });
  const kept = "select * from results where key like 'sound:%'";
  await expect.poll(() => rows(kept).length).toBe(2);
  const restarted = restart('SIGKILL');
  rmSync(busy);
  await restarted;
  await Promise.all(asked.map((message) => answerTo(message, isVoice)));
  const spoken = service.calls.flatMap(({ kind, parameters }) =>
    kind === 'speech' ? [parameters.inputText] : [],
  );
  const once = spoken.filter((text) => spoken.indexOf(text) === spoken.lastIndexOf(text));
  expect(once).toHaveLength(2);
});
