/** Enters every paid call within the limits before it is made, and settles it after. Tells what was spent and what is left. */
import { sql } from 'kysely';
import { Failure } from '../../errors.ts';
import { CALL_KINDS, type CallKind, type CallOutcome } from '../../paid-calls.ts';
import type { Database } from '../database.ts';
import { outlastOutage } from '../database-errors.ts';
import { SOON } from '../engine.ts';
import {
  type Asker,
  BOT_SCOPE,
  type Calls,
  kindScope,
  lastDays,
  ownKeys,
  ownScope,
  raising,
  type SumKey,
  type Sums,
  sumsOf,
  utcDay,
} from './spending.ts';

type LedgerDatabase = Pick<Database, 'engine' | 'sql' | 'now'>;

/** Limits of a UTC day; Infinity without a limit. */
export interface Limits {
  /** Paid calls. */
  readonly callsPerUser: number;
  readonly callsPerGroup: number;
  /** Of the whole bot. */
  readonly budgetYuan: number;
}

/** For the doctor's few calls, and for tests of other things. */
export const NO_LIMITS: Limits = {
  callsPerUser: Number.POSITIVE_INFINITY,
  callsPerGroup: Number.POSITIVE_INFINITY,
  budgetYuan: Number.POSITIVE_INFINITY,
};

/** What the whole bot has spent today, and what one more call like the latest costs, in fen. */
export interface Spent {
  readonly spent: number;
  readonly next: number;
}

interface LedgerOptions {
  readonly limits: Limits;
  /** People who are counted but not limited. */
  readonly adminIds: readonly number[];
  /** Called with the day's sum for each call that begins. */
  readonly onSpent?: (spent: Spent) => void;
}

/** A limit on the sum of a day: on its number of calls, or on their cost in fen. */
interface Limit extends SumKey {
  readonly whose: 'person' | 'group' | 'bot';
  readonly unit: keyof Calls;
  /** Infinity without a limit. */
  readonly limit: number;
}

interface PlannedCall {
  readonly kind: CallKind;
  /** Code points of the text; 0 for a recognition. */
  readonly characters: number;
  /** Its cost today, in fen. */
  readonly cost: number;
}

interface BegunCall {
  readonly id: number;
  readonly cost: number;
  /** ms since the epoch */
  readonly at: number;
  /** The sums in which it counts. */
  readonly keys: readonly SumKey[];
}

/** The bot's spending on one UTC day. */
export interface DayStats {
  readonly day: string;
  /** Calls that were paid, or may have been paid. */
  readonly calls: Readonly<Record<CallKind, number>>;
  /** Their cost, in fen. */
  readonly cost: number;
}

/** Paid calls of the present UTC day and month. */
export interface Usage {
  readonly today: Calls;
  readonly month: Calls;
}

/** Calls left today, and allowed per day; Infinity without a limit. */
interface Left {
  readonly left: number;
  readonly limit: number;
}

/**
 * Checks and raises the sums of `spending` with each call. Nobody holds a lock while it compares: a call is entered first, in one step with
 * its sums, and taken back if these are above a limit then. So no two processes get the last free call, and a slow one holds up nobody.
 *
 * It does not wait for the disk: one that stalls (half a second, on a busy host) would delay every answer. A power cut in that moment loses
 * the entry of a call, but the call's result as well; a lost settlement reads as in doubt, and so does an entry whose receipt was lost.
 *
 * All methods throw `database` when the database is unreachable.
 */
export class Ledger {
  readonly limits: Limits;
  /** The whole bot's budget for a day, in fen; Infinity without a limit. */
  readonly budget: number;
  readonly #database: LedgerDatabase;
  readonly #options: LedgerOptions;

  constructor(database: LedgerDatabase, options: LedgerOptions) {
    this.limits = options.limits;
    // The budget has up to four decimals: 0.29 gives 29, though `0.29 * 100` is less.
    this.budget = Math.floor(Math.round(options.limits.budgetYuan * 10_000) / 100);
    this.#database = database;
    this.#options = options;
  }

