/**
 * Pays from blocks of the bot's budget, for several processes on one server. If each call raised the one row of the bot's sum, every call
 * would wait for the commit of the one before it. So eight rows (`BLOCK_SCOPES`) hold shares that are set aside, and a call lowers one of
 * them. The bot's row counts a block as spent as soon as it is set aside, so blocks never exceed the budget. A block belongs to no process:
 * if one dies, the others spend the rest of its block, or put it back as soon as the budget seems used up.
 */
import { type Insertable, sql, type Transaction } from 'kysely';
import { openCancellations } from '../kept/cancellations.ts';
import type { Schema } from '../schema.ts';
import { addCalls, BLOCK_SCOPES, BOT_SCOPE, type Calls, type Sums, takeBackCalls } from './scopes.ts';
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

interface Entered {
  /** The sums of the scopes, including this call. */
  readonly sums: readonly Sums[];
  /** Its id in the ledger; undefined if the call was not entered: the caller has to roll back. */
  readonly id: number | undefined;
  /** What the whole bot has spent, including this call, in fen. */
  readonly spent: number;
}

/**
 * In one statement: raises the sums of the scopes, takes the cost from a block, and enters the call. The call is not entered if the block
 * has too little left, the bot's sum is above `budget` (fen), another day counts, or the person has cancelled.
 */
export async function payFromBlock(
  transaction: Transaction<Schema>,
  scopes: readonly string[],
  entry: Entry,
  budget: number,
): Promise<Entered> {
  const { at, day, person, cost_fen: cost } = entry;
  const ofBot = sql`from spending where day = ${day} and scope = ${BOT_SCOPE}`;
  const isWithin =
    budget === Number.POSITIVE_INFINITY ? sql`true` : sql`(select cost_fen <= ${budget}::bigint ${ofBot})`;
  // Everybody locks in this order (scopes, block, ledger), so no two wait for each other in a ring.
  const { rows } = await sql<Sums & { id: number | null; spent: number }>`
    with raised as (
      insert into spending (scope, day, calls, cost_fen)
      values ${sql.join(scopes.map((scope) => sql`(${scope}, ${day}, 1, ${cost})`))}
      on conflict (scope, day) do update set
        calls = spending.calls + excluded.calls, cost_fen = spending.cost_fen + excluded.cost_fen
      returning scope, calls, cost_fen
    ), taken as (
      update spending set calls = calls - 1, cost_fen = cost_fen - ${cost}
      where scope = ${OWN_BLOCK} and day = ${day} and cost_fen >= ${cost} and ${isWithin}
        and ${latestDay(transaction, at)} = ${day} and not exists ${openCancellations(transaction, person, at)}
        and (select count(*) from raised) > 0
      returning 1
    ), entered as (
      insert into ledger (${sql.join(Object.keys(entry).map((column) => sql.ref(column)))}, outcome)
      select ${sql.join(Object.values(entry))}, 'begun' from taken
      returning id
    )
    select scope, calls, cost_fen as cost, (select id from entered) as id,
      ${cost} + (select cost_fen ${ofBot}) - (
        select coalesce(sum(cost_fen), 0) from spending where day = ${day} and scope in (${sql.join(BLOCK_SCOPES)})
      ) as spent
    from raised`.execute(transaction);
  const [first] = rows;
  return { sums: rows, id: first?.id ?? undefined, spent: first?.spent ?? 0 };
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
