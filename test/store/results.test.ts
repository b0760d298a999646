/** Results: kept for their time, told apart by key, gone after. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetPerson, prune } from '../../src/store/erasure.ts';
import { Results, Wholes } from '../../src/store/kept/results.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** 13 minutes of speech; no two rows of it are alike. */
const LONG = {
  ogg: Buffer.from(Uint32Array.from({ length: 600_001 }, (_, index) => index).buffer),
  durationSeconds: 789.012,
};
/** What one statement may write or erase without holding anybody up, in bytes. */
const LARGEST_ROW = 128 * 1024;

onEachEngine((openStore) => {
  let store: TestStore;
  let results: Results;
  beforeEach(async () => {
    store = await openStore();
    results = new Results(store.database, 90 * DAY_MS);
  });
  afterEach(() => store.close());

  it('a text that is empty is a result, too', async () => {
    await results.keepText('k', '1', '');
    expect(await results.text('k')).toBe('');
    expect(await results.text('other')).toBeUndefined();
  });

  it('a text kept for a button is its person’s alone, and no picture', async () => {
    const wholes = new Wholes(results);
    const [first, second] = [await wholes.keep('text', '1', 'a'), await wholes.keep('text', '2', 'a')];
    expect(await wholes.find('pictures', first)).toBeUndefined();
    await forgetPerson(store.database, '1');
    expect(await wholes.find('text', first)).toBeUndefined();
    expect(await wholes.find('text', second)).toBe('a');
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
    await prune(store.database, 90 * DAY_MS);
    const left = await store.database.sql.selectFrom('results').select('key').execute();
    expect(left).toEqual([{ key: 'young' }]);
    expect(await results.text('young')).toBe('b');
  });

  const parts = () => store.database.sql.selectFrom('note_parts').select(['audio', 'person']).execute();

  it('a note of many minutes comes back byte for byte, though no row of it is large', async () => {
    await results.keepVoiceNote('k', '1', LONG);
    expect(await results.voiceNote('k')).toEqual({ ...LONG, fileId: undefined });
    await results.keepFileId('k', 'FILE');
    expect((await results.voiceNote('k'))?.fileId).toBe('FILE');
    const rows = await store.database.sql.selectFrom('results').select('audio').execute();
    const largest = Math.max(...[...rows, ...(await parts())].map(({ audio }) => audio?.length ?? 0));
    expect(largest).toBeLessThanOrEqual(LARGEST_ROW);
  });

  it('a long note that an earlier version has kept in one row is still there', async () => {
    const row = { key: 'k', person: '1', text: null, copy: null, file_id: 'FILE', kept_at: store.now() };
    await store.database.sql
      .insertInto('results')
      .values({ ...row, audio: LONG.ogg, duration_ms: LONG.durationSeconds * 1000 })
      .execute();
    expect(await results.voiceNote('k')).toEqual({ ...LONG, fileId: 'FILE' });
  });

  it('a long note of which a part is missing is not there, and can be kept anew', async () => {
    await results.keepVoiceNote('k', '1', LONG);
    await store.database.sql.deleteFrom('note_parts').where('part', '=', 3).execute();
    expect(await results.voiceNote('k')).toBeUndefined();
    await results.keepVoiceNote('k', '1', LONG);
    expect(await results.voiceNote('k')).toEqual({ ...LONG, fileId: undefined });
  });

  it('a long note goes with its person and with its time, and leaves nothing', async () => {
    await results.keepVoiceNote('a', '1', LONG);
    await results.keepVoiceNote('b', '2', LONG);
    await forgetPerson(store.database, '1');
    expect(await results.voiceNote('a')).toBeUndefined();
    expect(new Set((await parts()).map(({ person }) => person))).toEqual(new Set(['2']));
    expect(await results.voiceNote('b')).toBeDefined();
    store.setClock('2026-04-10T12:00:01Z');
    await prune(store.database, 90 * DAY_MS);
    expect(await parts()).toEqual([]);
  });
});
