/** A process that begins paid calls, many at a time, for a number of seconds, and reports how long each took to begin, in ms. */
import { once } from 'node:events';
import { Ledger } from '../../src/store/money/ledger.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';

const [url = '', seconds = '0', atOnce = '1'] = process.argv.slice(2);
/** A warm-up that does not count, in ms: Node optimises its code. */
const WARM_UP_MS = 2000;
const PEOPLE = 100_000;
const GROUPS = 1000;
const CALL = { kind: 'translation', characters: 10, cost: 40 } as const;
/** All three limits apply, and none is reached. */
const LIMITS = { callsPerUser: 10_000, callsPerGroup: 100_000, budgetYuan: 1_000_000 };

const database = await openPostgres(url);
const ledger = new Ledger(database, { limits: LIMITS, adminIds: [] });
process.send?.('ready');
await once(process, 'message');
const from = performance.now() + WARM_UP_MS;
const until = from + Number(seconds) * 1000;
const times: number[] = [];
const drawn = (count: number) => String(1 + Math.floor(Math.random() * count));

async function beginOneAfterAnother(): Promise<void> {
  while (performance.now() < until) {
    const group = Math.random() < 0.5 ? `-${drawn(GROUPS)}` : undefined;
    const begunAt = performance.now();
    await ledger.begin({ person: drawn(PEOPLE), group }, CALL);
    if (begunAt >= from) times.push(performance.now() - begunAt);
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, beginOneAfterAnother));
process.send?.(times);
await database.close();
process.disconnect();