  /** Throws `limit-person`, `limit-group` or `limit-bot` if the limits forbid these further calls, so that work does not begin in vain. */
  async check(asker: Asker, calls: Calls): Promise<void> {
    const limits = await this.#limitsOf(asker, utcDay(this.#database.now()));
    refuseBeyond(limits, await sumsOf(this.#database.sql, limits), calls);
  }

  /** Enters a call; returns the function that settles it, which retries during an outage (`outlastOutage`). Throws like `check`. */
  async begin(asker: Asker, planned: PlannedCall): Promise<(outcome: CallOutcome) => Promise<void>> {
    const { sql: database, now } = this.#database;
    const { kind, cost } = planned;
    const own = { calls: 1, cost };
    const at = now();
    const day = utcDay(at);
    const limits = await this.#limitsOf(asker, day);
    // Most refusals come from here, and write nothing.
    refuseBeyond(limits, await sumsOf(database, limits), own);
    const [bot, ...owners] = limits;
    const keys = [...owners, { day, scope: kindScope(kind) }, bot];
    const { entered, before } = await this.#enter(at, asker, planned, keys);
    if (entered === undefined) throw new Error('the database gave no id');
    const settle = (outcome: CallOutcome) => this.#settle({ id: entered.id, at, cost, keys }, outcome);
    try {
      refuseBeyond(limits, before, own);
    } catch (refusal) {
      await settle('failed');
      throw refusal;
    }
    this.#options.onSpent?.({ spent: cost + spentIn(before, BOT_SCOPE).cost, next: cost });
    return settle;
  }

  /** For a person, alone or in a group, and what the whole bot has left, in fen; admins have no limit. */
  async leftToday(asker: Asker): Promise<{ person: Left; group: Left; budget: number }> {
    const limits = await this.#limitsOf(asker, utcDay(this.#database.now()));
    const sums = await sumsOf(this.#database.sql, limits);
    const leftOf = (whose: Limit['whose']): Left => {
      const one = limits.find((limit) => limit.whose === whose);
      if (one === undefined) return { left: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY };
      return { left: Math.max(0, one.limit - spentIn(sums, one.scope)[one.unit]), limit: one.limit };
    };
    return { person: leftOf('person'), group: leftOf('group'), budget: leftOf('bot').left };
  }

  async leftOfGroup(group: string): Promise<Left> {
    return (await this.leftToday({ person: group, group })).group;
  }

  async usageOf(whose: 'person' | 'group', id: string): Promise<Usage> {
    const { sql: database, now } = this.#database;
    const today = utcDay(now());
    const keys = ownKeys(whose, id, now()).filter(({ day }) => day.slice(0, 7) === today.slice(0, 7));
    const month = await sumsOf(database, keys);
    return { today: total(month.filter(({ day }) => day === today)), month: total(month) };
  }

  /** What the whole bot has spent today (UTC), calls in doubt included, in fen. */
  async costToday(): Promise<number> {
    const { sql: database, now } = this.#database;
    return total(await sumsOf(database, [{ day: utcDay(now()), scope: BOT_SCOPE }])).cost;
  }

  /** The last `count` UTC days including today, oldest first, also those without a call. */
  async days(count: number): Promise<DayStats[]> {
    const { sql: database, now } = this.#database;
    const days = lastDays(count, now()).reverse();
    const keys = days.flatMap((day) => CALL_KINDS.map((kind) => ({ day, scope: kindScope(kind) })));
    const all = await sumsOf(database, keys);
    return days.map((day) => {
      const sums = all.filter((one) => one.day === day);
      const callsOf = (kind: CallKind) => spentIn(sums, kindScope(kind)).calls;
      const calls = {
        recognition: callsOf('recognition'),
        translation: callsOf('translation'),
        speech: callsOf('speech'),
      };
      return { day, calls, cost: total(sums).cost };
    });
  }

  /** For how many people and groups paid calls were made today (UTC). */
  async visitorsToday(): Promise<{ people: number; groups: number }> {
    const { sql: database, now } = this.#database;
    const { rows } = await sql<{ people: number | null; groups: number | null }>`
      select
        sum(case when scope like 'person:%' then 1 else 0 end) as people,
        sum(case when scope like 'group:%' then 1 else 0 end) as groups
      from spending where day = ${utcDay(now())}`.execute(database);
    return { people: rows[0]?.people ?? 0, groups: rows[0]?.groups ?? 0 };
  }

  /**
   * The limits of a day that hold for a call: the bot's, the group's, the person's. A call of a channel or an anonymous admin has no person, and
   * counts for its chat alone.
   */
  async #limitsOf({ person, group }: Asker, day: string): Promise<[Limit, ...Limit[]]> {
    const isAdmin = this.#options.adminIds.includes(Number(person));
    const { callsPerGroup, callsPerUser } = isAdmin ? NO_LIMITS : this.limits;
    const budget = isAdmin ? Number.POSITIVE_INFINITY : this.budget;
    const limits: [Limit, ...Limit[]] = [
      { whose: 'bot', day, scope: BOT_SCOPE, unit: 'cost', limit: budget },
    ];
    if (group !== undefined) {
      // The group's admins may allow less (/quota).
      const { rows } = await sql<{ quota: number | null }>`
        select daily_calls as quota from groups where chat = ${group}`.execute(this.#database.sql);
      const limit = isAdmin ? callsPerGroup : Math.min(rows[0]?.quota ?? callsPerGroup, callsPerGroup);
      limits.push({ whose: 'group', day, scope: ownScope('group', group, day), unit: 'calls', limit });
    }
    if (person !== group) {
      const scope = ownScope('person', person, day);
      limits.push({ whose: 'person', day, scope, unit: 'calls', limit: callsPerUser });
    }
    return limits;
  }

  /**
   * Enters a call and raises the sums of these keys in one step; returns the sums before. On PostgreSQL in one statement, without waiting for
   * the disk, so that the bot's row is locked as briefly as possible.
   */
  async #enter(at: number, { person, group }: Asker, call: PlannedCall, keys: readonly SumKey[]) {
    const { sql: database, engine } = this.#database;
    const { kind, characters, cost } = call;
    const entry = sql<{ id: number }>`
      insert into ledger (at, day, person, chat_group, kind, characters, cost_fen, outcome)
      values (${at}, ${utcDay(at)}, ${person}, ${group ?? null}, ${kind}, ${characters}, ${cost}, 'begun')
      returning id`;
    const raise = raising(keys, { calls: 1, cost });
    if (engine === 'postgres') {
      const { rows } = await sql<Sums & { id: number }>`
        with entered as (${entry}), raised as (${raise})
        select id, day, scope, calls, cost, ${SOON} from entered cross join raised`.execute(database);
      return { entered: rows[0], before: rows };
    }
    return database.transaction().execute(async (transaction) => {
      const { rows } = await entry.execute(transaction);
      return { entered: rows[0], before: (await raise.execute(transaction)).rows };
    });
  }

  /** Settles a call, once, even if it is repeated after a lost connection. A failed call no longer counts. */
  #settle({ id, cost, at, keys }: BegunCall, outcome: CallOutcome): Promise<void> {
    // Checks the time, too: a server that lost an uncommitted row may use its id again.
    const note = sql`
      update ledger set outcome = ${outcome} where id = ${id} and at = ${at} and outcome = 'begun'`;
    const { sql: database } = this.#database;
    return outlastOutage(async () => {
      if (outcome !== 'failed') return void (await note.execute(database));
      await database.transaction().execute(async (transaction) => {
        const { numAffectedRows = 0n } = await note.execute(transaction);
        if (numAffectedRows === 0n) return;
        // One after another, in the order of `raising`, so that no two transactions deadlock.
        for (const { day, scope } of keys)
          await sql`
            update spending set calls = calls - 1, cost_fen = cost_fen - ${cost}
            where day = ${day} and scope = ${scope}`.execute(transaction);
      });
    });
  }
}

/** Throws `limit-bot`, `limit-group` or `limit-person`, the first of them, if these calls exceed what is left. */
function refuseBeyond(limits: readonly Limit[], sums: readonly Sums[], calls: Calls): void {
  for (const { whose, scope, unit, limit } of limits) {
    const left = limit - spentIn(sums, scope)[unit];
    if (left >= calls[unit]) continue;
    // The number of such calls that the rest of the budget covers.
    const affordable = Math.max(0, Math.floor((left * calls.calls) / calls[unit]));
    throw new Failure(`limit-${whose}`, 'too few paid calls are left today', {
      calls: { left: affordable, limit: unit === 'calls' ? limit : Number.POSITIVE_INFINITY },
    });
  }
}

function spentIn(sums: readonly Sums[], scope: string): Calls {
  return sums.find((one) => one.scope === scope) ?? { calls: 0, cost: 0 };
}

function total(sums: readonly Sums[]): Calls {
  return {
    calls: sums.reduce((all, { calls }) => all + calls, 0),
    cost: sums.reduce((all, { cost }) => all + cost, 0),
  };
}
