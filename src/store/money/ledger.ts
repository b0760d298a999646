/** Enters every paid call within the limits before it is made, and settles it after (spec §4). Tells what was spent and what is left. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { CALL_KINDS, type CallKind, type CallOutcome } from '../../paid-calls.ts';
import type { Database } from '../database.ts';
import { outlastOutage } from '../database-errors.ts';
import { SOON } from '../engine.ts';
import type { Engine, Schema } from '../schema.ts';
import {
  type Asker,
  BOT_SCOPE,
  type Calls,
  countVisitors,
  kindScope,
  type LimitOptions,
  lastDays,
  ownKeys,
  ownScopes,
  raising,
  refuseBeyond,
  type Scope,
  type Spent,
  type Sums,
  scopesOf,
  sumsOf,
  toFen,
  utcDay,
} from './spending.ts';

type LedgerDatabase = Pick<Database, 'engine' | 'sql' | 'now'>;

interface LedgerOptions extends LimitOptions {
  /** Called with the day's sum for each call that begins. */
  readonly onSpent?: (spent: Spent) => void;
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
  readonly day: string;
  /** The scopes in whose sums it counts. */
  readonly scopes: readonly string[];
}

/** One UTC day of the whole bot. */
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

const UNLIMITED = { limit: Number.POSITIVE_INFINITY, spent: 0 };

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
  readonly #database: LedgerDatabase;
  readonly #options: LedgerOptions;

  constructor(database: LedgerDatabase, options: LedgerOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Throws `limit-person`, `limit-group` or `limit-bot` if the limits forbid these further calls, so that work does not begin in vain. */
  async check(asker: Asker, calls: Calls): Promise<void> {
    refuseBeyond(await this.#scopesOf(asker), calls);
  }

  /** Enters a call; returns the function that settles it, which retries during an outage (`outlastOutage`). Throws like `check`. */
  async begin(asker: Asker, planned: PlannedCall): Promise<(outcome: CallOutcome) => Promise<void>> {
    const { sql: database, engine, now } = this.#database;
    const { kind, cost } = planned;
    const own = { calls: 1, cost };
    const at = now();
    const day = utcDay(at);
    const scopes = await scopesOf(database, asker, day, this.#options);
    // Most refusals come from here, and write nothing.
    refuseBeyond(scopes, own);
    const call = { at, day, cost, scopes: [...ownScopes(asker, day), kindScope(kind), BOT_SCOPE] };
    const entry: Entry = { at, day, ...asker, ...planned };
    const { id, sums } = await enter(database, engine, entry, raising(day, call.scopes, own));
    const begun = { ...call, id };
    const spentWith = ({ name, unit }: Scope) =>
      sums.find(({ scope }) => scope === name)?.[unit] ?? own[unit];
    const without = scopes.map((scope) => ({ ...scope, spent: spentWith(scope) - own[scope.unit] }));
    try {
      refuseBeyond(without, own);
    } catch (refusal) {
      await this.#settle(begun, 'failed');
      throw refusal;
    }
    this.#options.onSpent?.({
      spent: sums.find(({ scope }) => scope === BOT_SCOPE)?.cost ?? cost,
      next: cost,
    });
    return (outcome) => this.#settle(begun, outcome);
  }

  /** For a person, alone or in a group, and what the whole bot has left, in fen; admins have no limit. */
  async leftToday(asker: Asker): Promise<{ person: Left; group: Left; budget: number }> {
    const scopes = await this.#scopesOf(asker);
    const leftOf = (whose: Scope['whose']): Left => {
      const { limit, spent } = scopes.find((scope) => scope.whose === whose) ?? UNLIMITED;
      return { left: Math.max(0, limit - spent), limit };
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

  /** Maximum of paid calls per UTC day in a group; Infinity without a limit. */
  get callsPerGroup(): number {
    return this.#options.limits.callsPerGroup;
  }

  /** The whole bot's budget for a day, in fen; Infinity without a limit. */
  get budget(): number {
    return toFen(this.#options.limits.budgetYuan);
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
      const callsOf = (kind: CallKind) => sums.find(({ scope }) => scope === kindScope(kind))?.calls ?? 0;
      const calls = {
        recognition: callsOf('recognition'),
        translation: callsOf('translation'),
        speech: callsOf('speech'),
      };
      return { day, calls, cost: total(sums).cost };
    });
  }

  /** For how many people and groups paid calls were made today (UTC). */
  visitorsToday(): Promise<{ people: number; groups: number }> {
    const { sql: database, now } = this.#database;
    return countVisitors(database, utcDay(now()));
  }

  #scopesOf(asker: Asker): Promise<Scope[]> {
    const { sql: database, now } = this.#database;
    return scopesOf(database, asker, utcDay(now()), this.#options);
  }

  /** Settles a call, once, even if it is repeated after a lost connection. A failed call no longer counts. */
  #settle({ id, cost, at, day, scopes }: BegunCall, outcome: CallOutcome): Promise<void> {
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
        for (const scope of scopes)
          await sql`
            update spending set calls = calls - 1, cost_fen = cost_fen - ${cost}
            where day = ${day} and scope = ${scope}`.execute(transaction);
      });
    });
  }
}

type Entry = Asker & PlannedCall & Pick<BegunCall, 'at' | 'day'>;

function insertion({ at, day, person, group, kind, characters, cost }: Entry) {
  return sql<Pick<BegunCall, 'id'>>`
    insert into ledger (at, day, person, chat_group, kind, characters, cost_fen, outcome)
    values (${at}, ${day}, ${person}, ${group ?? null}, ${kind}, ${characters}, ${cost}, 'begun')
    returning id`;
}

/** Enters a call and raises the sums in one step; returns its id and the new sums. */
async function enter(
  database: Kysely<Schema>,
  engine: Engine,
  entry: Entry,
  raise: RawBuilder<Sums>,
): Promise<{ id: number; sums: Sums[] }> {
  if (engine === 'sqlite') {
    return database.transaction().execute(async (transaction) => {
      const { rows } = await insertion(entry).execute(transaction);
      return { id: idOf(rows), sums: (await raise.execute(transaction)).rows };
    });
  }
  // One statement, without waiting for the disk, so that the bot's row is locked as briefly as possible.
  const { rows } = await sql<Sums & { id: number }>`
    with entered as (${insertion(entry)}), raised as (${raise})
    select entered.*, raised.*, ${SOON} from entered cross join raised`.execute(database);
  return { id: idOf(rows), sums: rows };
}

function total(sums: readonly Sums[]): Calls {
  return {
    calls: sums.reduce((all, { calls }) => all + calls, 0),
    cost: sums.reduce((all, { cost }) => all + cost, 0),
  };
}

function idOf([entered]: readonly Pick<BegunCall, 'id'>[]): number {
  if (entered === undefined) throw new Error('the database gave no id');
  return entered.id;
}
