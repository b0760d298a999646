/** Pieces of a speech that is not whole yet: kept whole or not at all, for a day, on either engine. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetPerson, prune } from '../../src/store/erasure.ts';
import { SpeechPieces } from '../../src/store/kept/sound-parts.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** 13 minutes of speech; no two parts of it are alike. */
const PIECE = Buffer.from(Uint32Array.from({ length: 600_001 }, (_, index) => index).buffer);

onEachEngine((openStore) => {
  let store: TestStore;
  let pieces: SpeechPieces;
  beforeEach(async () => {
    store = await openStore();
    pieces = new SpeechPieces(store.database);
  });
  afterEach(() => store.close());

  /** A piece as whoever goes on with a speech finds it. */
  const recall = async (key: string): Promise<Buffer | undefined> => {
    const copy = (await pieces.kept([key])).get(key);
    return copy === undefined ? undefined : pieces.recall(key, copy);
  };

  it('a piece comes back byte for byte, large or small', async () => {
    const short = Buffer.from([0, 255, 1]);
    await pieces.keep('long', '1', PIECE);
    await pieces.keep('short', '1', short);
    expect((await recall('long'))?.equals(PIECE)).toBe(true);
    expect(await recall('short')).toEqual(short);
    expect(await recall('other')).toBeUndefined();
    expect([...(await pieces.kept(['long', 'short', 'other'])).keys()].sort()).toEqual(['long', 'short']);
  });

  it('a piece of which a part is missing is not there', async () => {
    await pieces.keep('k', '1', PIECE);
    await store.database.sql.deleteFrom('speech_pieces').where('part', '=', 3).execute();
    expect(await pieces.kept(['k'])).toEqual(new Map());
    expect(await recall('k')).toBeUndefined();
    // The same again, beside what a killed process has left.
    await pieces.keep('k', '1', PIECE);
    expect((await recall('k'))?.equals(PIECE)).toBe(true);
  });

  it('two who keep the same piece at once do not mix theirs up', async () => {
    const other = Buffer.from(PIECE).reverse();
    await Promise.all([pieces.keep('k', '1', PIECE), pieces.keep('k', '2', other)]);
    const recalled = await recall('k');
    expect([PIECE, other].some((one) => recalled?.equals(one))).toBe(true);
  });

  it('what is dropped, or forgotten, or older than a day is gone, and nothing else', async () => {
    const left = async () => [...(await pieces.kept(['a', 'b', 'c', 'd'])).keys()].sort();
    await pieces.keep('a', '1', PIECE);
    await pieces.keep('b', '2', PIECE);
    await pieces.keep('c', '3', PIECE);
    await pieces.drop(['a']);
    expect(await left()).toEqual(['b', 'c']);
    await forgetPerson(store.database, '2');
    expect(await left()).toEqual(['c']);
    store.setClock('2026-01-11T12:00:01Z');
    await pieces.keep('d', '1', PIECE);
    expect(await left()).toEqual(['d']);
    const { sql } = store.database;
    await prune(store.database, 90 * DAY_MS);
    const keys = await sql.selectFrom('speech_pieces').select('key').distinct().execute();
    expect(keys).toEqual([{ key: 'd' }]);
  });
});
