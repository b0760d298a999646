/** The port: another provider, which knows neither HTTP nor this one's limits and prices, serves the same three abilities. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { Interpreter } from '../../src/interpreter/interpreter.ts';
import { recognise } from '../../src/interpreter/recognition.ts';
import type { ServiceAlert } from '../../src/interpreter/service-pause.ts';
import { speakInTurn } from '../../src/interpreter/speech.ts';
import { translate } from '../../src/interpreter/translation.ts';
import { ImageFitter } from '../../src/media/picture/image.ts';
import { VoiceEncoder } from '../../src/media/voice/voice-note.ts';
import { Access } from '../../src/store/access/access.ts';
import { Results } from '../../src/store/kept/results.ts';
import { Ledger, NO_LIMITS } from '../../src/store/money/ledger.ts';
import { Pauses } from '../../src/store/money/pauses.ts';
import { aJpegSaying, aPicture } from '../pictures.ts';
import { openStore, type TestStore } from '../store/open-store.ts';
import { createSecondProvider, PRICES, type SecondProvider } from './provider.ts';

const asked = { asker: { person: '1', group: undefined }, signal: new AbortController().signal };

let store: TestStore;
let provider: SecondProvider;
let interpreter: Interpreter;
let alerts: ServiceAlert[];
beforeEach(async () => {
  store = await openStore();
  alerts = [];
  provider = createSecondProvider();
  interpreter = interpreterFor(provider);
});
afterEach(() => store.close());

function interpreterFor(provider: SecondProvider, limits = NO_LIMITS): Interpreter {
  const { database } = store;
  return new Interpreter({
    provider,
    voiceEncoder: new VoiceEncoder(2),
    access: new Access(database, { isOpen: true, adminIds: [] }),
    ledger: new Ledger(database, { limits, adminIds: [] }),
    results: new Results(database, 1e9),
    pauses: new Pauses(database),
    log: pino({ level: 'silent' }),
    onAlert: (alert) => alerts.push(alert),
    onReuse: () => {},
  });
}

const usage = () => new Ledger(store.database, { limits: NO_LIMITS, adminIds: [] }).usageOf('person', '1');

it('reads, translates and speaks, and each call is in the ledger at its price', async () => {
  const picture = await aJpegSaying('བོད་ཡིག');
  const sent = { id: 'file', bytes: picture.length, load: async () => picture };
  expect(await recognise(interpreter, sent, 'tibetan', asked)).toBe('བོད་ཡིག');
  const translated = await translate(interpreter, 'བོད་ཡིག', 'chinese', asked);
  expect(translated).toMatch(/^\p{Script=Han}+$/u);
  const note = await speakInTurn(interpreter, translated, [{ variety: 'chinese', voice: 'yunjian' }], asked);
  expect((await note.ogg()).subarray(0, 4).toString()).toBe('OggS');
  // The second time none is bought.
  await translate(interpreter, 'བོད་ཡིག', 'chinese', asked);
  await provider.close();
  const { recognition, translation, speech } = PRICES;
  expect(await usage()).toMatchObject({
    today: { calls: 3, cost: recognition + translation + speech },
  });
});

it('gets no longer text and no other picture than it takes', async () => {
  const line = '今天天气很好。';
  const translated = await translate(interpreter, `${line}\n`.repeat(20).trim(), 'tibetan', asked);
  expect(translated.split('\n')).toHaveLength(20);
  expect((await usage()).today.calls).toBe(2);
  const images = new ImageFitter(provider.pictureLimits);
  const large = await aPicture().resize(2000, 40, { fit: 'fill' }).png().toBuffer();
  expect(await images.fit(large)).toMatchObject({ width: 1000, height: 50 });
});

it('where its price is above what is left of the budget, nothing is bought', async () => {
  const poor = interpreterFor(provider, { ...NO_LIMITS, budgetYuan: 1 });
  const recognition = recognise(
    poor,
    { id: 'file', bytes: 1, load: () => aJpegSaying('བོད་') },
    'tibetan',
    asked,
  );
  await expect(recognition).rejects.toSatisfy((error) => isFailure(error, 'limit-bot'));
  expect(await translate(poor, 'བོད་ཡིག', 'chinese', asked)).not.toBe('');
  expect((await usage()).today).toEqual({ calls: 1, cost: PRICES.translation });
});

it('a refusal of its one key pauses every kind of call, and is told once', async () => {
  provider.revoke();
  const refused = (work: Promise<unknown>) =>
    expect(work).rejects.toSatisfy((error) => isFailure(error, 'auth'));
  await refused(translate(interpreter, 'བོད་ཡིག', 'chinese', asked));
  await refused(speakInTurn(interpreter, 'བོད་ཡིག', [{ variety: 'amdo' }], asked));
  expect(alerts).toEqual([{ reason: 'auth', credentials: 'key' }]);
  expect((await usage()).today).toEqual({ calls: 0, cost: 0 });
});
