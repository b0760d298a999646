/** What is kept of a group, and how it moves when the group becomes a supergroup. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGivenAnswers } from '../../src/store/kept/answers.ts';
import { createGroups, type Groups } from '../../src/store/kept/groups.ts';
import { createLateWrites } from '../../src/store/late-writes.ts';
import { createAccounting } from '../../src/store/money/accounting.ts';
import { createLedger } from '../../src/store/money/ledger.ts';
import { NO_LIMITS } from '../../src/store/money/scopes.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const LIMITS = { ...NO_LIMITS, callsPerGroup: 10 };

onEachEngine((openStore) => {
  let store: TestStore;
  let groups: Groups;
  beforeEach(async () => {
    store = await openStore();
    groups = createGroups(store.database);
  });
  afterEach(() => store.close());

  const spend = async (group: string, calls: number): Promise<void> => {
    const options = { limits: LIMITS, adminIds: [], lateWrites: createLateWrites() };
    const ledger = createLedger(store.database, options);
    for (let call = 0; call < calls; call += 1) {
      const settle = await ledger.begin({ person: '7', group }, { kind: 'translation', characters: 1 });
      await settle('charged');
    }
  };
  const usageOf = (group: string) =>
    createAccounting(store.database, { limits: LIMITS, adminIds: [] }).groupUsage(group);

  it('a group that nothing was decided for is not listened to', async () => {
    expect(await groups.settings('-1')).toEqual({ listens: false, joinedAt: undefined, isUpgraded: false });
  });

  it('what is decided one by one is kept together', async () => {
    await groups.join('-1', 5000);
    await groups.setListening('-1', true);
    await groups.setLimit('-1', 4);
    expect(await groups.settings('-1')).toEqual({ listens: true, joinedAt: 5000, isUpgraded: false });
    expect((await usageOf('-1')).limit).toBe(4);
  });

  it('an upgrade moves settings, spending and the session, once', async () => {
    await groups.setListening('-1', true);
    await groups.setLimit('-1', 4);
    await spend('-1', 2);
    await store.database.sessions.set('-1', { dialect: 'amdo' });
    for (const _ of ['told in the group', 'told in the supergroup']) await groups.upgrade('-1', '-100');
    expect(await groups.settings('-100')).toMatchObject({ listens: true, isUpgraded: true });
    expect(await usageOf('-100')).toMatchObject({ today: 2, month: 2, limit: 4 });
    expect(await usageOf('-1')).toMatchObject({ today: 0, month: 0, limit: 10 });
    expect(await store.database.sessions.get('-100')).toEqual({ dialect: 'amdo' });
    expect(await store.database.sessions.get('-1')).toBeUndefined();
  });

  it('what was spent and decided in the supergroup before the upgrade was told stays', async () => {
    await groups.setLimit('-1', 4);
    await spend('-1', 1);
    await groups.setLimit('-100', 8);
    await spend('-100', 2);
    await groups.upgrade('-1', '-100');
    expect(await usageOf('-100')).toMatchObject({ today: 3, limit: 8 });
  });

  it('a group that the bot has left is forgotten, and what it spent today is not given back', async () => {
    await groups.join('-1', 5000);
    await groups.setLimit('-1', 4);
    await spend('-1', 3);
    const answers = createGivenAnswers(store.database, createLateWrites());
    await answers.keep(-1, 55, { person: '7', asked: 'x', parts: [{ id: 56, kind: 'text' }] });
    await groups.leave('-1');
    expect(await groups.settings('-1')).toEqual({ listens: false, joinedAt: undefined, isUpgraded: false });
    expect(await answers.find(-1, 55)).toBeUndefined();
    expect(await usageOf('-1')).toMatchObject({ today: 3, limit: 10 });
    const named = await store.database.sql
      .selectFrom('ledger')
      .selectAll()
      .where('chat_group', '=', '-1')
      .execute();
    expect(named).toEqual([]);
  });
});
