/** What /stats and /usage read is what going through the whole ledger would give, whatever was entered, settled, moved and forgotten. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetGroup, forgetPerson } from '../../src/store/erasure.ts';
import { Groups } from '../../src/store/kept/groups.ts';
import { Ledger, NO_LIMITS } from '../../src/store/money/ledger.ts';
import { utcDay } from '../../src/store/money/spending.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const KINDS = ['recognition', 'translation', 'speech'] as const;
const OUTCOMES = ['charged', 'in-doubt', 'failed', 'unsettled'] as const;
const PEOPLE = ['1', '2', '3'];
const GROUPS = [undefined, '-1', '-2'];
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 12;

onEachEngine((openStore) => {
  let store: TestStore;
  beforeEach(async () => {
    store = await openStore();
  });
  afterEach(() => store.close());

  const newLedger = () => new Ledger(store.database, { limits: NO_LIMITS, adminIds: [] });

  /** Twelve days with every kind of call and outcome, of several people in several groups; the last is `lastDay`. */
  async function live(lastDay: number): Promise<void> {
    const ledger = newLedger();
    const settlements: (() => Promise<void>)[] = [];
    for (let index = 0; index < 90; index += 1) {
      store.setClock(new Date(lastDay - (DAYS - 1 - Math.floor((index * DAYS) / 90)) * DAY_MS).toISOString());
      const outcome = OUTCOMES[(index * 7) % 4] ?? 'charged';
      // The third person and the second group are not there in the last days.
      const person = PEOPLE[index % (index < 60 ? 3 : 2)] ?? '';
      const group = GROUPS[index % (index < 50 ? 3 : 2)];
      const kind = KINDS[(index * 5) % 3] ?? 'speech';
      const call = { kind, characters: 1, cost: 40 + index };
      const settle = await ledger.begin({ person, group }, call);
      if (outcome !== 'unsettled') settlements.push(() => settle(outcome));
    }
    // Some of them only days after.
    await Promise.all(settlements.map((settle) => settle()));
  }

  const rows = () => store.database.sql.selectFrom('ledger').selectAll().execute();

  /** The figures of `Ledger`, computed from every row of the ledger. */
  async function throughTheLedger() {
    const ledger = await rows();
    const today = utcDay(store.now());
    const seenToday = ledger.filter(({ day }) => day === today);
    const sum = (entries: typeof ledger) => ({
      calls: entries.length,
      cost: entries.reduce((all, { cost_fen }) => all + cost_fen, 0),
    });
    const isPaid = ({ outcome }: (typeof ledger)[number]) => outcome !== 'failed';
    return {
      days: Array.from({ length: 30 }, (_, index) => {
        const day = utcDay(store.now() - (29 - index) * DAY_MS);
        const ofDay = ledger.filter((row) => row.day === day);
        const paid = ofDay.filter(isPaid);
        const ofKind = (wanted: string) => paid.filter(({ kind }) => kind === wanted).length;
        return {
          day,
          calls: Object.fromEntries(KINDS.map((kind) => [kind, ofKind(kind)])),
          cost: sum(paid).cost,
        };
      }),
      visitors: {
        people: new Set(seenToday.map(({ person }) => person)).size,
        groups: new Set(seenToday.flatMap(({ chat_group }) => chat_group ?? [])).size,
      },
      cost: sum(seenToday.filter(isPaid)).cost,
    };
  }

  const asTold = async () => ({
    days: await newLedger().days(30),
    visitors: await newLedger().visitorsToday(),
    cost: await newLedger().costToday(),
  });

  /** Of the present month: of a person by the ledger itself. */
  async function monthOf(isOwn: (row: Awaited<ReturnType<typeof rows>>[number]) => boolean) {
    const first = `${utcDay(store.now()).slice(0, 7)}-01`;
    const own = (await rows()).filter((row) => isOwn(row) && row.day >= first);
    const paid = own.filter(({ outcome }) => outcome !== 'failed');
    return { month: { calls: paid.length, cost: paid.reduce((all, { cost_fen }) => all + cost_fen, 0) } };
  }

  it('days, visitors and everybody’s month agree with the ledger', async () => {
    await live(Date.parse('2026-01-10T12:00:00Z'));
    expect(await asTold()).toEqual(await throughTheLedger());
    for (const person of PEOPLE)
      expect(await newLedger().usageOf('person', person)).toMatchObject(
        await monthOf((row) => row.person === person),
      );
    for (const group of ['-1', '-2'])
      expect(await newLedger().usageOf('group', group)).toMatchObject(
        await monthOf((row) => row.chat_group === group),
      );
  });

  it('who is forgotten is still counted in them, and not named', async () => {
    await live(Date.parse('2026-01-10T12:00:00Z'));
    const before = await asTold();
    await forgetPerson(store.database, '1');
    await forgetGroup(store.database, '-1');
    expect(await asTold()).toEqual(before);
    expect(await asTold()).toEqual(await throughTheLedger());
    for (const usage of [await newLedger().usageOf('person', '1'), await newLedger().usageOf('group', '-1')])
      expect(usage.month).toEqual(usage.today);
  });

  it.each(['charged', 'failed'] as const)(
    'a call that turns out as %s after its person was forgotten is counted, and does not name them again',
    async (outcome) => {
      const asker = { person: '1', group: '-1' };
      const settle = await newLedger().begin(asker, { kind: 'speech', characters: 1, cost: 40 });
      store.setClock(new Date(store.now() + DAY_MS).toISOString());
      await forgetPerson(store.database, '1');
      await forgetGroup(store.database, '-1');
      await settle(outcome);
      expect((await asTold()).days).toEqual((await throughTheLedger()).days);
      const scopes = await store.database.sql.selectFrom('spending').select('scope').execute();
      expect(scopes.map(({ scope }) => scope).toSorted()).toEqual(['bot', 'kind:speech']);
    },
  );

  it('a group that becomes another which was seen as well is one visitor', async () => {
    await live(Date.parse('2026-01-10T12:00:00Z'));
    await new Groups(store.database).upgrade('-2', '-1');
    await new Groups(store.database).upgrade('-2', '-1');
    expect(await asTold()).toEqual(await throughTheLedger());
    expect(await newLedger().usageOf('group', '-1')).toMatchObject(
      await monthOf(({ chat_group }) => chat_group === '-1'),
    );
  });
});
