/** Enters updates into the table `requests`: new ones, parts of albums and of cut texts, edits. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import type { Schema } from '../store/schema.ts';
import {
  ALBUM_PAUSE_MS,
  asOld,
  CANCELLED,
  CANCELLED_BEFORE_EDIT,
  COLUMNS,
  type Cut,
  type NewRequest,
  PASTE_PAUSE_MS,
  parseRow,
  type RequestRow,
  type StoredRow,
} from './request-table.ts';

/** `message.date` counts whole seconds. */
const APART_S = Math.ceil(PASTE_PAUSE_MS / 1000);

/** An update of the same batch and lane that came before, and the album that is stored with it. */
interface Earlier {
  readonly cut: Cut | undefined;
  readonly album: RawBuilder<unknown>;
}

/**
 * Returns the album to store with an update. A long text that the sender's app has cut into several messages is one request: its parts wait
 * together, as those of an album, and have an album's key. Each long part waits for the next; a shorter one is the last. `now`: by the clock
 * of `due_at`.
 */
function albumOf(
  { lane, album, cut, updateId }: NewRequest,
  before: Earlier | undefined,
  now: RawBuilder<number>,
): RawBuilder<unknown> {
  if (cut === undefined) return sql`${album ?? null}`;
  const { place, isLong, isReply, sentAt } = cut;
  const own = isLong ? `paste:${place}:${updateId}` : null;
  if (isReply) return sql`${own}`;
  if (before === undefined)
    // The paste that the latest request of the lane belongs to, if that still waits for its next part. Edits have rows, but are none.
    return sql`coalesce((
      select case
        when process is null and failures = 0 and due_at > ${now} and album like ${`paste:${place}:%`} then album
      end
      from requests where lane = ${lane} and state = 'waiting' order by id desc limit 1
    ), ${own})`;
  const { cut: earlier, album: joined } = before;
  const isNext = earlier?.isLong && earlier.place === place && sentAt - earlier.sentAt <= APART_S;
  return isNext ? joined : sql`${own}`;
}

/** Returns how long this update and its album wait for more parts, in ms. */
export function pauseOf({ album, cut }: NewRequest): number {
  if (cut !== undefined) return cut.isLong ? PASTE_PAUSE_MS : 0;
  return album === undefined ? 0 : ALBUM_PAUSE_MS;
}

/** Inserts updates that are new and whose `once` no waiting or running request has; returns what was inserted, by `update_id`. */
export async function insert(
  transaction: Transaction<Schema>,
  updates: readonly NewRequest[],
  at: number,
  now: RawBuilder<number>,
): Promise<Map<number, Pick<RequestRow, 'id' | 'album'>>> {
  const latest = new Map<string, Earlier>();
  const values = updates.map((update) => {
    const { updateId, lane, asksElse, chat = null, message = null, once = null, body, cut } = update;
    if (asksElse !== undefined)
      return sql`(${updateId}, ${lane}, null, null, null, null, 'done', null, 0, ${at})`;
    const album = albumOf(update, latest.get(lane), now);
    latest.set(lane, { cut, album });
    const pause = pauseOf(update);
    const dueAt = pause === 0 ? sql`0` : sql`${now} + ${pause}`;
    return sql`(${updateId}, ${lane}, ${chat}, ${message}, ${album}, ${once}, 'waiting', ${JSON.stringify(body)}, ${dueAt}, ${at})`;
  });
  const { rows } = await sql<Pick<RequestRow, 'id' | 'album'> & { update_id: number }>`
    insert into requests (update_id, lane, chat, message, album, once, state, body, due_at, at)
    values ${sql.join(values)}
    on conflict do nothing
    returning id, update_id, album`.execute(transaction);
  return new Map(rows.map((row) => [row.update_id, row]));
}

