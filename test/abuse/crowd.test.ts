/** A crowd that asks for what the bot makes one after another: it waits for its turns, and for nobody else's. */
import { afterEach, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import { pdfFile, sendFile } from '../files.ts';
import { hasTibetan, isAnswer, newChinese } from '../phrases.ts';
import { aJpeg, scans } from '../pictures.ts';
import { useScene } from '../shared-scene.ts';

const WORKERS = 8;
const scene = useScene({ env: { WORKERS: String(WORKERS) } });
afterEach(() => scene.service.faults.clear());

const isAnswered = ({ chat }: Message): boolean =>
  scene.telegram.world.messages(chat).some((one) => one.from?.is_bot === true && isAnswer(one));

it('a photo that many forward is read once, and holds up no text of others', async () => {
  const paid = await scene.paidBy(async () => {
    const first = scene.newcomer();
    const endCall = scene.service.faults.hold('recognition');
    const photo = await first.sendPhoto(first.chat, await aJpeg());
    await scene.underWay();
    const crowd = Array.from({ length: 2 * WORKERS }, () => scene.newcomer());
    const forwarded = crowd.map((person) => person.forward(photo, person.chat));
    expect((await scene.ask(scene.newcomer(), newChinese())).text).toSatisfy(hasTibetan);
    endCall();
    for (const message of [photo, ...forwarded])
      expect((await scene.answerTo(message)).text).toSatisfy(hasTibetan);
  });
  expect(paid).toBe(2);
});

it('forty PDFs of six pages hold up no text and no photo of others', async () => {
  const pages = await scans(6);
  const crowd = Array.from({ length: 40 }, () => scene.newcomer());
  const sent = await Promise.all(crowd.map((person) => sendFile(person, pdfFile(pages))));
  const inWork = () => scene.rows('select 1 from requests where process is not null').length;
  await expect.poll(inWork).toBeGreaterThan(WORKERS);
  const other = scene.newcomer();
  expect((await scene.ask(other, newChinese())).text).toSatisfy(hasTibetan);
  const photo = await other.sendPhoto(other.chat, await aJpeg());
  expect((await scene.answerTo(photo)).text).toSatisfy(hasTibetan);
  expect(sent.filter(isAnswered)).toEqual([]);
});
