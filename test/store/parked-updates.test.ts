/** A parked request is there for its own person, for a day. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createParkedUpdates, type ParkedUpdates } from '../../src/store/kept/parked-updates.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const UPDATE = { update_id: 1, message: { text: 'བོད།' } };

onEachEngine((openStore) => {
  let store: TestStore;
  let parked: ParkedUpdates;
  beforeEach(async () => {
    store = await openStore();
    parked = createParkedUpdates(store.database);
  });
  afterEach(() => store.close());

  it('is found until it is dropped, by its own person', async () => {
    const id = await parked.park('1', UPDATE);
    expect(await parked.find(id, '2')).toBeUndefined();
    expect(await parked.find('unknown', '1')).toBeUndefined();
    expect(await parked.find(id, '1')).toEqual(UPDATE);
    await parked.drop(id);
    expect(await parked.find(id, '1')).toBeUndefined();
  });

  it('is gone after a day', async () => {
    store.setClock('2026-01-10T12:00:00Z');
    const id = await parked.park('1', UPDATE);
    store.setClock('2026-01-11T12:00:00Z');
    expect(await parked.find(id, '1')).toEqual(UPDATE);
    store.setClock('2026-01-11T12:00:01Z');
    expect(await parked.find(id, '1')).toBeUndefined();
  });

  it('has an id that fits a button with the longest person', async () => {
    const id = await parked.park('-1009999999999999', UPDATE);
    expect(`again:${id}:-1009999999999999`.length).toBeLessThanOrEqual(64);
  });
});
