/** Pauses: ten minutes without a try, then one probe for all. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Pauses } from '../../src/store/money/pauses.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

onEachEngine((openStore) => {
  let store: TestStore;
  let pauses: Pauses;
  beforeEach(async () => {
    store = await openStore();
    pauses = new Pauses(store.database);
    store.setClock('2026-01-10T12:00:00Z');
  });
  afterEach(() => store.close());

  it('only the one who begins a pause is told so', async () => {
    const begun = await Promise.all(Array.from({ length: 10 }, () => pauses.begin('quota:speech')));
    expect(begun.filter(Boolean)).toHaveLength(1);
  });

  it('while it lasts nobody may try, and other reasons are free', async () => {
    await pauses.begin('quota:speech');
    store.setClock('2026-01-10T12:09:59Z');
    expect(await pauses.permission(['quota:speech'])).toMatchObject({ reason: 'quota:speech' });
    expect(await pauses.permission(['quota:translation'])).toBe('free');
  });

  it('after ten minutes one of many is the probe, and the others wait another ten', async () => {
    await pauses.begin('quota:speech');
    store.setClock('2026-01-10T12:10:00Z');
    const permissions = await Promise.all(
      Array.from({ length: 10 }, () => pauses.permission(['quota:speech'])),
    );
    expect(permissions.filter((permission) => permission === 'probe')).toHaveLength(1);
    expect(permissions.filter((permission) => typeof permission === 'object')).toHaveLength(9);
    store.setClock('2026-01-10T12:20:00Z');
    expect(await pauses.permission(['quota:speech'])).toBe('probe');
  });

  it('a once-in-a-time task is begun by one of many', async () => {
    const midnight = Date.parse('2026-01-11T00:00:00Z');
    const begin = () => Promise.all(Array.from({ length: 10 }, () => pauses.begin('budget:80', midnight)));
    expect((await begin()).filter(Boolean)).toHaveLength(1);
    store.setClock('2026-01-10T23:59:59Z');
    expect((await begin()).filter(Boolean)).toHaveLength(0);
    store.setClock('2026-01-11T00:00:00Z');
    const tomorrow = () => pauses.begin('budget:80', midnight + 86_400_000);
    expect(await tomorrow()).toBe(true);
    expect(await tomorrow()).toBe(false);
    await pauses.end(['budget:80']);
    expect(await tomorrow()).toBe(true);
  });

  it('a success ends it, and the next refusal is news again', async () => {
    await pauses.begin('quota:speech');
    await pauses.end(['quota:speech']);
    expect(await pauses.permission(['quota:speech'])).toBe('free');
    expect(await pauses.begin('quota:speech')).toBe(true);
  });

  it('an admin has it probed at once', async () => {
    expect(await pauses.release(['quota:speech'])).toBe(false);
    await pauses.begin('quota:speech');
    expect(await pauses.release(['quota:speech'])).toBe(true);
    expect(await pauses.permission(['quota:speech'])).toBe('probe');
    expect(await pauses.permission(['quota:speech'])).toMatchObject({ reason: 'quota:speech' });
  });

  it('a clock that jumps back does not prolong it', async () => {
    await pauses.begin('quota:speech');
    store.setClock('2026-01-09T12:00:00Z');
    expect(await pauses.permission(['quota:speech'])).toBe('probe');
  });
});
