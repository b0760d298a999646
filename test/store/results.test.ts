/** Results: kept for their time, told apart by key, gone after. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetPerson, prune } from '../../src/store/erasure.ts';
import { Results } from '../../src/store/kept/results.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** 13 minutes of speech; no two rows of it are alike. */
const LONG = {
  ogg: Buffer.from(Uint32Array.from({ length: 600_001 }, (_, index) => index).buffer),
  durationSeconds: 789.012,
};

onEachEngine((openStore) => {
  let store: TestStore;
  let results: Results;
  beforeEach(async () => {
    store = await openStore();
    results = new Results(store.database, 90 * DAY_MS);
  });
  afterEach(() => store.close());

  it('a text that is empty is a result, too', async () => {
    await results.keep('k', '1', '');
    expect(await results.text('k')).toBe('');
    expect(await results.text('other')).toBeUndefined();
  });

  it('a text kept for a button is its person’s alone, and no picture', async () => {
    const [first, second] = [
      await results.keepWhole('text', { person: '1' }, 'a'),
      await results.keepWhole('text', { person: '2' }, 'a'),
    ];
    expect(await results.findWhole('files', first)).toBeUndefined();
    await forgetPerson(store.database, '1');
    expect(await results.findWhole('text', first)).toBeUndefined();
    expect(await results.findWhole('text', second)).toBe('a');
  });

  it('equal texts of a person are kept once', async () => {
    const ids = ['a', 'a', 'b'].map((text) => results.keepWhole('text', { person: '1' }, text));
    const [first, again, other] = await Promise.all(ids);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(await store.database.sql.selectFrom('results').select('key').execute()).toHaveLength(2);
  });

  it('an unpaid text for a button is kept for a day', async () => {
    const keep = (text: string, hasPaid: boolean) =>
      results.keepWhole('text', { person: '1', hasPaid }, text);
    const [free, paid] = [await keep('free', false), await keep('paid', true)];
    // Had again without pay.
    await keep('paid', false);
    await results.keepVoiceText('sound', { person: '1' }, 'said');
    store.setClock('2026-01-11T11:59:00Z');
    expect(await results.findWhole('text', free)).toBe('free');
    store.setClock('2026-01-11T12:01:00Z');
    expect(await results.findWhole('text', free)).toBeUndefined();
    expect(await results.findWhole('voice-note', 'sound')).toBeUndefined();
    expect(await results.findWhole('text', paid)).toBe('paid');
  });

  it('a long voice note comes back byte for byte, with its id', async () => {
    await results.keep('k', '1', LONG);
    expect(await results.find('k')).toEqual(LONG);
    await results.keepFileId('k', '1', 'FILE');
    expect(await results.fileId('k')).toBe('FILE');
  });

  it('a result past its time is not used, and pruned', async () => {
    await results.keep('old', '1', 'a');
    store.setClock('2026-03-01T00:00:00Z');
    await results.keep('young', '1', 'b');
    store.setClock('2026-04-10T12:00:01Z');
    expect(await results.text('old')).toBeUndefined();
    await prune(store.database, 90 * DAY_MS);
    const left = await store.database.sql.selectFrom('results').select('key').execute();
    expect(left).toEqual([{ key: 'young' }]);
    expect(await results.text('young')).toBe('b');
  });

  it('a joined note’s id is kept as long as a result', async () => {
    await results.keepFileId('joined', '1', 'FILE');
    expect(await results.fileId('joined')).toBe('FILE');
    expect(await results.find('joined')).toBeUndefined();
    store.setClock('2026-04-10T12:00:01Z');
    expect(await results.fileId('joined')).toBeUndefined();
    await results.keepFileId('joined', '1', 'LATER');
    expect(await results.fileId('joined')).toBe('LATER');
  });

  it('sound waits for an encoder for a day, and is no voice note', async () => {
    const pcm = Buffer.from([1, 0, 255, 255]);
    await results.keepSound('a', '1', pcm, 'k');
    await results.keepSound('b', '1', pcm, 'k');
    await results.keep('c', '1', { ogg: pcm, durationSeconds: 1 });
    expect(await results.sound('a')).toEqual(pcm);
    expect(await results.find('a')).toBeUndefined();
    await results.drop('a');
    expect(await results.kept(['a', 'b', 'c', 'd'])).toEqual(new Set(['b', 'c']));
    store.setClock('2026-01-11T12:00:01Z');
    expect(await results.kept(['a', 'b', 'c', 'd'])).toEqual(new Set(['c']));
    await prune(store.database, 90 * DAY_MS);
    const left = await store.database.sql.selectFrom('results').select('key').execute();
    expect(left).toEqual([{ key: 'c' }]);
  });
});
