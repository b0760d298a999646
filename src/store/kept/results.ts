/**
 * Paid results, kept for re-use: texts, and voice notes with their Telegram ids. Also whole texts of which a message shows only a part: its
 * buttons, and replies to it, mean the whole text; and which inline query of a person is the newest.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { eventually, patiently, standAside, throwIfCancelled } from '../../patience.ts';
import type { Database } from '../database.ts';
import type { PostgresDatabase } from '../postgres/postgres.ts';
import type { Schema } from '../schema.ts';

interface KeptVoiceNote {
  readonly ogg: Buffer;
  readonly durationSeconds: number;
}

/** What is paid for: a text, or a voice note. */
export type Result = string | KeptVoiceNote;

/** How often to look whether the other process has finished, in ms. */
const LOOK_EVERY_MS = 100;
const FREE_AGAIN_AFTER_MS = 1000;

/** Matches a row without a result. */
const IS_EMPTY = sql`(results.text is null and results.audio is null)`;

/** How long what can be had again without pay is kept, in ms; sound that waits for an encoder as long as a button can repeat the request. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** A newer inline query than this one, in ms, may have a smaller number: another bot's, on the same database. */
const TYPING_FOR_MS = 60 * 1000;
/** An `update_id` as text, so that the larger comes later. */
const typed = (update: number): string => String(update).padStart(16, '0');

/** A text or files (JSON) for a button; a voice note's text under its `file_unique_id`. An id is valid only for the kind it was stored under. */
export type WholeKind = 'text' | 'files' | 'voice-note';

interface Keeper {
  readonly person: string;
  /** Something was paid for the answer. */
  readonly hasPaid?: boolean | undefined;
}

/** They make 22 characters: a button's data (64 bytes) has room for more. */
const ID_BYTES = 16;

/**
 * Results by key; a new one replaces an old one. The largest is a note of 3000 code points (2 MB, written in some 15 ms) or four minutes of
 * sound (8 MB); a longer note is joined from the notes of its pieces. All methods throw `database`.
 */
export class Results {
  readonly #database: Database;
  readonly #ttlMs: number;
  readonly #secret: string | Buffer;

  /** `secret`: equal texts of a person are kept once under the same one. */
  constructor(database: Database, ttlMs: number, secret: string | Buffer = randomBytes(ID_BYTES)) {
    this.#database = database;
    this.#ttlMs = ttlMs;
    this.#secret = secret;
  }

  async find(key: string): Promise<Result | undefined> {
    const row = await this.#young(key, 'text', 'audio', 'duration_ms');
    if (row === undefined || row.text !== null) return row?.text ?? undefined;
    if (row.duration_ms === null || row.audio === null) return undefined;
    return { ogg: Buffer.from(row.audio), durationSeconds: row.duration_ms / 1000 };
  }

  /** `claim`: the key of the claim with which it is bought; it is nobody's if the person was forgotten meanwhile, in whichever process. */
  keep(key: string, person: string, result: Result, claim?: string): Promise<void> {
    if (typeof result === 'string') return this.#write(key, person, { text: result, claim });
    const { ogg, durationSeconds } = result;
    const durationMs = Math.round(durationSeconds * 1000);
    return this.#write(key, person, { audio: ogg, durationMs, claim });
  }

