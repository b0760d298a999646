/**
 * Pays from blocks of the bot's budget, for several processes on one server. If each call raised the one row of the bot's sum, every call
 * would wait for the commit of the one before it. So eight rows (`BLOCK_SCOPES`) hold shares that are set aside, and a call lowers one of
 * them. The bot's row counts a block as spent as soon as it is set aside, so blocks never exceed the budget. A block belongs to no process:
 * if one dies, the others spend the rest of its block, or put it back as soon as the budget seems used up.
 */
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import { codeOf } from '../../errors.ts';
import { openCancellations } from '../kept/cancellations.ts';
import type { Schema } from '../schema.ts';
import {
  addCalls,
  BLOCK_SCOPES,
  BOT_SCOPE,
  type Calls,
  groupQuota,
  type Scope,
  takeBackCalls,
} from './scopes.ts';
import { latestDay } from './utc-day.ts';

/**
 * The share of the remaining budget that one block takes: all blocks together hold at most half of it, and each at most `LARGEST_FEN`,
 * since a process of an earlier release knows no blocks and takes them for spent.
 */
const SHARE = 1 / (2 * BLOCK_SCOPES.length);
const LARGEST_FEN = 1_000_000;

/**
 * Chosen like the parts of the ledger's daily sums (`migrations/daily-sums.ts`), so that a call waits here for the same calls as there, and
 * for no others.
 */
const OWN_BLOCK = sql<string>`'block:' || pg_backend_pid() % ${sql.lit(BLOCK_SCOPES.length)}`;

/** A call as the ledger enters it. */
export type Entry = Required<Omit<Insertable<Schema['ledger']>, 'id' | 'outcome'>>;

/** The columns of an `Entry`, for an `insert`. */
export const ENTRY_COLUMNS = sql.raw('at, day, person, chat_group, kind, characters, cost_fen');

/** The values of an entry, in the order of `ENTRY_COLUMNS`. */
export function entryValues({ at, day, person, chat_group, kind, characters, cost_fen }: Entry) {
  return sql.join([at, day, person, chat_group, kind, characters, cost_fen]);
}

interface Entered {
  /** Its id in the ledger. */
  readonly id: number;
  /** What the whole bot has spent, including this call, in fen. */
  readonly spent: number;
}

/** PostgreSQL's code for a text that is no number. */
const NO_NUMBER = '22P02';

/**
 * Raises the sums of the scopes, takes the cost from a block, and enters the call, all in one statement, so that no transaction is needed.
 * Returns `undefined`, and has changed nothing, if a scope is above its limit, the block has too little left, the bot's sum is above
 * `budget` (fen), another day counts, or the person has cancelled.
 */
export async function payFromBlock(
  database: Kysely<Schema>,
  scopes: readonly Scope[],
  entry: Entry,
  budget: number,
): Promise<Entered | undefined> {
  const { at, day, person, cost_fen: cost } = entry;
  const ofBot = sql`from spending where day = ${day} and scope = ${BOT_SCOPE}`;
  const isWithin =
    budget === Number.POSITIVE_INFINITY ? sql`true` : sql`(select cost_fen <= ${budget}::bigint ${ofBot})`;
  const limitOf = ({ most: { calls }, quotaOf }: Scope) => {
    const quota = quotaOf === undefined ? null : groupQuota(database, quotaOf);
    return sql`least(${Number.isFinite(calls) ? calls : null}::bigint, ${quota})`;
  };
  // Everybody locks in this order (scopes, block, ledger), so no two wait for each other in a ring.
  const query = sql<Entered>`
    with raised as (
      insert into spending (scope, day, calls, cost_fen)
      values ${sql.join(scopes.map(({ name }) => sql`(${name}, ${day}, 1, ${cost})`))}
      on conflict (scope, day) do update set
        calls = spending.calls + excluded.calls, cost_fen = spending.cost_fen + excluded.cost_fen
      returning scope, calls
    ), limits (scope, most) as (
      values ${sql.join(scopes.map((scope) => sql`(${scope.name}, ${limitOf(scope)})`))}
    ), taken as (
      update spending set calls = calls - 1, cost_fen = cost_fen - ${cost}
      where scope = ${OWN_BLOCK} and day = ${day} and cost_fen >= ${cost} and ${isWithin}
        and ${latestDay(database, at)} = ${day} and not exists ${openCancellations(database, person, at)}
        and (select bool_and(calls <= coalesce(most, calls)) from raised join limits using (scope))
      returning 1
    ), entered as (
      insert into ledger (${ENTRY_COLUMNS}, outcome) select ${entryValues(entry)}, 'begun' from taken returning id
    )
    select
      -- Without an id, a text that is no number takes its place: the statement fails and changes nothing.
      coalesce((select id::text from entered), 'no block pays for this call')::bigint as id,
      ${cost} + (select cost_fen ${ofBot}) - (
        select coalesce(sum(cost_fen), 0) from spending where day = ${day} and scope in (${sql.join(BLOCK_SCOPES)})
      ) as spent`;
  try {
    return (await query.execute(database)).rows[0];
  } catch (error) {
    if (codeOf(error) === NO_NUMBER) return undefined;
    throw error;
  }
}

/**
 * For a call that has raised the bot's row to `spent` (fen): if that is above the budget, puts back what the blocks hold, otherwise sets a
 * block aside for later calls. Gives what the blocks held unspent.
 */
export async function balanceBlocks(
  transaction: Transaction<Schema>,
  day: string,
  { spent, budget }: { spent: number; budget: number },
): Promise<Calls[]> {
  const isAbove = spent > budget;
  const held = transaction
    .selectFrom('spending')
    .select(['scope', 'calls', 'cost_fen as cost'])
    .where('day', '=', day)
    .where('scope', 'in', BLOCK_SCOPES)
    .where('cost_fen', '>', 0)
    .orderBy('scope');
  const blocks = await (isAbove ? held.forUpdate() : held).execute();
  if (isAbove) {
    for (const { scope, ...block } of blocks)
      await takeBackCalls(transaction, [BOT_SCOPE, scope], day, block);
    return blocks;
  }
  const cost = Math.min(LARGEST_FEN, Math.floor((budget - spent) * SHARE));
  if (cost > 0) await addCalls(transaction, [BOT_SCOPE, OWN_BLOCK], day, { calls: 0, cost });
  return blocks;
}
