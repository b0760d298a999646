/** What every queue promises, on either engine. */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { standAside } from '../../src/patience.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { MAX_STRIKES, type NewRequest, SUSPECT_FROM_STRIKES } from '../../src/queue/request-table.ts';
import { onEachEngine, openStore, type TestStore } from '../store/open-store.ts';
import { anUpdate, doing, noting, Outage, openQueue, type TestQueue } from './open-queue.ts';

onEachEngine((openStore) => {
  let store: TestStore;
  let opened: TestQueue;
  let queue: Queue;
  beforeEach(async () => {
    store = await openStore();
    opened = await openQueue(store.database);
    queue = opened.queue;
  });
  afterEach(async () => {
    await queue.stop(0);
    await store.close();
  });

  it('updates of one lane are handled one after another, in the order of their arrival', async () => {
    const handled: unknown[] = [];
    let running = 0;
    await queue.start(
      doing(async ({ bodies }) => {
        running += 1;
        expect(running).toBe(1);
        await new Promise(setImmediate);
        handled.push(...bodies);
        running -= 1;
      }),
    );
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    await queue.requests.push(numbers.slice(0, 10).map((number) => anUpdate('anna', number)));
    await queue.requests.push(numbers.slice(10).map((number) => anUpdate('anna', number)));
    await expect.poll(() => handled).toEqual(numbers);
    await expect.poll(() => queue.requests.depth()).toBe(0);
  });

  it('an album is handled whole, before what came after it', async () => {
    const handled: unknown[] = [];
    const part = (number: number) => anUpdate('anna', number, { album: 'album' });
    await queue.requests.push([part(1), part(2)]);
    await queue.requests.push([anUpdate('anna', 'after')]);
    await queue.requests.push([part(3)]);
    await queue.start(doing(({ bodies }) => handled.push(bodies)));
    await expect.poll(() => queue.requests.depth()).toBe(0);
    expect(handled).toEqual([[1, 2, 3], ['after']]);
  });

  it('an album whose process died as it took it is whole in its next attempt', async () => {
    await queue.requests.push([1, 2, 3].map((number) => anUpdate('anna', number, { album: 'album' })));
    const take = () => queue.requests.take(1, { suspects: true });
    await expect.poll(take).toHaveLength(1);
    await queue.requests.takeOver(queue.requests.process);
    const handled: unknown[] = [];
    await queue.start(doing(({ bodies }) => handled.push(bodies)));
    await expect.poll(() => handled).toEqual([[1, 2, 3]]);
  });

  it('the parts of a cut text are handled in one piece, received together or not', async () => {
    const handled: unknown[] = [];
    const part = (body: unknown, isLong: boolean, { sentAt = 1, place = '1', isReply = false } = {}) =>
      anUpdate('anna', body, { cut: { place, isLong, isReply, sentAt } });
    await queue.requests.push([part(1, true), part(2, true)]);
    await queue.requests.push([part(3, true), part(4, false), part(5, false)]);
    await queue.requests.push([part(6, true), part(7, false, { place: '2' })]);
    await queue.requests.push([part(8, true), part(9, false, { sentAt: 9 })]);
    await queue.requests.push([part(10, true)]);
    await queue.requests.push([part(11, false, { isReply: true })]);
    await queue.start(doing(({ bodies }) => handled.push(bodies)));
    await expect.poll(() => handled).toEqual([[1, 2, 3, 4], [5], [6], [7], [8], [9], [10], [11]]);
  });

  it('an album’s next attempt knows what was sent for it', async () => {
    const attempts: unknown[] = [];
    await queue.start(
      doing(async ({ bodies, request: { id, sent } }) => {
        attempts.push([bodies, sent.map(({ id }) => id)]);
        if (attempts.length > 1) return;
        await queue.requests.note(id, [{ id: 10, kind: 'text' }]);
        throw new Outage();
      }),
    );
    await queue.requests.push([anUpdate('anna', 'part', { album: 'album' })]);
    await expect.poll(() => attempts).toHaveLength(1);
    // Blameless again: it waits for its next try.
    const strikes = () => store.database.sql.selectFrom('requests').select(['strikes', 'process']).execute();
    await expect.poll(strikes).toEqual([{ strikes: 0, process: null }]);
    await queue.requests.push([anUpdate('anna', 'late', { album: 'album' })]);
    await expect
      .poll(() => attempts)
      .toEqual([
        [['part'], []],
        [['part'], [10]],
        [['late'], []],
      ]);
  });

  describe('an edit', () => {
    const first = { chat: 1, message: 1 };
    const asksElse = () => true;
    const edit = () => anUpdate('anna', 'edited', { ...first, asksElse });
    const parts = { place: 'here', isReply: false, sentAt: 1 };

    it.each([
      ['cut text', { cut: { ...parts, isLong: true } }, { cut: { ...parts, isLong: false } }],
      ['album', { album: 'album' }, { album: 'album' }],
    ])('of the first part of a waiting %s does not split it', async (_, part, next) => {
      await queue.requests.push([anUpdate('anna', 'first', { ...first, ...part })]);
      const { sql } = store.database;
      // However slow this machine is, it waits for its next part.
      await sql
        .updateTable('requests')
        .set((row) => ({ due_at: row('due_at', '+', 20 * 60_000) }))
        .execute();
      await queue.requests.push([edit()]);
      expect(await queue.requests.take(8, { suspects: true })).toEqual([]);
      await queue.requests.push([anUpdate('anna', 'second', { chat: 1, message: 2, ...next })]);
      await sql.updateTable('requests').set({ due_at: 0 }).execute();
      const taken = await queue.requests.take(8, { suspects: true });
      expect(taken.map(({ bodies }) => bodies)).toEqual([['edited', 'second']]);
    });

    const push = async (...updates: readonly NewRequest[]) => void (await queue.requests.push(updates));
    const aCancel = () => anUpdate('anna', 'cancel', { isCancel: true });
    const takenFirst = async () => (await queue.requests.take(8, { suspects: true }))[0];

    it.each([
      ['after a /cancel lifts it', [aCancel(), edit()], 0],
      ['before a /cancel is cancelled, too', [edit(), aCancel()], 1],
      ['that changes nothing lifts no /cancel', [aCancel(), { ...edit(), asksElse: () => false }], 1],
    ] as const)('%s, however both come', async (_, updates, cancelled) => {
      const apart = updates.map((update) => ({ ...update, updateId: -update.updateId, lane: 'pema' }));
      await push(anUpdate('anna', 'text', { ...first, album: 'album' }), ...updates);
      await push(anUpdate('pema', 'text', { ...first, chat: 2 }));
      for (const update of apart) await push({ ...update, chat: 2 });
      const taken = await queue.requests.take(8, { suspects: true });
      expect(taken.map(({ request }) => request.cancelled)).toEqual([cancelled, cancelled]);
    });

    it('after the /cancel of a running attempt stops that, and is attempted next', async () => {
      await push(anUpdate('anna', 'text', first));
      const running = await takenFirst();
      if (running === undefined) throw new Error('nothing was taken');
      await push(aCancel(), edit());
      const [now] = await queue.requests.read(running.ids);
      expect(now?.cancelled).not.toBe(0);
      await queue.requests.finish(running, { state: 'done', sent: [], digest: 'text', isStopped: true });
      expect((await takenFirst())?.request).toMatchObject({ body: 'edited', cancelled: 0, digest: 'text' });
    });
  });

  it('a /cancel that comes while its request is taken reaches the attempt', async () => {
    const { requests } = queue;
    const take = requests.take.bind(requests);
    // What was taken is known here only later.
    requests.take = async (...given) => {
      const taken = await take(...given);
      if (taken.length > 0) await requests.cancel('anna', Number.MAX_SAFE_INTEGER);
      return taken;
    };
    let changes = 0;
    await queue.start(
      doing((attempt) => {
        attempt.onChange(() => {
          changes += 1;
        });
      }),
    );
    await requests.push([anUpdate('anna', 'text')]);
    await expect.poll(() => changes).toBeGreaterThan(0);
  });

  describe('an update that fails unforeseen three times', () => {
    let attempts: number;
    beforeEach(async () => {
      attempts = 0;
      await queue.start(
        doing(async ({ bodies }) => {
          if (bodies[0] !== 'bad') return;
          attempts += 1;
          if (attempts <= 3) throw new TypeError('nobody thought of it');
        }),
      );
      await queue.requests.push([anUpdate('anna', 'bad'), anUpdate('anna', 'good')]);
      await expect.poll(() => opened.deadLetters).toHaveLength(1);
    });

    it('a dead letter has its reason, an apology, and frees its lane', async () => {
      expect(attempts).toBe(3);
      expect(opened.deadLetters).toEqual([{ bodies: ['bad'], reason: 'TypeError' }]);
      const listed = await queue.requests.deadLetters();
      expect(listed).toMatchObject([{ lane: 'anna', reason: 'TypeError' }]);
      await expect.poll(() => queue.requests.depth()).toBe(0);
    });

    it('is handled by the running bot once another chance is asked for', async () => {
      const [{ id } = { id: 0 }] = await queue.requests.deadLetters();
      expect(await queue.requests.revive(id)).toBe(true);
      expect(await queue.requests.revive(id)).toBe(false);
      expect(await queue.requests.deadLetters()).toEqual([]);
      await expect.poll(() => attempts).toBe(4);
      await expect.poll(() => queue.requests.depth()).toBe(0);
    });

    it('can be dropped', async () => {
      const [{ id } = { id: 0 }] = await queue.requests.deadLetters();
      expect(await queue.requests.drop(id)).toBe(true);
      expect(await queue.requests.drop(id)).toBe(false);
      expect(await queue.requests.deadLetters()).toEqual([]);
    });
  });

  it('a process’s death counts against its suspect, else against all', async () => {
    const { sql } = store.database;
    await queue.requests.push([anUpdate('anna', 1), anUpdate('pema', 2)]);
    const strikesAfterDeath = async () => {
      expect(await queue.requests.take(8, { suspects: true })).toHaveLength(2);
      await queue.requests.takeOver(queue.requests.process);
      const rows = await sql.selectFrom('requests').select('strikes').orderBy('lane').execute();
      return rows.map(({ strikes }) => strikes);
    };
    expect(await strikesAfterDeath()).toEqual([1, 1]);
    await sql
      .updateTable('requests')
      .set({ strikes: SUSPECT_FROM_STRIKES })
      .where('lane', '=', 'pema')
      .execute();
    expect(await strikesAfterDeath()).toEqual([1, SUSPECT_FROM_STRIKES + 1]);
  });

  it('a request that gets further is none', async () => {
    await queue.requests.push([anUpdate('anna', 'long')]);
    await store.database.sql
      .updateTable('requests')
      .set({ strikes: MAX_STRIKES - 1 })
      .execute();
    const strikes = async () =>
      (await store.database.sql.selectFrom('requests').select('strikes').execute()).map((row) => row.strikes);
    let attempts = 0;
    await queue.start(
      doing(async (attempt) => {
        attempts += 1;
        if (attempts > 1) return;
        queue.absolve(attempt);
        await expect.poll(strikes).toEqual([0]);
        throw new TypeError('nobody thought of it');
      }),
    );
    await expect.poll(() => attempts).toBe(2);
    expect(opened.deadLetters).toEqual([]);
  });

  it('suspects run and are held one at a time, beside all else', async () => {
    const handled: unknown[] = [];
    const held: number[] = [];
    const suspects = store.database.sql
      .selectFrom('requests')
      .select('id')
      .where('strikes', '>=', SUSPECT_FROM_STRIKES)
      .where('process', 'is not', null);
    const gate = Promise.withResolvers<void>();
    await queue.requests.push([anUpdate('anna', 'suspect'), anUpdate('pema', 'suspect')]);
    await store.database.sql.updateTable('requests').set({ strikes: SUSPECT_FROM_STRIKES }).execute();
    await queue.requests.push([anUpdate('tashi', 'long')]);
    await queue.start(
      doing(async ({ bodies: [body] }) => {
        handled.push(body);
        if (body === 'suspect') held.push((await suspects.execute()).length);
        if (body !== 'short') await gate.promise;
      }),
    );
    await expect.poll(() => handled).toEqual(['suspect', 'long']);
    await queue.requests.push([anUpdate('dolma', 'short')]);
    await expect.poll(() => handled).toEqual(['suspect', 'long', 'short']);
    gate.resolve();
    await expect.poll(() => handled).toEqual(['suspect', 'long', 'short', 'suspect']);
    await expect.poll(() => queue.requests.depth()).toBe(0);
    expect(held).toEqual([1, 1]);
  });

  describe('requests that wait for one another', () => {
    const WORKERS = 8;
    let gate: PromiseWithResolvers<void>;
    let handled: unknown[];
    beforeEach(async () => {
      gate = Promise.withResolvers();
      handled = [];
      await queue.start(
        doing(async ({ bodies: [body] }) => {
          if (body !== 'short') await standAside(gate.promise);
          handled.push(body);
        }),
      );
    });
    const push = (count: number) =>
      queue.requests.push(Array.from({ length: count }, (_, lane) => anUpdate(`waits-${lane}`, lane)));
    const taken = async () => {
      const { rows } = await sql`select 1 from requests where process is not null`.execute(
        store.database.sql,
      );
      return rows.length;
    };

    it('hold no worker', async () => {
      await push(3 * WORKERS);
      await expect.poll(taken).toBe(3 * WORKERS);
      await queue.requests.push([anUpdate('anna', 'short')]);
      await expect.poll(() => handled).toEqual(['short']);
      gate.resolve();
      await expect.poll(() => queue.requests.depth()).toBe(0);
      expect(handled).toHaveLength(3 * WORKERS + 1);
    });

    it('and find no room for that wait in the database, which is no failure', async () => {
      const { requests } = queue;
      await push(5 * WORKERS);
      const putBack = sql`select strikes, failures from requests where process is null and due_at > 0`;
      const rows = async () => (await putBack.execute(store.database.sql)).rows;
      await expect.poll(rows).toHaveLength(WORKERS);
      expect(new Set((await rows()).map((row) => JSON.stringify(row)))).toEqual(
        new Set([JSON.stringify({ strikes: 0, failures: 0 })]),
      );
      await requests.push([anUpdate('anna', 'short')]);
      await expect.poll(() => handled).toEqual(['short']);
      gate.resolve();
      await expect.poll(() => requests.depth()).toBe(WORKERS);
      // Their time has come.
      await sql`update requests set due_at = 0`.execute(store.database.sql);
      await expect.poll(() => requests.depth(), { timeout: 5000 }).toBe(0);
    });
  });

  it('what does not end in time is aborted and starts anew at the next start', async () => {
    const handled: unknown[] = [];
    let started = 0;
    await queue.start(
      doing(async ({ signal }) => {
        started += 1;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw signal.reason;
      }),
    );
    await queue.requests.push([anUpdate('anna', 1), anUpdate('anna', 2)]);
    await expect.poll(() => started).toBe(1);
    await queue.stop(0);
    queue = (await openQueue(store.database)).queue;
    await queue.start(noting(handled));
    await expect.poll(() => handled).toEqual([1, 2]);
  });
});

