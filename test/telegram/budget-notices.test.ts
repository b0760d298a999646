/** Budget notices: one of several processes sends each, once, and again if no admin was reachable. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { PersonSessions } from '../../src/store/kept/sessions.ts';
import type { Spent } from '../../src/store/money/ledger.ts';
import { Pauses } from '../../src/store/money/pauses.ts';
import { Alerts } from '../../src/telegram/alerts.ts';
import type { BotApi } from '../../src/telegram/api/api.ts';
import { NetworkError } from '../../src/telegram/api/transport.ts';
import { openStore, type TestStore } from '../store/open-store.ts';

let store: TestStore;
let told: string[];
/** Whether Telegram can be reached. */
let isReachable: boolean;
let failures: number;
beforeEach(async () => {
  store = await openStore();
  told = [];
  isReachable = true;
  failures = 0;
});
afterEach(() => store.close());

/** As one process does it; the sums are in fen. */
function noticesOf() {
  const sendMessage: BotApi['sendMessage'] = async (chat, text) => {
    if (!isReachable) {
      failures += 1;
      throw new NetworkError('ECONNREFUSED', false);
    }
    told.push(String(text));
    const to = { id: Number(chat), type: 'private', first_name: 'Pema' } as const;
    return { message_id: 1, date: 1, chat: to, text: String(text) };
  };
  const alerts = new Alerts({
    api: { sendMessage },
    adminIds: [7],
    words: (_, id, args) => `${id} ${args?.spent}`,
    sessions: new PersonSessions(store.database.sessions),
    budgetYuan: 10,
    pauses: new Pauses(store.database),
    now: store.now,
    log: createLog('silent'),
  });
  return (spent: Spent) => alerts.noteSpent(spent);
}

it('one of several processes tells of the budget, once a day', async () => {
  const processes = [noticesOf(), noticesOf(), noticesOf()];
  const spend = (spent: number) => {
    for (const note of processes) note({ spent, next: 40 });
  };
  spend(760);
  spend(800);
  await expect.poll(() => told).toHaveLength(1);
  spend(840);
  spend(1000);
  await expect.poll(() => told).toHaveLength(2);
  noticesOf()({ spent: 1000, next: 40 });
  store.setClock('2026-01-11T00:00:01Z');
  spend(800);
  await expect.poll(() => told).toHaveLength(3);
  // Another notice would come before this one.
  spend(1000);
  await expect.poll(() => told).toHaveLength(4);
  const aDay = ['alert-budget-80 8.00', 'alert-budget-100 10.00'];
  expect(told).toEqual([...aDay, ...aDay]);
});

it('where nobody could be told the next call tries again', async () => {
  const note = noticesOf();
  isReachable = false;
  note({ spent: 800, next: 40 });
  await expect.poll(() => failures).toBeGreaterThan(0);
  isReachable = true;
  const toldNow = () => {
    note({ spent: 840, next: 40 });
    return told;
  };
  await expect.poll(toldNow).toEqual(['alert-budget-80 8.40']);
});
