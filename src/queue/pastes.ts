/**
 * A long text that the sender's app has cut into several messages is one request: its parts wait together, as those of an album, and have
 * an album's key. Each long part waits for the next; a shorter one is the last.
 */
import { type RawBuilder, sql } from 'kysely';
import { ALBUM_PAUSE_MS, type NewRequest, PASTE_PAUSE_MS } from './request-row.ts';

/** `message.date` counts whole seconds. */
const APART_S = Math.ceil(PASTE_PAUSE_MS / 1000);

/** Returns the albums to store for these updates, by index. `now`: by the clock of `due_at`. */
export function albumsOf(updates: readonly NewRequest[], now: RawBuilder<number>): RawBuilder<unknown>[] {
  const albums: RawBuilder<unknown>[] = [];
  const latest = new Map<string, { readonly update: NewRequest; readonly album: RawBuilder<unknown> }>();
  for (const update of updates) {
    const before = latest.get(update.lane);
    const album = albumOf(update, before, now);
    albums.push(album);
    latest.set(update.lane, { update, album });
  }
  return albums;
}

function albumOf(
  { lane, album, cut, updateId }: NewRequest,
  before: { readonly update: NewRequest; readonly album: RawBuilder<unknown> } | undefined,
  now: RawBuilder<number>,
): RawBuilder<unknown> {
  if (cut === undefined) return sql`${album ?? null}`;
  const own = cut.isLong ? `paste:${cut.place}:${updateId}` : null;
  if (cut.isReply) return sql`${own}`;
  const earlier = before?.update.cut;
  const isNext = earlier?.isLong && earlier.place === cut.place && cut.sentAt - earlier.sentAt <= APART_S;
  if (before !== undefined) return isNext ? before.album : sql`${own}`;
  return sql`coalesce((
    select case
      when process is null and failures = 0 and due_at > ${now} and album like ${`paste:${cut.place}:%`} then album
    end
    from requests where lane = ${lane} order by id desc limit 1
  ), ${own})`;
}

/** Returns how long this update and its album wait for more parts, in ms. */
export function pauseOf({ album, cut }: NewRequest): number {
  if (cut !== undefined) return cut.isLong ? PASTE_PAUSE_MS : 0;
  return album === undefined ? 0 : ALBUM_PAUSE_MS;
}