it('the time for which a request waits for others does not count as its own', async () => {
  const { database, close } = await openStore();
  const { queue, deadLetters } = await openQueue(database, { limitMs: 50 });
  const { promise: othersEnd, resolve: endOthers } = Promise.withResolvers<void>();
  const handled: unknown[] = [];
  await queue.start(
    doing(async ({ bodies: [body] }) => {
      await (body === 'hangs' ? Promise.withResolvers().promise : standAside(othersEnd));
      handled.push(body);
    }),
  );
  await queue.requests.push([anUpdate('anna', 'waits')]);
  await queue.requests.push([anUpdate('pema', 'hangs')]);
  await expect.poll(() => deadLetters).toMatchObject([{ bodies: ['hangs'] }]);
  endOthers();
  await expect.poll(() => queue.requests.depth()).toBe(0);
  expect([handled, deadLetters.length]).toEqual([['waits'], 1]);
  await queue.stop(0);
  await close();
});

it('a stopping process gives back what it takes', async () => {
  const { database, close } = await openStore();
  const { queue } = await openQueue(database);
  const { promise: work, resolve: endWork } = Promise.withResolvers<void>();
  let running = 0;
  await queue.start(
    doing(() => {
      running += 1;
      return work;
    }),
  );
  await queue.requests.push([anUpdate('anna', 1)]);
  await expect.poll(() => running).toBe(1);
  const update = anUpdate('pema', 2);
  const stored = await queue.requests.push([update]);
  // The take that the update caused is still under way.
  const stopped = queue.stop(60_000);
  await expect.poll(() => queue.requests.isUntaken(stored.get(update.updateId)?.id ?? 0)).toBe(true);
  endWork();
  await stopped;
  expect(running).toBe(1);
  await close();
});

it('a starting queue on SQLite keeps the order', async () => {
  const { database, close } = await openStore();
  const before = (await openQueue(database)).queue;
  await before.requests.push([1, 2, 3].map((number) => anUpdate('anna', number)));
  await before.stop(0);
  const { queue } = await openQueue(database);
  const handled: unknown[] = [];
  const pushed: Promise<unknown>[] = [];
  const push = (number: number) => pushed.push(queue.requests.push([anUpdate('anna', number)]));
  push(4);
  const started = queue.start(noting(handled));
  push(5);
  await Promise.resolve();
  push(6);
  await started;
  push(7);
  await Promise.all(pushed);
  await expect.poll(() => queue.requests.depth()).toBe(0);
  expect(handled).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await queue.stop(0);
  await close();
});
