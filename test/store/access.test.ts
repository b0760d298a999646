/** Who may use the bot, as it is kept: what survives /forget and an upgrade, and invitations that race. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Access } from '../../src/store/access/access.ts';
import { forgetPerson, prune } from '../../src/store/erasure.ts';
import { Groups } from '../../src/store/kept/groups.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const TENZIN = { id: '42', name: 'Tenzin' };
const DAY_MS = 24 * 60 * 60 * 1000;

onEachEngine((openStore) => {
  let store: TestStore;
  let access: Access;
  beforeEach(async () => {
    store = await openStore();
    access = open();
  });
  afterEach(() => store.close());

  const open = (isOpen = false): Access => new Access(store.database, { isOpen, adminIds: [42] });
  const verdictOn = (person: string, group?: string) => access.verdict({ person, group });
  const subject = (id: string) => ({ id, name: `Name ${id}`, language: 'en' });

  /** Of the person 7 and of the group -5. */
  const decideBoth = async (standing: 'member' | 'blocked') => {
    for (const id of ['7', '-5']) await access.admissions.decide(subject(id), standing, TENZIN);
  };
  /** On each person, in the group that is named with them. */
  const verdictsOn = (...askers: [person: string, group?: string][]) =>
    Promise.all(askers.map((asker) => verdictOn(...asker)));

  it('a member is in everywhere, and all of a member group there', async () => {
    await decideBoth('member');
    expect(await verdictsOn(['7'], ['7', '-6'], ['8', '-5'], ['42', '-6'])).toEqual(Array(4).fill('in'));
    expect(await verdictsOn(['8'], ['8', '-6'])).toEqual(['stranger', 'stranger']);
  });

  it('a blocked person or group is blocked everywhere, also where everybody else is in', async () => {
    await decideBoth('blocked');
    access = open(true);
    expect(await verdictsOn(['7'], ['7', '-6'], ['8', '-5'])).toEqual(Array(3).fill('blocked'));
    expect(await verdictOn('8', '-6')).toBe('in');
  });

  it.each(['member', 'blocked'] as const)(
    'that somebody is %s survives /forget, and who they are does not',
    async (standing) => {
      await access.admissions.decide(subject('7'), standing, TENZIN);
      await access.noteName('7', 'pema');
      await expect.poll(() => access.findByName('Pema')).toBe('7');
      await forgetPerson(store.database, '7');
      access = open();
      expect(await verdictOn('7')).toBe(standing === 'member' ? 'in' : 'blocked');
      const { entries } = await access.admissions.page(10, 0);
      expect(entries).toMatchObject([{ id: null, name: null, standing }]);
      expect(await access.findByName('pema')).toBeUndefined();
      await forgetPerson(store.database, TENZIN.id);
      expect((await access.admissions.find('7'))?.by).toBeNull();
    },
  );

  it.each([
    ['member', undefined, 'in'],
    ['blocked', undefined, 'blocked'],
    ['member', 'asking', 'in'],
    ['blocked', 'member', 'blocked'],
    ['asking', 'member', 'in'],
    ['member', 'blocked', 'blocked'],
  ] as const)('a group that is %s, as a supergroup %s, is %s', async (small, large, expected) => {
    const set = (id: string, standing: 'member' | 'blocked' | 'asking') =>
      standing === 'asking'
        ? access.admissions.ask(subject(id), 1)
        : access.admissions.decide(subject(id), standing, TENZIN);
    await set('-1', small);
    if (large !== undefined) await set('-100', large);
    const groups = new Groups(store.database);
    for (const _ of ['told in the group', 'told in the supergroup']) await groups.upgrade('-1', '-100');
    expect(await verdictOn('8', '-100')).toBe(expected);
    expect(await verdictOn('8', '-1')).toBe('stranger');
  });

  it('of requests nobody answers, of old @names and invitations nothing is kept', async () => {
    await access.admissions.ask(subject('7'), 1);
    await access.admissions.decide(subject('8'), 'member', TENZIN);
    await access.noteName('8', 'pema');
    await expect.poll(() => access.findByName('pema')).toBe('8');
    await access.admissions.invite(1, store.now() + DAY_MS, TENZIN);
    const later = store.now() + 91 * DAY_MS;
    const database = { ...store.database, now: () => later };
    await prune(database, 90 * DAY_MS);
    expect(await access.admissions.find('7')).toBeUndefined();
    expect((await access.admissions.find('8'))?.standing).toBe('member');
    expect(await access.findByName('pema')).toBeUndefined();
    expect(await store.database.sql.selectFrom('invitations').selectAll().execute()).toEqual([]);
  });
});
