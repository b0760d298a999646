/** A process that starts while the previous one finishes takes over: nothing is lost, said twice or paid twice. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import type { BotProcess } from './bot-process.ts';
import { newChinese, newTibetan, numberOf } from './phrases.ts';

let place: BotPlace;
let latest: BotProcess | undefined;
beforeAll(async () => {
  place = await openBotPlace();
});
afterAll(() => place.close());

it.each(['SIGTERM', 'SIGKILL'] as const)('after %s', async (signal) => {
  const { service, telegram } = place;
  const before = latest ?? place.start();
  await before.says('is ready');
  const { world } = telegram;
  const person = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  const paid = service.paid().calls;
  service.faults.next('translation', { type: 'slow', ms: 2000 });
  const running = person.send(person.chat, { text: newChinese() });
  const waiting = person.send(person.chat, { text: newTibetan() });
  await world.waitUntil(() => service.calls.some(({ outcome }) => outcome === 'running'));
  const stopped = signal === 'SIGTERM' ? before.stop(signal) : undefined;
  const after = place.start();
  latest = after;
  if (signal === 'SIGKILL') {
    await after.says('waiting for it to end');
    await before.stop(signal);
  }
  await stopped;
  await after.says('is ready');

  const answers = () => world.messages(person.chat).filter(({ from }) => from?.is_bot);
  await world.waitUntil(() => answers().some(({ text }) => numberOf(text) === numberOf(waiting.text)));
  expect(answers().map(({ text }) => numberOf(text))).toEqual(
    [running, waiting].map((m) => numberOf(m.text)),
  );
  // The killed process lost a result that was paid for.
  expect(service.paid().calls - paid).toBeLessThanOrEqual(signal === 'SIGKILL' ? 3 : 2);
});