/** Postpones an album that no process has begun, with each new part; the last part of a cut text ends the wait. */
export async function putOff(
  transaction: Transaction<Schema>,
  update: NewRequest,
  album: string,
  now: RawBuilder<number>,
): Promise<void> {
  await sql`
    update requests set due_at = ${now} + ${pauseOf(update)}
    where lane = ${update.lane} and album = ${album} and state = 'waiting' and process is null and failures = 0
  `.execute(transaction);
}

/**
 * Applies an edit to its message's request; returns the ids of running ones. An album that still waits for parts goes on waiting. Dead
 * letters stay dead; after two days none is known.
 */
export async function applyEdit(
  transaction: Transaction<Schema>,
  { chat, message, body, asksElse }: NewRequest,
): Promise<number[]> {
  if (chat === undefined || message === undefined || asksElse === undefined) return [];
  const row = await rowOf(transaction, sql`chat = ${chat} and message = ${message} and state <> 'dead'`);
  if (row === undefined) return [];
  const first = row.state === 'waiting' ? undefined : await firstOfAlbum(transaction, row);
  // The request was never answered.
  if (first?.digest === null) return [];
  await sql`
    update requests set body = ${JSON.stringify(body)}, edited = 1, due_at = case when failures = 0 then due_at else 0 end
    where id = ${row.id}`.execute(transaction);
  // Telegram also reports link previews as edits: these do not bring back what was cancelled.
  if (row.cancelled === CANCELLED && row.state === 'waiting' && asksElse(row.body))
    await sql`
      update requests set cancelled = ${CANCELLED_BEFORE_EDIT}
      where state = 'waiting' and (id = ${row.id} or (lane = ${row.lane} and album = ${row.album}))`.execute(
      transaction,
    );
  if (first !== undefined) await waitAgain(transaction, { ...first, sent: asOld(first.sent), consent: 0 });
  return row.process === null ? [] : [row.id];
}

/** Selects the latest row that satisfies a condition. */
export async function rowOf(
  database: Database['sql'] | Transaction<Schema>,
  condition: RawBuilder<unknown>,
): Promise<RequestRow | undefined> {
  const { rows } = await sql<StoredRow>`
    select ${COLUMNS} from requests where ${condition} order by id desc limit 1`.execute(database);
  return rows[0] && parseRow(rows[0]);
}

/** Selects the first part of an album that was answered or cancelled, or the row itself. A part that ended alone has no body (`finish`). */
async function firstOfAlbum(transaction: Transaction<Schema>, row: RequestRow): Promise<RequestRow> {
  if (row.body === null) return row;
  const first = sql`
    id = (
      select max(id) from requests
      where id <= ${row.id} and lane = ${row.lane} and album = ${row.album} and state = ${row.state}
        and digest is not null and body is not null
    )`;
  return (await rowOf(transaction, first)) ?? row;
}

/** Makes a finished request wait again, together with the parts of its album that ended with it. */
export async function waitAgain(
  transaction: Transaction<Schema>,
  { id, lane, album, state, body, sent, consent, digest }: RequestRow,
): Promise<void> {
  const parts =
    album === null || body === null
      ? sql``
      : sql`or (lane = ${lane} and album = ${album} and state = ${state} and body is not null)`;
  await sql`
    update requests set
      state = 'waiting', consent = ${consent}, cancelled = 0, strikes = 0, failures = 0, due_at = 0,
      sent = case when id = ${id} then ${JSON.stringify(sent)} else sent end,
      digest = case when id = ${id} then ${digest} else digest end
    where id = ${id} ${parts}`.execute(transaction);
}

/** Cancels the waiting and running requests of a lane that came before the request `before`; returns their ids. */
export async function cancelBefore(
  transaction: Transaction<Schema>,
  lane: string,
  before: number,
): Promise<number[]> {
  // A cancelled request need not wait for its time.
  const { rows } = await sql<{ id: number }>`
    update requests set cancelled = ${CANCELLED}, due_at = 0
    where lane = ${lane} and state = 'waiting' and id < ${before} returning id`.execute(transaction);
  return rows.map(({ id }) => id);
}
