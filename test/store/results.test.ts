/** Results: kept for their time, told apart by key, gone after. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createResults, type Results } from '../../src/store/results.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

onEachEngine((openStore) => {
  let store: TestStore;
  let results: Results;
  beforeEach(async () => {
    store = await openStore();
    results = createResults({ database: store.database.sql, ttlMs: 90 * DAY_MS, now: store.now });
  });
  afterEach(() => store.close());

  it('a text that is empty is a result, too', async () => {
    await results.keepText('k', '1', '');
    expect(await results.text('k')).toBe('');
    expect(await results.text('other')).toBeUndefined();
  });

  it('a voice note comes back byte for byte, with its id at Telegram once there is one', async () => {
    const ogg = Buffer.from([0, 255, 1, 254]);
    await results.keepVoiceNote('k', '1', { ogg, durationSeconds: 1.234 });
    expect(await results.voiceNote('k')).toEqual({ ogg, durationSeconds: 1.234, fileId: undefined });
    await results.keepFileId('k', 'FILE');
    expect((await results.voiceNote('k'))?.fileId).toBe('FILE');
  });

  it('a result past its time is not used, and pruned', async () => {
    await results.keepText('old', '1', 'a');
    store.setClock('2026-03-01T00:00:00Z');
    await results.keepText('young', '1', 'b');
    store.setClock('2026-04-10T12:00:01Z');
    expect(await results.text('old')).toBeUndefined();
    expect(await results.prune()).toBe(1);
    expect(await results.text('young')).toBe('b');
  });
});