  async text(key: string): Promise<string | undefined> {
    return (await this.#young(key, 'text'))?.text ?? undefined;
  }

  /**
   * Keeps a whole on a person's account, once for equal ones: as long as results, or for a day if nothing was paid for it, since anybody may
   * send any number of these. Returns its id, which cannot be guessed.
   */
  async keepWhole(kind: 'text' | 'files', keeper: Keeper, whole: string): Promise<string> {
    const hmac = createHmac('sha256', this.#secret).update(`${keeper.person}:${whole}`).digest();
    const id = hmac.subarray(0, ID_BYTES).toString('base64url');
    await this.#writeWhole(kind, id, keeper, whole);
    return id;
  }

  /** Keeps the text of a sound with this `file_unique_id`, for as long as another whole. */
  keepVoiceText(sound: string, keeper: Keeper, text: string): Promise<void> {
    return this.#writeWhole('voice-note', sound, keeper, text);
  }

  #writeWhole(kind: WholeKind, id: string, { person, hasPaid }: Keeper, text: string): Promise<void> {
    const now = this.#database.now();
    const keptAt = hasPaid ? now : Math.min(now, this.#expired() + DAY_MS);
    return this.#write(wholeKey(kind, id), person, { text }, keptAt);
  }

  findWhole(kind: WholeKind, id: string): Promise<string | undefined> {
    return this.text(wholeKey(kind, id));
  }

  /** Notes that a person has typed an inline query, in whichever process it is answered. */
  async noteTyping(person: string, update: number): Promise<void> {
    const { sql: database, now } = this.#database;
    const at = now();
    await sql`
      insert into results (key, person, text, kept_at) values (${typingKey(person)}, ${person}, ${typed(update)}, ${at})
      on conflict (key) do update set text = excluded.text, kept_at = excluded.kept_at
      where results.text < excluded.text or results.kept_at < ${at - TYPING_FOR_MS}`.execute(database);
  }

  /** Returns whether the person has not typed another inline query since. */
  async isNewest(person: string, update: number): Promise<boolean> {
    const newest = await this.text(typingKey(person));
    return newest === undefined || newest === typed(update);
  }

  /** Sound that waits for an encoder. */
  async sound(key: string): Promise<Buffer | undefined> {
    const row = await this.#young(key, 'audio');
    return row?.audio == null ? undefined : Buffer.from(row.audio);
  }

  /** `claim`: as for `keep`. */
  keepSound(key: string, person: string, sound: Buffer, claim: string): Promise<void> {
    return this.#write(key, person, { audio: sound, claim }, this.#expired() + DAY_MS);
  }

  async drop(key: string): Promise<void> {
    await sql`delete from results where key = ${key}`.execute(this.#database.sql);
  }

  /** Which of these are kept: texts, voice notes and sound. */
  async kept(keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const { rows } = await sql<{ key: string }>`
      select key from results
      where key in (${sql.join(keys)}) and kept_at > ${this.#expired()} and not ${IS_EMPTY}`.execute(
      this.#database.sql,
    );
    return new Set(rows.map(({ key }) => key));
  }

  async fileId(key: string): Promise<string | undefined> {
    return (await this.#young(key, 'file_id'))?.file_id ?? undefined;
  }

  /** Records an upload's `file_id`, so that it is not uploaded again; joined notes and the bot's own files have no other content. */
  async keepFileId(key: string, person: string, fileId: string): Promise<void> {
    await sql`
      insert into results (key, person, file_id, kept_at) values (${key}, ${person}, ${fileId}, ${this.#database.now()})
      on conflict (key) do update set file_id = excluded.file_id,
        kept_at = case when ${IS_EMPTY} then excluded.kept_at else results.kept_at end`.execute(
      this.#database.sql,
    );
  }

  /**
   * Claims a result for the person who pays, so that one process at a time buys it; returns the function that gives the claim up if the
   * result was not kept, without waiting. Waits while another process has the claim, and returns undefined once that has bought it, given up
   * or died: then the result may be kept. On PostgreSQL a claim is the process's number in the result's row. It outlives the
   * connections of its process, until the result is kept or the claim is freed: by the process, or by the others once it is dead
   * (queue/processes.ts). On SQLite there is one process, which never waits. Throws `cancelled` when `signal` aborts, and `database`
   * when the database is unreachable.
   */
  async claim(key: string, person: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    const database = this.#database;
    if (database.engine === 'sqlite') return () => {};
    const free = await takeClaim(database, key, person, this.#expired());
    if (free !== undefined) return free;
    const isFree = async () => {
      const { rows } = await sql`select 1 from results where key = ${key} and process is not null`.execute(
        database.sql,
      );
      return rows.length === 0 || undefined;
    };
    await standAside(eventually(isFree, LOOK_EVERY_MS, signal), { mayHold: true });
    throwIfCancelled(signal);
    return undefined;
  }

  #expired(): number {
    return this.#database.now() - this.#ttlMs;
  }

  /** These columns of a result that has not expired. */
  async #young<Column extends keyof Schema['results']>(
    key: string,
    ...columns: readonly Column[]
  ): Promise<Pick<Schema['results'], Column> | undefined> {
    const { rows } = await sql<Pick<Schema['results'], Column>>`
      select ${sql.raw(columns.join(', '))} from results where key = ${key} and kept_at > ${this.#expired()}`.execute(
      this.#database.sql,
    );
    return rows[0];
  }

  /** Replaces the whole row: the file of an old result may be gone, and its time over. Frees the claim, whose row tells who pays. */
  async #write(
    key: string,
    person: string,
    {
      text,
      audio,
      durationMs,
      claim,
    }: { text?: string; audio?: Buffer; durationMs?: number; claim?: string | undefined },
    keptAt = this.#database.now(),
  ): Promise<void> {
    const buyer = sql`(select person from results where key = ${claim} and process is not null)`;
    const owner = claim === undefined ? sql`${person}` : sql`coalesce(${buyer}, ${person})`;
    await sql`
      insert into results (key, person, text, audio, duration_ms, kept_at)
      values (${key}, ${owner}, ${text ?? null}, ${audio ?? null}, ${durationMs ?? null}, ${keptAt})
      on conflict (key) do update set
        person = case when results.process is null then excluded.person else results.person end,
        process = null, text = excluded.text, audio = excluded.audio,
        duration_ms = excluded.duration_ms, file_id = null,
        kept_at = case when results.kept_at > excluded.kept_at then results.kept_at else excluded.kept_at end`.execute(
      this.#database.sql,
    );
  }
}

function typingKey(person: string): string {
  return `typing:${person}`;
}

function wholeKey(kind: WholeKind, id: string): string {
  return `whole:${kind}:${id}`;
}

async function takeClaim(
  database: PostgresDatabase,
  key: string,
  person: string,
  expired: number,
): Promise<(() => void) | undefined> {
  const at = database.now();
  const { process } = database.session;
  const free = () => {
    // Not one that this process took later.
    const ours = sql`key = ${key} and process = ${process} and (kept_at = ${at} or not ${IS_EMPTY})`;
    const write = () => freeAll(database, ours);
    void patiently(write, () => FREE_AGAIN_AFTER_MS, { ref: false });
  };
  // One of this process is left from an earlier purchase: two at once are one (account.ts).
  const { numAffectedRows = 0n } = await sql`
    insert into results (key, person, process, kept_at) values (${key}, ${person}, ${process}, ${at})
    on conflict (key) do update set process = excluded.process, person = excluded.person,
      kept_at = case when ${IS_EMPTY} then excluded.kept_at else results.kept_at end
    where (results.process is null or results.process = ${process})
      and (${IS_EMPTY} or results.kept_at <= ${expired})`
    .execute(database.sql)
    .catch((error: unknown) => {
      // The server may have granted the claim all the same.
      free();
      throw error;
    });
  return numAffectedRows > 0n ? free : undefined;
}

export function freeClaimsOf(database: PostgresDatabase, process: number): Promise<unknown> {
  return freeAll(database, sql`process = ${process}`);
}

function freeAll({ sql: database }: PostgresDatabase, which: RawBuilder<unknown>): Promise<unknown> {
  return sql`
    with emptied as (delete from results where ${which} and ${IS_EMPTY})
    update results set process = null where ${which} and not ${IS_EMPTY}`.execute(database);
}
