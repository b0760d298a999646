/** A request to stop holds from its arrival until its lane has come to it, and stops what it is for. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { type Cancellations, createCancellations } from '../../src/store/kept/cancellations.ts';
import { Ledger } from '../../src/store/money/ledger.ts';
import { NO_LIMITS } from '../../src/store/money/scopes.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

onEachEngine((openStore) => {
  let store: TestStore;
  let cancellations: Cancellations;
  beforeEach(async () => {
    store = await openStore();
    cancellations = inAProcess();
  });
  const inAProcess = () => createCancellations(store.database);
  afterEach(() => store.close());

  it('holds for its person alone, until it is finished', async () => {
    await cancellations.request(1, '7');
    expect(await cancellations.isRequested('7')).toBe(true);
    expect(await cancellations.isRequested('8')).toBe(false);
    expect(await cancellations.finish(1, '7')).toBe(0);
    expect(await cancellations.isRequested('7')).toBe(false);
  });

  it('holds after a restart', async () => {
    await cancellations.request(1, '7');
    const later = inAProcess();
    expect(await later.isRequested('8')).toBe(false);
    expect(await later.isRequested('7')).toBe(true);
    await later.finish(1, '7');
    expect(await later.isRequested('7')).toBe(false);
    await later.request(2, '8');
    expect(await later.isRequested('8')).toBe(true);
  });

  it('that is delivered again after its end does not begin anew', async () => {
    await cancellations.finish(1, '7');
    await cancellations.request(1, '7');
    expect(await cancellations.isRequested('7')).toBe(false);
  });

  it('tells how much it stopped; of two the earlier one', async () => {
    await cancellations.request(1, '7');
    await cancellations.request(2, '7');
    await cancellations.noteStopped('7');
    await cancellations.noteStopped('7');
    expect(await cancellations.finish(1, '7')).toBe(2);
    expect(await cancellations.finish(1, '7')).toBe(2);
    expect(await cancellations.finish(2, '7')).toBe(0);
  });

  it('that no lane ever came to silences nobody for longer than an hour', async () => {
    store.setClock('2026-01-10T12:00:00Z');
    await cancellations.request(1, '7');
    store.setClock('2026-01-10T13:00:01Z');
    expect(await cancellations.isRequested('7')).toBe(false);
  });

  it('lets no further call be begun, and counts none', async () => {
    const limits = { ...NO_LIMITS, callsPerUser: 1 };
    // As one of several processes: one that is alone stops its work by itself.
    const database = { ...store.database, isAlone: false };
    const ledger = new Ledger(database, { limits, adminIds: [] });
    const begin = () =>
      ledger.begin({ person: '7', group: undefined }, { kind: 'translation', characters: 1, cost: 40 });
    await cancellations.request(1, '7');
    await expect(begin()).rejects.toSatisfy((error) => isFailure(error, 'cancelled'));
    await cancellations.finish(1, '7');
    await begin();
  });
});
