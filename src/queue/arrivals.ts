/** Enters updates into the table `requests`: new ones, parts of albums and of cut texts, edits. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import type { Schema } from '../store/schema.ts';
import {
  ALBUM_PAUSE_MS,
  asOld,
  COLUMNS,
  type Cut,
  type NewRequest,
  PASTE_PAUSE_MS,
  type RequestRow,
  type StoredRow,
  toRow,
} from './request-table.ts';

/** `message.date` counts whole seconds. */
const APART_S = Math.ceil(PASTE_PAUSE_MS / 1000);

/**
 * Returns the albums to store for these updates, by index. A long text that the sender's app has cut into several messages is one request:
 * its parts wait together, as those of an album, and have an album's key. Each long part waits for the next; a shorter one is the last.
 * `now`: by the clock of `due_at`.
 */
function albumsOf(updates: readonly NewRequest[], now: RawBuilder<number>): RawBuilder<unknown>[] {
  const latest = new Map<string, { readonly cut: Cut | undefined; readonly album: RawBuilder<unknown> }>();
  return updates.map(({ lane, album: known, cut, updateId }) => {
    const before = latest.get(lane);
    const own = cut?.isLong ? `paste:${cut.place}:${updateId}` : (known ?? null);
    let album = sql`${own}`;
    if (cut !== undefined && !cut.isReply) {
      if (before === undefined) album = waitingPaste(lane, cut, own, now);
      else if (isNext(before.cut, cut)) album = before.album;
    }
    latest.set(lane, { cut, album });
    return album;
  });
}

function isNext(earlier: Cut | undefined, { place, sentAt }: Cut): boolean {
  return earlier?.isLong === true && earlier.place === place && sentAt - earlier.sentAt <= APART_S;
}

/** The paste that the latest request of the lane belongs to, if that still waits for its next part; otherwise `own`. */
function waitingPaste(lane: string, { place }: Cut, own: string | null, now: RawBuilder<number>) {
  return sql`coalesce((
    select case
      when process is null and failures = 0 and due_at > ${now} and album like ${`paste:${place}:%`} then album
    end
    from requests where lane = ${lane} order by id desc limit 1
  ), ${own})`;
}

/** Returns how long this update and its album wait for more parts, in ms. */
export function pauseOf({ album, cut }: NewRequest): number {
  if (cut !== undefined) return cut.isLong ? PASTE_PAUSE_MS : 0;
  return album === undefined ? 0 : ALBUM_PAUSE_MS;
}

interface Entered {
  readonly id: number;
  readonly album: string | null;
}

/** Inserts updates that are new and whose `once` no waiting or running request has; returns what was inserted, by `update_id`. */
export async function insert(
  transaction: Transaction<Schema>,
  updates: readonly NewRequest[],
  at: number,
  now: RawBuilder<number>,
): Promise<Map<number, Entered>> {
  const albums = albumsOf(updates, now);
  const values = updates.map((update, index) => {
    const { updateId, lane, isEdit, chat = null, message = null, once = null, body } = update;
    if (isEdit === true) return sql`(${updateId}, ${lane}, null, null, null, null, 'done', null, 0, ${at})`;
    const pause = pauseOf(update);
    const dueAt = pause === 0 ? sql`0` : sql`${now} + ${pause}`;
    return sql`(${updateId}, ${lane}, ${chat}, ${message}, ${albums[index]}, ${once}, 'waiting', ${JSON.stringify(body)}, ${dueAt}, ${at})`;
  });
  const { rows } = await sql<{ id: number; update_id: number; album: string | null }>`
    insert into requests (update_id, lane, chat, message, album, once, state, body, due_at, at)
    values ${sql.join(values)}
    on conflict do nothing
    returning id, update_id, album`.execute(transaction);
  return new Map(rows.map(({ id, update_id, album }) => [Number(update_id), { id: Number(id), album }]));
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

/** Applies an edit to its message's request; returns the ids of running ones. Dead letters stay dead; after two days none is known. */
export async function applyEdit(
  transaction: Transaction<Schema>,
  { chat, message, body }: NewRequest,
): Promise<number[]> {
  if (chat === undefined || message === undefined) return [];
  const row = await rowOf(transaction, sql`chat = ${chat} and message = ${message} and state <> 'dead'`);
  if (row === undefined) return [];
  const first = row.state === 'waiting' ? undefined : await firstOfAlbum(transaction, row);
  // The request was never answered.
  if (first !== undefined && first.digest === undefined) return [];
  await sql`update requests set body = ${JSON.stringify(body)}, edited = 1, due_at = 0 where id = ${row.id}`.execute(
    transaction,
  );
  if (first !== undefined) {
    await waitAgain(transaction, { ...first, sent: asOld(first.sent), consent: 0 });
  }
  return row.process === null ? [] : [row.id];
}

type KnownRow = RequestRow & Pick<StoredRow, 'state' | 'process'>;

/** Selects the latest row that satisfies a condition. */
export async function rowOf(
  database: Database['sql'] | Transaction<Schema>,
  condition: RawBuilder<unknown>,
): Promise<KnownRow | undefined> {
  const { rows } = await sql<StoredRow>`
    select ${COLUMNS} from requests where ${condition} order by id desc limit 1`.execute(database);
  const [row] = rows;
  return row && { ...toRow(row), state: row.state, process: row.process };
}

/** Selects the first part of an answered album, or the row itself. */
async function firstOfAlbum(transaction: Transaction<Schema>, row: KnownRow): Promise<KnownRow> {
  const first = sql`
    id = (
      select min(id) from requests
      where lane = ${row.lane} and album = ${row.album ?? null} and state = ${row.state} and sent <> '[]'
    )`;
  return (await rowOf(transaction, first)) ?? row;
}

/** Makes a finished request wait again, together with the parts of its album that are in the same state. */
export async function waitAgain(
  transaction: Transaction<Schema>,
  { id, lane, album, state, sent, consent, digest }: KnownRow,
): Promise<void> {
  const parts =
    album === undefined ? sql`` : sql`or (lane = ${lane} and album = ${album} and state = ${state})`;
  await sql`
    update requests set
      state = 'waiting', consent = ${consent}, cancelled = 0, strikes = 0, failures = 0, due_at = 0,
      sent = case when id = ${id} then ${JSON.stringify(sent)} else sent end,
      digest = case when id = ${id} then ${digest ?? null} else digest end
    where id = ${id} ${parts}`.execute(transaction);
}
